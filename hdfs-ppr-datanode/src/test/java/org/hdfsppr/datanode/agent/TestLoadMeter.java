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
package org.hdfsppr.datanode.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.erasurecode.ErasureCodingWorkerAccess;
import org.hdfsppr.datanode.RepairCluster;
import org.hdfsppr.datanode.repair.RepairService;
import org.hdfsppr.manage.NodeLoad;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests the users' traffic that DataNodes report during repairs, with and without users. */
@InterfaceAudience.Private
@Timeout(600)
class TestLoadMeter {
  private static final int MIB = 1 << 20;
  private static final int DATA_UNITS = 3;
  private static final int UNITS = 5;
  private static final int UNIT_BYTES = 4 * MIB;
  private static final int SECONDS = 2;
  /**
   * Bytes per second. A throttler counts whole bytes in tenths of a second, so this divides evenly.
   */
  private static final int LIMIT = 1_000_000;

  @TempDir
  private File directory;

  private final AtomicLong nanos = new AtomicLong(1);
  private final Map<DataNode, RepairService> services = new LinkedHashMap<>();
  private final Map<DataNode, LoadMeter> meters = new LinkedHashMap<>();

  /** Starts DataNodes without the plugin; the test runs the plugin's parts itself. */
  private RepairCluster start() throws Exception {
    return start(RepairCluster.configuration(directory), UNITS + 1);
  }

  private RepairCluster start(Configuration conf, int nodes) throws Exception {
    conf.unset("dfs.datanode.plugins");
    RepairCluster cluster = RepairCluster.start(conf, nodes);
    for (DataNode datanode : cluster.mini().getDataNodes()) {
      RepairService service = RepairService.start(datanode);
      services.put(datanode, service);
      ErasureCodingWorkerAccess.install(datanode, service.taskHandler());
    }
    return cluster;
  }

  private void startMeters() {
    services.forEach((datanode, service) -> {
      LoadMeter meter = new LoadMeter(datanode, service, nanos::get);
      meter.load();
      meters.put(datanode, meter);
    });
  }

  /** Returns the traffic that all DataNodes report since the last call, some seconds ago. */
  private long[] users() {
    nanos.addAndGet(TimeUnit.SECONDS.toNanos(SECONDS));
    long[] sum = new long[2];
    for (LoadMeter meter : meters.values()) {
      NodeLoad load = meter.load();
      sum[0] += load.userReadBytesPerSecond * SECONDS;
      sum[1] += load.userWrittenBytesPerSecond * SECONDS;
    }
    return sum;
  }

  /**
   * Adds up reports until users have read this number of bytes. A DataNode counts a block's bytes
   * after it has sent them, and its reader may be faster.
   */
  private long[] usersUntilRead(long bytes) {
    long[] sum = new long[2];
    RepairCluster.await(bytes + " bytes that a client has read are counted", () -> {
      long[] more = users();
      sum[0] += more[0];
      sum[1] += more[1];
      return sum[0] >= bytes;
    });
    return sum;
  }

  private long repairsRead() {
    return services.values().stream().mapToLong(each -> each.traffic().bytesRead()).sum();
  }

  private long repairsWrote() {
    return services.values().stream().mapToLong(each -> each.traffic().bytesWritten()).sum();
  }

  private static void loseAndRepair(RepairCluster cluster, Path file) throws Exception {
    LocatedStripedBlock group = cluster.groups(file).get(0);
    DataNode holder = cluster.datanode(RepairCluster.holders(group).get(0));
    RepairCluster.drop(holder, RepairCluster.internalBlock(group, 0));
    cluster.report(group, 0);
    RepairCluster.await("the unit is rebuilt", () ->
        cluster.counter("RepairsSucceeded") > 0 && cluster.holds(file, 0));
    cluster.awaitQuiet();
  }

  private NodeLoad load(DataNode datanode) {
    nanos.addAndGet(TimeUnit.SECONDS.toNanos(SECONDS));
    return meters.get(datanode).load();
  }

