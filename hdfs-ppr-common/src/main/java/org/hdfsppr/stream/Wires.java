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

import java.io.IOException;
import java.net.Socket;
import org.apache.hadoop.classification.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What connections have in common that go over sockets. */
@InterfaceAudience.Private
public final class Wires {
  private static final Logger LOG = LoggerFactory.getLogger(Wires.class);

  private Wires() {
  }

  /**
   * Ends both directions of a socket at once, for a {@link Connection#abort}. Closing it would not
   * do: who waits for its bytes by a selector, as Hadoop's streams do, is not woken up by that.
   */
  public static void abort(Socket socket) {
    try {
      socket.shutdownInput();
    } catch (IOException e) {
      LOG.debug("{} was not open any more", socket, e);
    }
    try {
      socket.shutdownOutput();
    } catch (IOException e) {
      LOG.debug("{} was not open any more", socket, e);
    }
  }
}
