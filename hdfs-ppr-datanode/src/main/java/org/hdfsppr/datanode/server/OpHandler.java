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
 * reads the opcode and bounds the time until the request is complete; the handler reads the bytes
 * behind the opcode. Thread-safe. Closing a handler ends what it keeps open between requests.
 */
@InterfaceAudience.Private
public interface OpHandler extends Closeable {
  /** One request, read and admitted. One thread uses it; logs quote its text. */
  interface Op {
    /**
     * Serves the request; the server has reserved a place for it.
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
   * Reads a request from behind its opcode, and checks what it asks for.
   *
   * @param in the request, at the first byte behind the opcode
   * @param connection takes the answer if the request is well-formed but not supported
   * @return the request, admitted
   * @throws IOException if the request does not arrive, or must not be served
   */
  Op read(ChannelInput in, PeerConnection connection) throws IOException;

  @Override
  void close();
}
