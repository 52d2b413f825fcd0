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
import java.io.InputStream;
import java.io.OutputStream;
import org.apache.hadoop.classification.InterfaceAudience;

/** A connection between two nodes of a tree, after whatever handshake the cluster wants. */
@InterfaceAudience.Private
public interface Connection extends Closeable {
  InputStream in();

  OutputStream out();

  /**
   * Bounds how long a read, and a write, may go without a byte.
   *
   * @param timeoutMs milliseconds, at least 1
   */
  void setTimeout(int timeoutMs) throws IOException;

  /** Whether a request was answered over it before: the other end may have left since. */
  default boolean isReused() {
    return false;
  }

  /**
   * Gives it back after a request that was answered to the end, for another one; who cannot keep it
   * closes it. Not to be used any more.
   */
  default void keep() {
    close();
  }

  /**
   * Ends both directions at once; whoever reads or writes, here or there, gets an exception. May be
   * called from any thread. Whoever uses it still has to close it.
   */
  void abort();

  /**
   * Ends both directions, and gives back what it has; to be called by the thread that uses it, for
   * encrypting streams free buffers that they may be at work with. May be called twice.
   */
  @Override
  void close();
}
