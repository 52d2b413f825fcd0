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
import java.util.function.Supplier;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * A connection between two nodes of a tree, after the handshake that the cluster's security
 * demands.
 */
@InterfaceAudience.Private
public interface TransferConnection extends Closeable {
  /** @return the stream of bytes that the peer sends; each call returns the same stream */
  InputStream in();

  /** @return the stream that sends bytes to the peer; each call returns the same stream */
  OutputStream out();

  /**
   * Bounds how long a read or a write may wait for its next byte.
   *
   * @param timeoutMs milliseconds, at least 1
   * @throws IOException if the connection is closed
   */
  void setTimeout(int timeoutMs) throws IOException;

  /**
   * Says whether an earlier request used this connection. If so, the peer may have closed it in the
   * meantime.
   *
   * @return whether the connection is reused
   */
  default boolean isReused() {
    return false;
  }

  /**
   * Returns an object in which the code for one kind of messages keeps its state as long as this
   * connection lasts. An implementation that keeps no connections makes a new state with each call.
   * Only the thread that uses the connection may call this method and use the state.
   *
   * @param <T> the class of the state
   * @param kind the class of the state
   * @param make makes the state, if there is none yet
   * @return the state, which is the same for all requests over the connection
   */
  default <T> T memory(Class<T> kind, Supplier<T> make) {
    return make.get();
  }

  /**
   * Gives the connection back for another request. The caller must have read the complete answer to
   * its own request. An implementation that keeps no connections closes the connection. The caller
   * must not use the connection afterwards.
   */
  default void keep() {
    close();
  }

  /**
   * Shuts both directions down at once. A read or write of this node or of the peer then throws an
   * exception. May be called from any thread. The thread that uses the connection still has to
   * close it.
   */
  void abort();

  /**
   * Shuts both directions down and gives back all resources. While a thread uses the connection,
   * only that thread may call this method, because an encrypting stream frees buffers that a
   * running read or write still uses. A second call does nothing.
   */
  @Override
  void close();
}
