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
package org.hdfsppr.namenode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.test.GenericTestUtils;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.conf.RemovedKeys;
import org.hdfsppr.datanode.RepairCluster;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** Tests that a wrong setting leaves the NameNode to stock, and that the log has one sentence. */
@Timeout(120)
class TestWrongSettings {
  private static final String WRONG = "quickly";

  @TempDir
  File directory;

  @Test
  void eachLeavesTheNameNodeToStockAndIsOneSentence() throws Exception {
    Configuration conf = RepairCluster.configuration(directory);
    conf.unset("dfs.datanode.plugins");
    try (RepairCluster cluster = RepairCluster.start(conf, 1);
        ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      NameNode namenode = cluster.mini().getNameNode();
      Map<String, String> values = new LinkedHashMap<>();
      for (String key : new String[] {PprKeys.NAMENODE_SCRUB_RATE_KEY,
          PprKeys.NAMENODE_SCRUB_PATHS_KEY, PprKeys.NAMENODE_SCHEDULER_KEY,
          PprKeys.NAMENODE_CROSS_RACK_RATE_KEY,
          PprKeys.NAMENODE_LINK_RATE_KEY, PprKeys.REPAIR_DELAY_KEY, PprKeys.REPAIR_DELAY_SPARE_KEY,
          PprKeys.NAMENODE_IN_FLIGHT_KEY, PprKeys.NAMENODE_RPC_ADDRESS_KEY}) {
        values.put(key, WRONG);
      }
      values.forEach((key, value) -> WrongSettings.assertRefused(namenode, key, value));
      WrongSettings.assertRefused(namenode, PprKeys.NAMENODE_SCRUB_RATE_KEY, "1");
      WrongSettings.assertRefused(namenode, PprKeys.NAMENODE_RPC_ADDRESS_KEY,
          "127.0.0.1:" + taken.getLocalPort());
    }
  }

  /** A site file of before an upgrade keeps no NameNode from starting. */
  @Test
  void whatIsNoLongerReadIsSaidOnce() throws Exception {
    Configuration conf = RepairCluster.configuration(directory);
    conf.unset("dfs.datanode.plugins");
    try (RepairCluster cluster = RepairCluster.start(conf, 1);
        PprNameNodePlugin plugin = new PprNameNodePlugin()) {
      NameNode namenode = cluster.mini().getNameNode();
      namenode.getConf().set("dfs.namenode.ppr.rpc.handlers", WRONG);
      namenode.getConf().set("dfs.datanode.ppr.repair.attempts", WRONG);
      namenode.getConf().set(PprKeys.NAMENODE_COMMIT_STRATEGY_KEY, "parity-delta");
      GenericTestUtils.LogCapturer log = GenericTestUtils.LogCapturer.captureLogs(
          LoggerFactory.getLogger(RemovedKeys.class));
      try {
        plugin.start(namenode);
      } finally {
        log.stopCapturing();
      }
      assertTrue(plugin.port() > 0);
      String said = log.getOutput().trim();
      assertEquals(2, said.lines().count(), said);
      assertTrue(said.contains("dfs.namenode.ppr.rpc.handlers is set and no longer read: "), said);
      assertTrue(said.contains("commits use 'cau'"), said);
    }
  }
}
