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
package org.hdfsppr.client.plugin;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSUtil;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.hdfs.HAUtilClient;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.hdfsppr.manage.ManagerAddress;

/** Finds the NameNodes of a file system, and their plugins, in a client's configuration. */
@InterfaceAudience.Private
public final class PluginAddresses {
  private PluginAddresses() {
  }

  /**
   * @param conf the client's configuration
   * @return the URI of the default file system
   * @throws IOException if that is not an HDFS
   */
  public static URI hdfs(Configuration conf) throws IOException {
    URI fileSystem = FileSystem.getDefaultUri(conf);
    if (!HdfsConstants.HDFS_URI_SCHEME.equals(fileSystem.getScheme())) {
      throw new IOException(CommonConfigurationKeysPublic.FS_DEFAULT_NAME_KEY + " is " + fileSystem
          + ", which is no HDFS; name the cluster with -fs hdfs://NAMESERVICE");
    }
    return fileSystem;
  }

  /**
   * @param conf the client's configuration
   * @param fileSystem the URI of the file system
   * @return the RPC addresses of the NameNodes, by their names in the configuration
   */
  public static Map<String, InetSocketAddress> nameNodes(Configuration conf, URI fileSystem) {
    Map<String, InetSocketAddress> addresses = new TreeMap<>();
    if (HAUtilClient.isLogicalUri(conf, fileSystem)) {
      addresses.putAll(DFSUtilClient.getHaNnRpcAddresses(conf)
          .getOrDefault(fileSystem.getHost(), Collections.emptyMap()));
    } else {
      addresses.put(fileSystem.getAuthority(), DFSUtilClient.getNNAddress(fileSystem));
    }
    return addresses;
  }

  /**
   * @param conf the client's configuration
   * @param fileSystem the URI of the file system
   * @param name the NameNode's name in the configuration
   * @param namenode the NameNode's RPC address
   * @return the address at which the NameNode's plugin listens; DataNodes find it in the same way
   */
  public static InetSocketAddress plugin(Configuration conf, URI fileSystem, String name,
      InetSocketAddress namenode) {
    return HAUtilClient.isLogicalUri(conf, fileSystem)
        ? ManagerAddress.of(conf, fileSystem.getHost(), name, namenode)
        : ManagerAddress.of(conf, DFSUtil.getNameServiceIdFromAddress(conf, namenode,
            DFSConfigKeys.DFS_NAMENODE_RPC_ADDRESS_KEY), null, namenode);
  }
}
