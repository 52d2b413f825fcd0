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
package org.hdfsppr.it.cluster;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;


/** Finds out whether a cluster of this or of another working copy uses a net already. */
final class Nets {

  private Nets() {
  }

  static boolean inUse(int net) throws IOException {
    InetAddress bridge = InetAddress.getByName("10.77." + net + ".1");
    if (NetworkInterface.getByInetAddress(bridge) != null) {
      return true;
    }
    // In a loopback network, 254 is the address of the only NameNode, and 253 that of the first of
    // two.
    for (int last : new int[] {254, 253}) {
      try (ServerSocket probe = new ServerSocket()) {
        probe.bind(new InetSocketAddress("127.0." + net + "." + last,
            DaemonSettings.NAMENODE_RPC_PORT));
      } catch (BindException e) {
        return true;
      }
    }
    return false;
  }
}
