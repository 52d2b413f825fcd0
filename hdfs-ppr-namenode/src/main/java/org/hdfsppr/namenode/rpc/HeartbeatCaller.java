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
package org.hdfsppr.namenode.rpc;

import java.net.InetAddress;
import java.util.Objects;
import org.apache.hadoop.classification.InterfaceAudience;

/** The sender of a heartbeat, as authenticated by the connection. Immutable. */
@InterfaceAudience.Private
public final class HeartbeatCaller {
  /** Full name of the user: with Kerberos, the principal */
  public final String user;
  /** The address from which the call comes */
  public final InetAddress address;

  /**
   * Makes the sender of a heartbeat.
   *
   * @param user full name of the user: with Kerberos, the principal
   * @param address the address from which the call comes
   */
  public HeartbeatCaller(String user, InetAddress address) {
    this.user = Objects.requireNonNull(user, "user");
    this.address = Objects.requireNonNull(address, "address");
  }

  @Override
  public String toString() {
    return user + " at " + address.getHostAddress();
  }
}
