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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.security.UserGroupInformation;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.datanode.RepairCluster;
import org.hdfsppr.datanode.security.Kerberos;
import org.hdfsppr.manage.CommandTarget;
import org.hdfsppr.manage.RepairCommand;
import org.hdfsppr.manage.RepairOutcome;
import org.hdfsppr.manage.RepairResult;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.UnitHolder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A manager and DataNodes with Kerberos, and with SASL between the DataNodes. */
@Timeout(300)
class TestSecureCommandedRepair {
  private static final int CELL = 1 << 20;

  @TempDir
  private File directory;
  private final ScriptedManager manager = new ScriptedManager();

  @Test
  void aLostUnitComesBack() throws Exception {
    Kerberos kerberos = Kerberos.start(TestSecureCommandedRepair.class);
    try {
      Configuration conf =
          RepairCluster.configure(kerberos.configuration("privacy"), directory);
      conf.setInt(PprKeys.DATANODE_HEARTBEAT_MS_KEY, 100);
      conf.setInt(DFSConfigKeys.DFS_NAMENODE_REDUNDANCY_INTERVAL_SECONDS_KEY, 3600);
      conf.set(PprKeys.NAMENODE_RPC_ADDRESS_KEY, "127.0.0.1:0");
      UserGroupInformation.setConfiguration(conf);
      UserGroupInformation.loginUserFromKeytab(
          conf.get(DFSConfigKeys.DFS_NAMENODE_KERBEROS_PRINCIPAL_KEY),
          conf.get(DFSConfigKeys.DFS_NAMENODE_KEYTAB_FILE_KEY));
      FSNamesystem[] namesystem = new FSNamesystem[1];
      try (RepairManagerServer server = RepairManagerServer.start(conf, null,
          (uuid, address) -> isLive(namesystem[0], uuid, address), manager)) {
        conf.set(PprKeys.NAMENODE_RPC_ADDRESS_KEY, "127.0.0.1:" + server.address().getPort());
        try (RepairCluster cluster = RepairCluster.start(conf, 6)) {
          namesystem[0] = cluster.mini().getNamesystem();
          manager.manage(namesystem[0].getBlockPoolId());
          RepairCluster.await("all DataNodes have sent heartbeats", () -> manager.nodes() == 6);
          repair(cluster);
        }
      }
    } finally {
      kerberos.stop();
    }
  }

  /** Returns what the NameNode plugin asks the NameNode about a DataNode. */
  private static boolean isLive(FSNamesystem namesystem, String uuid, String address) {
    if (namesystem == null) {
      return false;
    }
    DatanodeDescriptor node =
        namesystem.getBlockManager().getDatanodeManager().getDatanode(uuid);
    return node != null && node.isAlive() && node.getIpAddr().equals(address);
  }

  private void repair(RepairCluster cluster) throws Exception {
    Path file = new Path(cluster.directory("/ec", "RS-3-2-1024k"), "file");
    byte[] data = cluster.write(file, 6 * CELL, 2L * CELL, 5);
    cluster.awaitUnits(file, 5);
    LocatedStripedBlock group = cluster.groups(file).get(0);
    Map<Integer, DatanodeInfo> holders = RepairCluster.holders(group);
    NodeRef free = null;
    for (DataNode datanode : cluster.mini().getDataNodes()) {
      if (holders.values().stream().noneMatch(
          holder -> holder.getDatanodeUuid().equals(datanode.getDatanodeUuid()))) {
        free = node(datanode.getDatanodeUuid());
      }
    }
    RepairCluster.drop(cluster.datanode(holders.get(0)), RepairCluster.internalBlock(group, 0));
    holders.remove(0);
    List<UnitHolder> live = new ArrayList<>();
    holders.forEach((unit, holder) -> live.add(new UnitHolder(unit,
        node(holder.getDatanodeUuid()))));
    ExtendedBlock block = group.getBlock();
    manager.order(free.uuid, new RepairCommand(RepairCommand.of("r", 1,
        new GroupId(block.getBlockPoolId(), block.getBlockId(), block.getGenerationStamp()),
        group.getBlockSize()).setCodec("rs").setDataUnits(3).setParityUnits(2).setCellBytes(CELL)
        .setTopology("chain").setDeadlineMs(100_000), List.of(), live,
        Collections.singletonList(new CommandTarget(0, free, "", StorageType.DISK))));
    RepairCluster.await("a result", () -> manager.result("r") != null);
    RepairResult result = manager.result("r");
    assertEquals(RepairOutcome.REBUILT, result.outcome, result.toString());
    cluster.awaitUnits(file, 5);
    assertTrue(cluster.hasContent(file, data), "the file has its bytes");
  }

  private NodeRef node(String uuid) {
    NodeRef heard = manager.last(uuid).node;
    return new NodeRef(heard.uuid, heard.ipAddr, heard.hostName, heard.xferPort,
        heard.repairPort, "/default-rack");
  }
}
