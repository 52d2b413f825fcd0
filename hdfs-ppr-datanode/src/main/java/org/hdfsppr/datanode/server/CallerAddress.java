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
import org.apache.hadoop.classification.InterfaceAudience;

/** What a caller counts as where callers have shares. */
@InterfaceAudience.Private
final class CallerAddress {
  /** Of an IPv6 address, what names a network. All addresses in it may be up to one machine. */
  private static final int NETWORK_BYTES = 8;
  /** All callers whose connection has ended already: nothing knows any more where it came from. */
  private static final String UNKNOWN = "unknown";

  private CallerAddress() {
  }

  /**
   * The address itself, for callers that have shown a right to ask: the DataNodes of a rack often
   * share a network.
   *
   * @param from where a connection comes from, or null if that is not known
   */
  static String of(InetAddress from) {
    return from == null ? UNKNOWN : from.getHostAddress();
  }

  /** The same for strangers, of which one machine may use all addresses of its network. */
  static String ofStranger(InetAddress from) {
    return from instanceof Inet6Address
        ? "net " + Arrays.toString(Arrays.copyOf(from.getAddress(), NETWORK_BYTES)) : of(from);
  }
}
