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

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.hdfsppr.conf.PprKeys;

/**
 * Computes the settings that the harness gives to daemons. The settings of
 * {@link ClusterSpec#conf} override them.
 */
final class DaemonSettings {
  static final int NAMENODE_RPC_PORT = 8020;
  static final int NAMENODE_HTTP_PORT = 9870;
  static final int DATANODE_HTTP_PORT = 9864;
  static final int JOURNALNODE_HTTP_PORT = 8480;
  private static final int JOURNALNODE_RPC_PORT = 8485;
  private static final int DATANODE_PORT = 9866;
  private static final int DATANODE_IPC_PORT = 9867;
  /** The port at which the plugin of a DataNode serves repairs. */
  static final int REPAIR_PORT = 9877;

  private static final String PLUGIN_CLASS = "org.hdfsppr.datanode.PprDataNodePlugin";
  private static final String NAMENODE_PLUGIN_CLASS =
      "org.hdfsppr.namenode.PprNameNodePlugin";
  private static final String NAMENODE_PLUGIN_ADDRESS_KEY = "dfs.namenode.ppr.rpc-address";
  private static final int NAMENODE_PLUGIN_PORT = 9878;

  /**
   * A client closes a connection that was idle for this time, in ms. A NameNode takes longer to
   * start.
   */
  private static final int CONNECTION_IDLE_MS_MOST = 500;

  private final ClusterSpec spec;
  private final Network network;
  private final Path home;

  DaemonSettings(ClusterSpec spec, Network network, Path home) {
    this.spec = spec;
    this.network = network;
    this.home = home;
  }

  /**
   * Returns the settings of a client in this process. Tests kill NameNodes and start them again at
   * the same address. Hadoop's clients share connections, notice only on the next call that a
   * connection is broken, and do not repeat every call that fails. So this client closes idle
   * connections before a restarted NameNode can answer.
   */
  Configuration forThisProcess() {
    Configuration conf = new Configuration();
    core().forEach(conf::set);
    conf.setInt(CommonConfigurationKeysPublic.IPC_CLIENT_CONNECTION_MAXIDLETIME_KEY,
        CONNECTION_IDLE_MS_MOST);
    common().forEach(conf::set);
    return conf;
  }

  Map<String, String> core() {
    Map<String, String> core = new TreeMap<>();
    core.put("fs.defaultFS",
        "hdfs://" + (spec.ha ? nameService() : rpcAddress(Master.nameNodes(spec).get(0))));
    core.put("hadoop.tmp.dir", home.resolve("tmp").toString());
    return core;
  }

  /** Returns the settings that clients and all daemons share. */
  Map<String, String> common() {
    Map<String, String> hdfs = new TreeMap<>();
    if (spec.ha) {
      addNameService(hdfs);
    } else {
      Master only = Master.nameNodes(spec).get(0);
      hdfs.put("dfs.namenode.rpc-address", rpcAddress(only));
      hdfs.put("dfs.namenode.http-address", httpAddress(only));
    }
    hdfs.put("dfs.permissions.enabled", "false");
    hdfs.put("dfs.namenode.fs-limits.min-block-size", "4096");
    hdfs.putAll(spec.conf);
    return hdfs;
  }

  /** Returns the nameservice id of the two NameNodes. */
  String nameService() {
    return spec.name;
  }

  String rpcAddress(Master nameNode) {
    return network.masterAddress(nameNode) + ":" + NAMENODE_RPC_PORT;
  }

  String httpAddress(Master nameNode) {
    return network.masterAddress(nameNode) + ":" + NAMENODE_HTTP_PORT;
  }

  private void addNameService(Map<String, String> hdfs) {
    String service = nameService();
    List<Master> nameNodes = Master.nameNodes(spec);
    hdfs.put("dfs.nameservices", service);
    hdfs.put("dfs.ha.namenodes." + service,
        nameNodes.stream().map(master -> master.name).collect(Collectors.joining(",")));
    for (Master nameNode : nameNodes) {
      String suffix = "." + service + "." + nameNode.name;
      hdfs.put("dfs.namenode.rpc-address" + suffix, rpcAddress(nameNode));
      hdfs.put("dfs.namenode.http-address" + suffix, httpAddress(nameNode));
    }
    hdfs.put("dfs.namenode.shared.edits.dir", Master.journalNodes(spec).stream()
        .map(journal -> network.masterAddress(journal) + ":" + JOURNALNODE_RPC_PORT)
        .collect(Collectors.joining(";", "qjournal://", "/" + service)));
    hdfs.put("dfs.client.failover.proxy.provider." + service,
        "org.apache.hadoop.hdfs.server.namenode.ha.ConfiguredFailoverProxyProvider");
    // Only tests and users of cluster.sh switch the active NameNode. The JournalNodes make sure
    // that only one NameNode writes the edits.
    hdfs.put("dfs.ha.automatic-failover.enabled", "false");
    hdfs.put("dfs.ha.fencing.methods", "shell(/bin/true)");
  }

