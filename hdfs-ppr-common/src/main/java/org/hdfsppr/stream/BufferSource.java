/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package org.hdfsppr.stream;

import java.nio.ByteBuffer;
import org.apache.hadoop.classification.InterfaceAudience;

/** Hands out direct memory to repairs. Thread-safe. */
@InterfaceAudience.Private
public interface BufferSource {
  /**
   * Takes memory, and does not wait for it. The caller closes the lease when nothing uses the
   * memory any more.
   *
   * @param pieces length of each buffer in bytes, in the order in which the caller will carve them
   * @return the lease, or null if the source cannot supply all buffers at present
   */
  Lease lease(int... pieces);

  /**
   * Like {@link #lease}, but a source that can wait for memory waits until enough is free. The
   * default does not wait. The caller must not hold anything for which a holder of a lease may
   * wait, because both could then wait for ever.
   *
   * @param msMost the longest wait, milliseconds
   * @param pieces length of each buffer in bytes, as in {@link #lease}
   * @return the lease, or null if not enough memory became free in time, or can never become free
   * @throws InterruptedException if the current thread is interrupted while it waits
   */
  default Lease await(long msMost, int... pieces) throws InterruptedException {
    return lease(pieces);
  }

  /**
   * Says why the source can never lease these pieces, however much of its memory is free.
   *
   * @param pieces length of each buffer in bytes, as in {@link #lease}
   * @return the reason, in words for a log, or null if the source can lease these pieces when
   *     enough of its memory is free
   */
  String refusal(int... pieces);

  /** Memory that a source has handed out. A lease belongs to one thread. */
  interface Lease extends AutoCloseable {
    /**
     * Returns the next buffer of the lease, in the order in which the caller named the lengths.
     *
     * @param bytes length of the piece, as the caller named it when it took the lease
     * @return a buffer of that length with undefined contents, valid until the lease is closed
     * @throws IllegalArgumentException if the next piece has another length, or no piece is left
     * @throws IllegalStateException if the lease is closed
     */
    ByteBuffer carve(int bytes);

    /**
     * Sets the action that runs when the lease is closed. A second call replaces the action of the
     * first.
     *
     * @param action the action; it runs once, on the thread that closes the lease, after the memory
     *     is free again
     * @return this lease
     */
    Lease whenClosed(Runnable action);

    /** Gives the memory back. A second call does nothing. */
    @Override
    void close();
  }
}
