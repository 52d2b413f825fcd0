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
package org.hdfsppr.datanode.security;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.DataNodeFaultInjector;
import org.apache.hadoop.test.GenericTestUtils;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.conf.RemovedKeys;
import org.hdfsppr.datanode.RepairCluster;
import org.hdfsppr.stream.NodeMemory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.LoggerFactory;

/**
 * Tests that the plugin can start and stop on a running DataNode, leaves nothing behind at any
 * stop, and does not start with invalid settings.
 */
class TestLifeCycle {
  private static final int CELL = 1 << 20;
  private static final int NODES = 6;
  /** Makes a repair of one unit take some seconds, in which a test can act. */
  private static final long SLOW_BYTES_PER_SECOND = 256 << 10;

  @TempDir
  private static File directory;
  private static RepairCluster cluster;
  private static Path dir;
  private static int files;

  @BeforeAll
  static void start() throws Exception {
    Configuration conf = RepairCluster.configuration(directory);
    conf.setLong("dfs.datanode.ec.reconstruct.read.bandwidthPerSec", SLOW_BYTES_PER_SECOND);
    conf.setInt(PprKeys.DATANODE_SLOW_PERCENT_KEY, 0);
    conf.setInt(PprKeys.DATANODE_STALL_TIMEOUT_MS_KEY, 3_000);
    cluster = RepairCluster.start(conf, NODES);
    dir = cluster.directory("/ec", "RS-3-2-1024k");
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  @AfterEach
  void startAll() {
    for (RepairPort port : ports()) {
      if (!port.isRunning()) {
        port.plugin.start(port.datanode);
      }
      assertTrue(port.isRunning(), port.toString());
    }
  }

  private static List<RepairPort> ports() {
    List<RepairPort> ports = new ArrayList<>();
    cluster.mini().getDataNodes().forEach(datanode -> ports.add(RepairPort.of(datanode)));
    return ports;
  }

  /** The resources of a running plugin. A test checks them after the plugin's stop. */
  private static final class Belongings {
    private final RepairPort port;
    private final int number;
    private final List<ExecutorService> executors;
    private final NodeMemory memory;

    Belongings(RepairPort port) {
      this.port = port;
      this.number = port.port();
      this.executors = port.executors();
      this.memory = port.memory();
      assertEquals(5, executors.size(), "pools and timers: " + executors);
      assertTrue(RepairPort.listens(number), "the port is open");
      assertTrue(hasBean(), "the plugin has an MBean");
      assertTrue(port.isTakenOver(), "the plugin gets the tasks");
    }

    void assertGone() {
      assertFalse(RepairPort.listens(number), "the plugin's port is closed");
      RepairCluster.await(
          "the plugin's connections end", () -> RepairPort.openSockets(number) == 0);
      for (ExecutorService executor : executors) {
        RepairCluster.await("threads end of " + executor, executor::isTerminated);
      }
      for (Thread thread : RepairPort.threads()) {
        assertFalse(thread.getName().equals("ppr-acceptor-" + number) && thread.isAlive(),
            thread.toString());
      }
      assertEquals(0, memory.usedBytes(), "bytes of buffers");
      assertFalse(hasBean(), "the plugin's MBean is gone");
      assertFalse(port.isTakenOver(), "stock gets the tasks");
      RepairCluster.await("transfers are accounted",
          () -> port.datanode.getXmitsInProgress() == 0);
    }

    private boolean hasBean() {
      try {
        return !ManagementFactory.getPlatformMBeanServer().queryNames(
            new ObjectName("Hadoop:service=DataNode,name=" + port.source()), null).isEmpty();
      } catch (MalformedObjectNameException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  @Test
  void startAndStopAgainAndAgain() {
    RepairPort port = ports().get(0);
    for (int i = 0; i < 5; i++) {
      Belongings belongings = new Belongings(port);
      port.plugin.stop();
      belongings.assertGone();
      port.plugin.stop();
      port.plugin.start(port.datanode);
    }
    Belongings last = new Belongings(port);
    port.plugin.start(port.datanode);
    assertTrue(port.isRunning(), "a second start without a stop changes nothing");
    port.plugin.stop();
    last.assertGone();
  }

  /** A running repair: its leader, and the bytes that it must rebuild. */
  private static final class Running {
    private final Path file;
    private final byte[] data;
    private final RepairPort destination;

    Running(Path file, byte[] data, RepairPort destination) {
      this.file = file;
      this.data = data;
      this.destination = destination;
    }

    void assertRepaired() throws IOException {
      cluster.awaitUnits(file, 5);
      assertTrue(cluster.hasContent(file, data), "the file has its bytes");
    }
  }

  private static Running slowRepair() throws IOException {
    Path file = new Path(dir, "file" + files++);
    byte[] data = cluster.write(file, 3 * CELL, 2L * CELL, files);
    cluster.awaitUnits(file, 5);
    Requests requests = new Requests(cluster, cluster.groups(file).get(0), CELL);
    requests.lose(0);
    List<RepairPort> leads = new ArrayList<>();
    RepairCluster.await("a repair is under way", () -> {
      for (RepairPort port : ports()) {
        if (port.isRunning() && !port.unfinishedReplicas().isEmpty()) {
          leads.add(port);
        }
      }
      return !leads.isEmpty();
    });
    return new Running(file, data, leads.get(0));
  }

  @Test
  void stopAsDestination() throws Exception {
    Running running = slowRepair();
    RepairPort port = running.destination;
    Belongings belongings = new Belongings(port);
    assertTrue(belongings.memory.usedBytes() > 0, "the repair uses buffers");
    long start = System.nanoTime();
    port.plugin.stop();
    long tookMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
    assertTrue(tookMs < 10_000, "stopped in " + tookMs + " ms");
    belongings.assertGone();
    assertEquals(new ArrayList<>(), port.unfinishedReplicas(), "unfinished replicas");
    for (RepairPort each : ports()) {
      if (each.isRunning()) {
        each.awaitIdle();
      }
    }
    // The NameNode schedules the repair again, on this node with stock or on another node with the
    // plugin.
    running.assertRepaired();
  }

  @Test
  void stopAsHelper() throws Exception {
    long fallbacksBefore = RepairPort.sum(cluster, "FallbacksOther")
        + RepairPort.sum(cluster, "FallbacksRepeatedFailure")
        + RepairPort.sum(cluster, "FallbacksTooFewHelpers");
    Running running = slowRepair();
    long succeededBefore = running.destination.counter("RepairsSucceeded");
    List<RepairPort> helpers = new ArrayList<>();
    RepairCluster.await("helpers help", () -> {
      ports().stream().filter(each -> each.helpersInFlight() > 0).forEach(helpers::add);
      return !helpers.isEmpty();
    });
    Belongings belongings = new Belongings(helpers.get(0));
    helpers.get(0).plugin.stop();
    belongings.assertGone();
    running.assertRepaired();
    RepairCluster.await("the leader went on without the helper",
        () -> running.destination.counter("RepairsSucceeded") == succeededBefore + 1);
    assertEquals(fallbacksBefore, RepairPort.sum(cluster, "FallbacksOther")
        + RepairPort.sum(cluster, "FallbacksRepeatedFailure")
        + RepairPort.sum(cluster, "FallbacksTooFewHelpers"), "left to stock");
  }

  /** The jar is deleted under a running DataNode. */
  @Test
  void classesThatAreGone() throws Exception {
    long otherBefore = RepairPort.sum(cluster, "FallbacksOther");
    AtomicInteger calls = new AtomicInteger();
    DataNodeFaultInjector before = DataNodeFaultInjector.get();
    DataNodeFaultInjector.set(new DataNodeFaultInjector() {
      @Override
      public void stripedBlockReconstruction() {
        if (calls.incrementAndGet() == 1) {
          throw new NoClassDefFoundError("org/hdfsppr/Gone (injected)");
        }
      }
    });
    try {
      Path file = new Path(dir, "gone");
      byte[] data = cluster.write(file, 3 * CELL, 2L * CELL, 77);
      cluster.awaitUnits(file, 5);
      new Requests(cluster, cluster.groups(file).get(0), CELL).lose(0);
      // Stock calls the injector for each buffer that it fills.
      RepairCluster.await("the plugin's attempt and stock's", () -> calls.get() > 1);
      cluster.awaitUnits(file, 5);
      assertTrue(cluster.hasContent(file, data), "the file has its bytes");
      assertEquals(otherBefore + 1, RepairPort.sum(cluster, "FallbacksOther"), "left to stock");
      for (DataNode datanode : cluster.mini().getDataNodes()) {
        RepairCluster.await("transfers are accounted", () -> datanode.getXmitsInProgress() == 0);
      }
    } finally {
      DataNodeFaultInjector.set(before);
    }
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
      PprKeys.DATANODE_REPAIR_THREADS_KEY + "|many|1 to",
      PprKeys.DATANODE_REPAIR_THREADS_KEY + "|0|1 to",
      PprKeys.DATANODE_HELPER_THREADS_KEY + "|1000000|1 to 4096",
      PprKeys.DATANODE_BUFFER_BYTES_KEY + "|1|1048576 to",
      PprKeys.DATANODE_CHUNK_CACHE_BYTES_KEY + "|-1|0 to",
      PprKeys.DATANODE_CHUNK_CACHE_BYTES_KEY + "|64|0 for none",
      PprKeys.DATANODE_STALL_TIMEOUT_MS_KEY + "|-1|1 to",
      PprKeys.DATANODE_STALL_TIMEOUT_MS_KEY + "|soon|1 to",
      PprKeys.DATANODE_REPAIR_THREADS_KEY + "|9999999999999999999|1 to 1024",
      PprKeys.DATANODE_SLOW_WINDOW_MS_KEY + "|1.5|100 to",
      PprKeys.DATANODE_SLOW_PERCENT_KEY + "|101|0 to 100",
      PprKeys.DATANODE_HEARTBEAT_MS_KEY + "|-1|0 to 3000",
      PprKeys.DATANODE_HEARTBEAT_MS_KEY + "|often|0 to 3000",
      PprKeys.NAMENODE_RPC_ADDRESS_KEY + "|somewhere|port",
      PprKeys.NAMENODE_RPC_ADDRESS_KEY + "|127.0.0.1:99999|port",
      PprKeys.PLAN_TOPOLOGY_KEY + "|circle|chain",
      PprKeys.VERIFY_KEY + "|maybe|sampled",
      PprKeys.KERNEL_KEY + "|abacus|java",
      PprKeys.DATANODE_ADDRESS_KEY + "|127.0.0.1|port",
      PprKeys.DATANODE_ADDRESS_KEY + "|127.0.0.1:99999|port",
      PprKeys.DATANODE_ADDRESS_KEY + "|no.such.host.invalid:9877|host",
      PprKeys.DATANODE_ADDRESS_KEY + "|192.0.2.1:0|address"})
  void wrongSettings(String key, String value, String allowed) {
    RepairPort port = ports().get(0);
    String before = port.datanode.getConf().get(key);
    port.plugin.stop();
    port.datanode.getConf().set(key, value);
    try {
      String said = port.startAndListen();
      assertFalse(port.isRunning(), "the plugin runs with " + key + "=" + value);
      assertFalse(port.isTakenOver(), "stock is in charge");
      String line = said.substring(0, Math.max(0, said.indexOf('\n')));
      assertTrue(line.contains("stock reconstruction stays in charge"), said);
      assertTrue(line.contains(key), "the key is in: " + line);
      assertTrue(line.contains(value), "the value is in: " + line);
      assertTrue(line.toLowerCase().contains(allowed), "the permitted values are in: " + line);
    } finally {
      if (before == null) {
        port.datanode.getConf().unset(key);
      } else {
        port.datanode.getConf().set(key, before);
      }
    }
  }

  /** A site file of before an upgrade keeps no DataNode from starting. */
  @Test
  void whatIsNoLongerReadIsSaidOnce() {
    RepairPort port = ports().get(0);
    port.plugin.stop();
    Configuration conf = port.datanode.getConf();
    conf.set("dfs.datanode.ppr.repair.attempts", "many");
    conf.set("dfs.namenode.ppr.rpc.handlers", "1");
    GenericTestUtils.LogCapturer log = GenericTestUtils.LogCapturer.captureLogs(
        LoggerFactory.getLogger(RemovedKeys.class));
    try {
      port.plugin.start(port.datanode);
      assertTrue(port.isRunning());
      String said = log.getOutput().trim();
      assertEquals(1, said.lines().count(), said);
      assertTrue(
          said.contains("dfs.datanode.ppr.repair.attempts is set and no longer read: "), said);
    } finally {
      log.stopCapturing();
      conf.unset("dfs.datanode.ppr.repair.attempts");
      conf.unset("dfs.namenode.ppr.rpc.handlers");
    }
  }

  @Test
  void portInUse() throws Exception {
    RepairPort port = ports().get(0);
    port.plugin.stop();
    try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      port.datanode.getConf().set(PprKeys.DATANODE_ADDRESS_KEY,
          "127.0.0.1:" + other.getLocalPort());
      String said = port.startAndListen();
      assertFalse(port.isRunning(), "the plugin does not run without a port");
      assertTrue(said.contains(":" + other.getLocalPort())
          && said.contains(PprKeys.DATANODE_ADDRESS_KEY), said);
    } finally {
      port.datanode.getConf().set(PprKeys.DATANODE_ADDRESS_KEY, "127.0.0.1:0");
    }
  }

  /** No node runs the plugin, and stock works as before. */
  @Test
  void stockGoesOn() throws Exception {
    for (RepairPort port : ports()) {
      port.plugin.stop();
      port.datanode.getConf().set(PprKeys.PLAN_TOPOLOGY_KEY, "circle");
      port.startAndListen();
      assertFalse(port.isRunning(), port.toString());
      port.datanode.getConf().unset(PprKeys.PLAN_TOPOLOGY_KEY);
    }
    Path file = new Path(dir, "stock");
    byte[] data = cluster.write(file, 3 * CELL, 2L * CELL, 78);
    cluster.awaitUnits(file, 5);
    long before = ports().stream().mapToLong(RepairPort::reconstructions).sum();
    new Requests(cluster, cluster.groups(file).get(0), CELL).lose(0);
    RepairCluster.await("stock's repair",
        () -> ports().stream().mapToLong(RepairPort::reconstructions).sum() > before);
    cluster.awaitUnits(file, 5);
    assertTrue(cluster.hasContent(file, data), "the file has its bytes");
  }
}
