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

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * The bytes of one unit (internal block) as a node of a repair tree sees them: a replica on this
 * node's disk, or one that another node serves. Every byte handed out has been checked against the
 * checksums that the replica carries.
 *
 * <p>Used by one thread. Reads go forward; an implementation may refuse to go back.
 */
@InterfaceAudience.Private
public interface UnitSource extends Closeable {
  /** Length of the unit in bytes. */
  long length();

  /**
   * Fills {@code dst} from its position to its limit with the bytes that start at {@code offset}.
   *
   * @param offset where to start, in bytes, not behind the end of an earlier read's start
   * @param dst a direct buffer; {@code offset + dst.remaining()} is at most {@link #length()}
   * @throws org.apache.hadoop.fs.ChecksumException if the stored bytes are corrupt
   * @throws IOException if they cannot be read; {@code dst}'s content is then undefined
   */
  void read(long offset, ByteBuffer dst) throws IOException;

  /**
   * Says that only some runs of the bytes are going to be read, and that this is one of them, soon.
   * Advice: a source may read it ahead, and should read nothing that has not been announced.
   *
   * @param offset of the run, bytes
   * @param length of the run, bytes; 0 if the next one is not known, or not worth it
   */
  default void announce(long offset, long length) {
    // Sources that read nothing ahead have no use for it.
  }

  /** Gives back files, sockets and buffers. May be called twice. */
  @Override
  void close() throws IOException;
}
