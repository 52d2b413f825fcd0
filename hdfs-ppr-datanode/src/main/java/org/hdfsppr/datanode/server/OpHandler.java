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
package org.hdfsppr.datanode.server;

import java.io.Closeable;
import java.io.IOException;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.stream.PeerConnection;
import org.hdfsppr.wire.ChannelInput;
import org.hdfsppr.wire.FailureCause;

/**
 * Serves the requests of one opcode. {@link TransferServer} accepts the connection, shakes hands,
 * reads the opcode and bounds the time until the request is complete. The handler reads the bytes
 * after the opcode. {@link #close} closes the connections that the handler keeps open between
 * requests. Thread-safe.
 */
@InterfaceAudience.Private
public interface OpHandler extends Closeable {
  /**
   * A request that the handler has read and admitted. Used by one thread. Logs quote its {@code
   * toString}.
   */
  interface Op {
    /**
     * Serves the request. The server has already counted it among the requests that run.
     *
     * @param connection the connection over which the caller gets the answer
     * @param caller the address of the caller
     * @return whether the answer is complete, so that the caller may send another request over the
     *     connection
     */
    boolean serve(PeerConnection connection, String caller);

    /**
     * Answers that the request is not served.
     *
     * @param connection the connection over which the caller gets the answer
     * @param cause the cause, for the caller's planner
     * @param message the reason, for the caller's log
     * @throws IOException if the answer cannot be written
     */
    void refuse(PeerConnection connection, FailureCause cause, String message) throws IOException;
  }

  /** @return the opcode that follows the version in a request, 0 to 255 */
  int opcode();

  /**
   * Reads the part of a request after the opcode, and checks whether this node may serve the
   * request.
   *
   * @param in the request, at the first byte after the opcode
   * @param connection takes the answer if the request is well-formed but this node does not support
   *     it
   * @return the admitted request
   * @throws IOException if the request does not arrive, or must not be served
   */
  Op read(ChannelInput in, PeerConnection connection) throws IOException;

  @Override
  void close();
}
