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
package org.hdfsppr.manage;

import java.net.InetSocketAddress;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.net.NetUtils;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.conf.SettingsReader;

/** Finds the address on which the repair manager of a NameNode listens. */
@InterfaceAudience.Private
public final class ManagerAddress {
  private ManagerAddress() {
  }

  /**
   * Reads the address that is configured for the manager of a NameNode. The method takes the first
   * of these keys that is set: the key with the suffixes of nameservice and NameNode, the key with
   * the suffix of the nameservice, the plain key.
   *
   * @param nameserviceId id of the nameservice, or null without nameservices
   * @param namenodeId id of the NameNode in its nameservice, or null
   * @param conf the configuration of the daemon
   * @return the address to listen on; the default address if none is configured
   * @throws IllegalArgumentException naming the key and its value, if the value is no address
   */
  public static InetSocketAddress configured(Configuration conf, String nameserviceId,
      String namenodeId) {
    String key = PprKeys.NAMENODE_RPC_ADDRESS_KEY;
    boolean hasNameservice = nameserviceId != null && !nameserviceId.isEmpty();
    if (hasNameservice) {
      String ofNameservice = key + "." + nameserviceId;
      if (namenodeId != null && conf.getTrimmed(ofNameservice + "." + namenodeId) != null) {
        key = ofNameservice + "." + namenodeId;
      } else if (conf.getTrimmed(ofNameservice) != null) {
        key = ofNameservice;
      }
    }
    return new SettingsReader(conf).address(key, PprKeys.NAMENODE_RPC_ADDRESS_DEFAULT);
  }

  /**
   * Finds the address at which a DataNode reaches the manager of a NameNode. If the configured
   * address stands for all interfaces, the result has the host of the NameNode.
   *
   * @param namenode RPC address of the NameNode
   * @param conf the configuration of the daemon
   * @param nameserviceId id of the nameservice, or null without nameservices
   * @param namenodeId id of the NameNode in its nameservice, or null
   * @return the address to connect to
   * @throws IllegalArgumentException naming the key and its value, if the value is no address
   */
  public static InetSocketAddress of(Configuration conf, String nameserviceId, String namenodeId,
      InetSocketAddress namenode) {
    InetSocketAddress configured = configured(conf, nameserviceId, namenodeId);
    boolean anyHost = !configured.isUnresolved() && configured.getAddress().isAnyLocalAddress();
    return NetUtils.createSocketAddrForHost(
        anyHost ? namenode.getHostString() : configured.getHostString(), configured.getPort());
  }

  /**
   * Finds the address at which a NameNode reaches the manager of another NameNode of its
   * nameservice. If the key without a NameNode's id is set, each NameNode may have its own host in
   * it, as the address to listen on. This method therefore takes only the port from that key, and
   * the host from the other NameNode's RPC address. With the host from the key, a NameNode could
   * call its own manager, and take the answers for those of the other NameNode.
   *
   * @param conf the configuration of this NameNode
   * @param nameserviceId id of the nameservice
   * @param otherId id of the other NameNode
   * @param own RPC address of this NameNode
   * @param other RPC address of the other NameNode
   * @return the address to connect to
   * @throws IllegalArgumentException naming the key and its value, if the value is no address;
   *     naming the key to set, if both NameNodes are on one host and the other one has no key of
   *     its own
   */
  public static InetSocketAddress ofOther(Configuration conf, String nameserviceId, String otherId,
      InetSocketAddress own, InetSocketAddress other) {
    String key = PprKeys.NAMENODE_RPC_ADDRESS_KEY + "." + nameserviceId + "." + otherId;
    if (conf.getTrimmed(key) != null) {
      return of(conf, nameserviceId, otherId, other);
    }
    int port = configured(conf, nameserviceId, otherId).getPort();
    if (other.getHostString().equals(own.getHostString())) {
      // On one host, each manager has a port of its own. The port in this configuration may be that
      // of this NameNode.
      throw new IllegalArgumentException("NameNodes share the host " + own.getHostString()
          + ", so that this one cannot find the manager of " + otherId + " at port " + port
          + ": set " + key);
    }
    return NetUtils.createSocketAddrForHost(other.getHostString(), port);
  }
}