  /** Returns the file that lists the addresses of the DataNodes that the NameNode decommissions. */
  Path excludeFile() {
    return home.resolve("exclude");
  }

  Map<String, String> journalNode(Master journal) {
    Map<String, String> hdfs = new TreeMap<>();
    hdfs.put("dfs.journalnode.edits.dir", home.resolve(journal.name + "/edits").toString());
    String address = network.masterAddress(journal);
    hdfs.put("dfs.journalnode.rpc-address", address + ":" + JOURNALNODE_RPC_PORT);
    hdfs.put("dfs.journalnode.http-address", address + ":" + JOURNALNODE_HTTP_PORT);
    hdfs.putAll(common());
    return hdfs;
  }

  Map<String, String> nameNode(Master nameNode) {
    Map<String, String> hdfs = new TreeMap<>();
    hdfs.put("dfs.namenode.name.dir", "file://" + home.resolve(nameNode.name + "/name"));
    if (spec.ha) {
      hdfs.put("dfs.ha.namenode.id", nameNode.name);
      // The standby NameNode reads the new edits every second, so it is never far behind.
      hdfs.put("dfs.ha.tail-edits.period", "1");
      hdfs.put("dfs.ha.log-roll.period", "5");
    }
    if (spec.nameNodePlugin) {
      hdfs.put("dfs.namenode.plugins", NAMENODE_PLUGIN_CLASS);
      // The plugin binds the port at this NameNode's own address, because without namespaces all
      // NameNodes share the ports of this host.
      hdfs.put(NAMENODE_PLUGIN_ADDRESS_KEY,
          network.masterAddress(nameNode) + ":" + NAMENODE_PLUGIN_PORT);
    }
    hdfs.put("dfs.hosts.exclude", excludeFile().toString());
    // By default, a NameNode checks only every 30 s whether the decommissioning of a node is
    // complete.
    hdfs.put("dfs.namenode.decommission.interval", "1");
    // The addresses of this network have no host names.
    hdfs.put("dfs.namenode.datanode.registration.ip-hostname-check", "false");
    // A silent DataNode counts as dead after some 14 s instead of 10 minutes.
    hdfs.put("dfs.namenode.heartbeat.recheck-interval", "2000");
    hdfs.put("dfs.namenode.stale.datanode.interval", "4000");
    hdfs.put("dfs.heartbeat.interval", "1");
    hdfs.put("dfs.namenode.redundancy.interval.seconds", "1");
    // All DataNodes share the processors of this machine, so the load that a DataNode reports says
    // nothing about this DataNode.
    hdfs.put("dfs.namenode.redundancy.considerLoad", "false");
    hdfs.put("dfs.namenode.safemode.extension", "0");
    hdfs.put("dfs.namenode.handler.count", "8");
    hdfs.put("net.topology.node.switch.mapping.impl", "org.apache.hadoop.net.TableMapping");
    hdfs.put("net.topology.table.file.name", home.resolve("racks").toString());
    hdfs.putAll(common());
    return hdfs;
  }

  /** Returns the folder of a DataNode's update logs. */
  Path updateLogDir(int node) {
    return home.resolve("dn" + node).resolve("updates");
  }

  Map<String, String> dataNode(int node) {
    String address = network.nodeAddress(node);
    Map<String, String> hdfs = new TreeMap<>();
    hdfs.put(DFSConfigKeys.DFS_DATANODE_DATA_DIR_KEY, "file://" + home.resolve("dn" + node)
        .resolve("data"));
    hdfs.put("dfs.datanode.address", address + ":" + DATANODE_PORT);
    hdfs.put("dfs.datanode.ipc.address", address + ":" + DATANODE_IPC_PORT);
    hdfs.put("dfs.datanode.http.address", address + ":" + DATANODE_HTTP_PORT);
    hdfs.put("dfs.datanode.hostname", address);
    hdfs.put("dfs.heartbeat.interval", "1");
    hdfs.put("dfs.datanode.handler.count", "4");
    hdfs.put("dfs.datanode.max.transfer.threads", "512");
    // The directory scanner and the block scanner are off, because their disk reads would disturb
    // measurements.
    hdfs.put("dfs.datanode.directoryscan.interval", "-1");
    hdfs.put("dfs.block.scanner.volume.bytes.per.second", "0");
    if (spec.plugin) {
      hdfs.put("dfs.datanode.plugins", PLUGIN_CLASS);
      // The plugin binds the port at this node's own address, because without namespaces all nodes
      // share the ports of this host.
      hdfs.put("dfs.datanode.ppr.address", address + ":" + REPAIR_PORT);
      if (spec.conf.containsKey(PprKeys.DATANODE_UPDATE_LOG_BYTES_KEY)) {
        // Nodes keep logs of updates if a cluster says how long these may be.
        hdfs.put(PprKeys.DATANODE_UPDATE_LOG_DIR_KEY, updateLogDir(node).toString());
      }
    }
    hdfs.putAll(network.nodeSettings(node));
    hdfs.putAll(common());
    return hdfs;
  }
}