  @Test
  void operatorsLimitsAreReportedAsTheyAre() throws Exception {
    Configuration conf = RepairCluster.configuration(directory);
    conf.setLong("dfs.datanode.ec.reconstruct.read.bandwidthPerSec", LIMIT);
    try (RepairCluster cluster = start(conf, 1)) {
      startMeters();
      DataNode datanode = cluster.mini().getDataNodes().get(0);
      assertEquals(LIMIT, load(datanode).readLimitBytesPerSecond);
      assertEquals(NodeLoad.UNLIMITED, load(datanode).writeLimitBytesPerSecond);
      datanode.getEcReconstuctReadThrottler().setBandwidth(2 * LIMIT);
      assertEquals(2 * LIMIT, load(datanode).readLimitBytesPerSecond);
      // The throttler rounds this rate down to zero bytes per period.
      datanode.getEcReconstuctReadThrottler().setBandwidth(1);
      assertEquals(1, load(datanode).readLimitBytesPerSecond);
    } finally {
      services.values().forEach(RepairService::stop);
    }
  }

  @Test
  void repairsAreNotUsersTraffic() throws Exception {
    try (RepairCluster cluster = start()) {
      Path file = new Path(cluster.directory("/ec", "RS-3-2-1024k"), "file");
      byte[] data = cluster.write(file, DATA_UNITS * UNIT_BYTES, UNIT_BYTES, 11);
      cluster.awaitUnits(file, UNITS);
      startMeters();

      loseAndRepair(cluster, file);
      long[] without = users();
      assertEquals(0, without[0], "bytes that users read while there were no users");
      assertEquals(0, without[1], "bytes that users wrote while there were no users");
      assertTrue(repairsRead() >= DATA_UNITS * UNIT_BYTES,
          "bytes that repairs have read: " + repairsRead());
      assertTrue(repairsWrote() >= UNIT_BYTES,
          "bytes that repairs have written: " + repairsWrote());
      // Each link of the tree carries one unit, and the destination receives one.
      long sent = services.values().stream().mapToLong(each -> each.traffic().bytesSent()).sum();
      long received =
          services.values().stream().mapToLong(each -> each.traffic().bytesReceived()).sum();
      assertTrue(received >= DATA_UNITS * (long) UNIT_BYTES && sent >= received,
          sent + " bytes sent and " + received + " received");

      assertTrue(cluster.hasContent(file, data), "the file has its bytes");
      long[] reader = usersUntilRead(data.length);
      assertEquals(0, reader[1], "bytes that users wrote while a user only read");

      cluster.write(new Path(file.getParent(), "other"), data.length, UNIT_BYTES, 12);
      long[] writer = users();
      assertTrue(writer[1] >= (long) data.length / DATA_UNITS * UNITS,
          "a client wrote " + data.length + " in units, reported are " + writer[1]);

      // Users and a repair read at the same time. The report must have all of the users' bytes, and
      // no others.
      Path third = new Path(file.getParent(), "third");
      cluster.write(third, data.length, UNIT_BYTES, 13);
      cluster.awaitUnits(third, UNITS);
      users();
      long before = repairsRead();
      assertTrue(cluster.hasContent(file, data), "the file has its bytes");
      long[] alone = usersUntilRead(data.length);
      loseAndRepair(cluster, third);
      assertTrue(cluster.hasContent(file, data), "the file has its bytes");
      long[] together = usersUntilRead(data.length);
      assertTrue(repairsRead() > before, "a repair has read from disks");
      assertTrue(Math.abs(together[0] - alone[0]) < UNITS * MIB / 8, "a read of the same file gave "
          + alone[0] + " without a repair and " + together[0] + " with one");
      assertEquals(0, together[1], "bytes that users wrote while a user only read");
    } finally {
      services.values().forEach(RepairService::stop);
    }
  }
}
