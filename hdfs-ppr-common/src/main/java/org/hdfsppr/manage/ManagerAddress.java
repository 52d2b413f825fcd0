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
   * Reads the address that is configured for a NameNode. The key with the suffixes of nameservice
   * and NameNode comes first, then the key with the suffix of the nameservice, then the plain key.
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
   * Finds the address at which a DataNode reaches the manager of a NameNode. If the manager is
   * configured to listen on all interfaces, the address has the host of the NameNode.
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
   * nameservice. A key without the id of a NameNode may have this NameNode's own host on each of
   * them, as the address to listen on. It says the port then, and nothing about the other one's
   * host: a NameNode that believed it would take its own answers for those of the other one.
   *
   * @param conf the configuration of this NameNode
   * @param nameserviceId id of the nameservice
   * @param otherId id of the other NameNode
   * @param own RPC address of this NameNode
   * @param other RPC address of the other NameNode
   * @return the address to connect to
   * @throws IllegalArgumentException naming the key and its value, if the value is no address, or
   *     if it is this NameNode's own one
   */
  public static InetSocketAddress ofOther(Configuration conf, String nameserviceId, String otherId,
      InetSocketAddress own, InetSocketAddress other) {
    String key = PprKeys.NAMENODE_RPC_ADDRESS_KEY + "." + nameserviceId + "." + otherId;
    if (conf.getTrimmed(key) != null) {
      return of(conf, nameserviceId, otherId, other);
    }
    int port = configured(conf, nameserviceId, otherId).getPort();
    if (other.getHostString().equals(own.getHostString())) {
      // Each of them has a port of its own, and this configuration may have this NameNode's.
      throw new IllegalArgumentException("NameNodes share the host " + own.getHostString()
          + ", so that this one cannot find the manager of " + otherId + " at port " + port
          + ": set " + key);
    }
    return NetUtils.createSocketAddrForHost(other.getHostString(), port);
  }
}
