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

import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.Arrays;

/** Makes the key under which the server counts the requests of a caller. */
final class CallerAddress {
  /**
   * The number of bytes of an IPv6 address that name a network. One machine may use all addresses
   * of its network.
   */
  private static final int NETWORK_BYTES = 8;
  /** The key of callers whose connection has ended, because their address is not known any more. */
  private static final String UNKNOWN = "unknown";

  private CallerAddress() {
  }

  /**
   * Returns the key of a caller that has sent a request: its address. The server does not count
   * such callers by network, because the DataNodes of a rack often share a network.
   *
   * @param from the address that a connection comes from, or null if the address is not known
   */
  static String of(InetAddress from) {
    return from == null ? UNKNOWN : from.getHostAddress();
  }

  /**
   * Returns the key of a stranger, which has not sent a request yet. For an IPv6 address it is the
   * address's network, because one machine may use all addresses of its network. For IPv4 it is the
   * address itself.
   */
  static String ofStranger(InetAddress from) {
    return from instanceof Inet6Address
        ? "net " + Arrays.toString(Arrays.copyOf(from.getAddress(), NETWORK_BYTES)) : of(from);
  }
}
