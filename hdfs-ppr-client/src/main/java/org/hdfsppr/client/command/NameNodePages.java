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
package org.hdfsppr.client.command;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ha.HAServiceProtocol.HAServiceState;
import org.apache.hadoop.hdfs.DFSUtil;
import org.apache.hadoop.hdfs.NameNodeProxiesClient;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.security.UserGroupInformation;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The documents of hdfs-ppr on the web server of the active NameNode. Finds that server as {@code
 * hdfs fsck} does, by the client's configuration. Unlike Hadoop's {@code getAddressOfActive} it
 * asks each NameNode once, so that a command ends soon where no NameNode is active.
 */
@InterfaceAudience.Private
final class NameNodePages {
  private static final Logger LOG = LoggerFactory.getLogger(NameNodePages.class);
  /** The folder of hdfs-ppr on the NameNode's web server. */
  private static final String FOLDER = "/ppr";

  private final NameNodes nameNodes;
  private final PageConnection connection;

  private NameNodePages(NameNodes nameNodes, PageConnection connection) {
    this.nameNodes = nameNodes;
    this.connection = connection;
  }

  /**
   * Makes a reader of the documents of the configuration's default file system.
   *
   * @throws IOException if the default file system is not an HDFS
   */
  static NameNodePages of(Configuration conf) throws IOException {
    NameNodes nameNodes = NameNodes.of(conf);
    return new NameNodePages(nameNodes, new PageConnection(nameNodes.conf));
  }

  /**
   * Reads a document of the active NameNode. If no NameNode is active, reads it from the first
   * NameNode that has it, and the result says so.
   *
   * @param path the path below the folder of hdfs-ppr, such as {@code /v1/status}
   * @throws IOException if no NameNode has the document; the message is a sentence
   */
  NameNodePage read(String path) throws IOException {
    Map<String, InetSocketAddress> addresses = nameNodes.addresses();
    if (addresses.isEmpty()) {
      throw new IOException("The configuration names no NameNode of the default file system"
          + " (dfs.ha.namenodes)");
    }
    if (addresses.size() == 1) {
      return new NameNodePage(connection.read(server(addresses.values().iterator().next()),
          FOLDER + path), null);
    }
    for (Map.Entry<String, InetSocketAddress> one : addresses.entrySet()) {
      if (isActive(one.getKey(), one.getValue())) {
        return new NameNodePage(connection.read(server(one.getValue()), FOLDER + path), null);
      }
    }
    return readOfAny(path);
  }

  private NameNodePage readOfAny(String path) throws IOException {
    List<String> failures = new ArrayList<>();
    IOException last = null;
    for (Map.Entry<String, InetSocketAddress> one : nameNodes.addresses().entrySet()) {
      try {
        return new NameNodePage(connection.read(server(one.getValue()), FOLDER + path),
            "No NameNode is active (" + String.join(", ", nameNodes.addresses().keySet())
                + "): this is what " + one.getKey() + " knows. Make one active: hdfs haadmin"
                + " -getAllServiceState");
      } catch (IOException e) {
        failures.add(one.getKey() + ": " + e.getMessage());
        last = e;
      }
    }
    throw new IOException("No NameNode is active. " + String.join("; ", failures), last);
  }

  private String server(InetSocketAddress rpcAddress) throws IOException {
    return DFSUtil.getInfoServer(rpcAddress, nameNodes.conf,
        DFSUtil.getHttpClientScheme(nameNodes.conf)).toString();
  }

  private boolean isActive(String name, InetSocketAddress address) {
    try {
      ClientProtocol nameNode = NameNodeProxiesClient.createNonHAProxyWithClientProtocol(address,
          nameNodes.conf, UserGroupInformation.getCurrentUser(), false, new AtomicBoolean());
      try {
        return nameNode.getHAServiceState() == HAServiceState.ACTIVE;
      } finally {
        RPC.stopProxy(nameNode);
      }
    } catch (IOException | RuntimeException e) {
      // Hadoop wraps an unknown host in a RuntimeException. Another NameNode may answer. If none
      // does, reading the page fails with a sentence.
      LOG.debug("{} at {} does not say whether it is active", name, address, e);
      return false;
    }
  }
}
