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

/** Where the repair manager of a NameNode listens, and is found. */
@InterfaceAudience.Private
public final class ManagerAddress {
  private ManagerAddress() {
  }

  /**
   * What is configured for a NameNode: with the suffixes of its nameservice and its own, with the
   * nameservice's, or without.
   *
   * @param nameserviceId or null
   * @param namenodeId or null
   * @throws IllegalArgumentException naming the key and its value if that is no address
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
   * Where a DataNode finds the manager of a NameNode.
   *
   * @param namenode its RPC address
   */
  public static InetSocketAddress of(Configuration conf, String nameserviceId, String namenodeId,
      InetSocketAddress namenode) {
    InetSocketAddress configured = configured(conf, nameserviceId, namenodeId);
    boolean anyHost = !configured.isUnresolved() && configured.getAddress().isAnyLocalAddress();
    return NetUtils.createSocketAddrForHost(
        anyHost ? namenode.getHostString() : configured.getHostString(), configured.getPort());
  }
}
