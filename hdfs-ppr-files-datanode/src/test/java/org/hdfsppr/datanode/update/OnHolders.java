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
package org.hdfsppr.datanode.update;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.hdfsppr.datanode.RepairCluster;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** Has a cluster for a class of tests, and ends the holders of logs that each test starts. */
abstract class OnHolders {
  @TempDir
  static File directory;
  private static RepairCluster cluster;

  @TempDir
  Path logs;
  final List<HolderServer> servers = new ArrayList<>();

  @BeforeAll
  static void startCluster() throws IOException {
    Configuration conf = RepairCluster.configuration(directory);
    conf.unset("dfs.datanode.plugins");
    cluster = RepairCluster.start(conf, 1);
  }

  @AfterAll
  static void stopCluster() {
    cluster.close();
  }

  @AfterEach
  void stop() throws IOException {
    for (HolderServer server : servers) {
      server.close();
    }
    DefaultMetricsSystem.shutdown();
  }

  static DataNode datanode() {
    return cluster.mini().getDataNodes().get(0);
  }

  HolderServer start(String name) throws IOException {
    HolderServer server = HolderServer.start(name, logs, datanode());
    servers.add(server);
    return server;
  }
}
