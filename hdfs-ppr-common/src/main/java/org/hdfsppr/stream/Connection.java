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

/**
 * A connection between two nodes of a tree, after the handshake that the cluster's security
 * demands.
 */
@InterfaceAudience.Private
public interface Connection extends Closeable {
  /** @return the stream of the bytes from the other end; each call returns the same stream */
  InputStream in();

  /** @return the stream that sends bytes to the other end; each call returns the same stream */
  OutputStream out();

  /**
   * Bounds how long a read or a write may wait for its next byte.
   *
   * @param timeoutMs milliseconds, at least 1
   * @throws IOException if the connection is closed
   */
  void setTimeout(int timeoutMs) throws IOException;

  /**
   * Says whether an earlier request used this connection. Its other end may have closed it since.
   *
   * @return whether the connection is reused
   */
  default boolean isReused() {
    return false;
  }

  /**
   * Gives the connection back for another request. The caller must have read the complete answer to
   * its own request. An implementation that keeps no connections closes it. The caller must not use
   * it any more.
   */
  default void keep() {
    close();
  }

  /**
   * Ends both directions at once. A read or write at either end then throws an exception. May be
   * called from any thread. The thread that uses the connection still has to close it.
   */
  void abort();

  /**
   * Ends both directions and gives back all resources. The thread that uses the connection calls
   * it, because an encrypting stream frees buffers that a read or write may still use. A second
   * call does nothing.
   */
  @Override
  void close();
}
