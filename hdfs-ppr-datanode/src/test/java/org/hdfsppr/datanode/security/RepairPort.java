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

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.erasurecode.ErasureCodingWorker;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.metrics2.MetricsRecordBuilder;
import org.apache.hadoop.test.GenericTestUtils;
import org.apache.hadoop.test.MetricsAsserts;
import org.hdfsppr.datanode.PprDataNodePlugin;
import org.hdfsppr.datanode.RepairCluster;
import org.hdfsppr.datanode.repair.DataNodeExtension;
import org.hdfsppr.datanode.repair.RepairService;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.stream.NodeMemory;
import org.slf4j.LoggerFactory;

/**
 * The plugin of one DataNode as a test sees it from outside: its port, its counters, and its
 * threads and sockets.
 */
@InterfaceAudience.Private
final class RepairPort {
  private static final String LISTEN = "0A";

  final DataNode datanode;
  final PprDataNodePlugin plugin;

  private RepairPort(DataNode datanode, PprDataNodePlugin plugin) {
    this.datanode = datanode;
    this.plugin = plugin;
  }

  /** Returns the plugin that {@code datanode} has loaded from its configuration. */
  static RepairPort of(DataNode datanode) {
    for (Object each : (List<?>) field(DataNode.class, datanode, "plugins")) {
      if (each instanceof PprDataNodePlugin) {
        return new RepairPort(datanode, (PprDataNodePlugin) each);
      }
    }
    throw new IllegalArgumentException(datanode + " has no plugin");
  }

  /**
   * Reads a private field, because a method that only tests need does not belong in the product.
   */
  static Object field(Class<?> owner, Object object, String name) {
    try {
      Field field = owner.getDeclaredField(name);
      field.setAccessible(true);
      return field.get(object);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(owner + "." + name, e);
    }
  }

  private RepairService service() {
    return (RepairService) field(PprDataNodePlugin.class, plugin, "service");
  }

  boolean isRunning() {
    return service() != null;
  }

  int port() {
    return service().port();
  }

  /** Returns the threads of the plugin's transfer server. */
  ThreadPoolExecutor handlers() {
    Object server = field(RepairService.class, service(), "server");
    return (ThreadPoolExecutor) field(server.getClass(), server, "threads");
  }

  /** Returns this node as a plan names it. */
  NodeRef node() {
    return node(port());
  }

  /** Returns the same node with another server that listens for it. */
  NodeRef node(int repairPort) {
    return new NodeRef(datanode.getDatanodeUuid(), "127.0.0.1", "localhost",
        datanode.getXferPort(), repairPort, "/default-rack");
  }

  /**
   * Makes the other DataNodes of this JVM use {@code repairPort} as the port of this one.
   *
   * @param repairPort a port, or 0 for a node without the extension
   */
  void pretendAt(int repairPort) {
    try {
      Map<Integer, Integer> ports = ports();
      if (repairPort == 0) {
        ports.remove(datanode.getXferPort());
      } else {
        ports.put(datanode.getXferPort(), repairPort);
      }
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  @SuppressWarnings("unchecked")
  private static Map<Integer, Integer> ports() throws ReflectiveOperationException {
    return (Map<Integer, Integer>) field(
        Class.forName("org.hdfsppr.stream.LocalServers"), null, "PORTS");
  }

  private MetricsRecordBuilder metrics() {
    return MetricsAsserts.getMetrics(source());
  }

  /** Returns the name of the plugin's metrics source. */
  String source() {
    return "PprDataNode-" + datanode.getDisplayName().replace(':', '-');
  }

  long counter(String name) {
    return MetricsAsserts.getLongCounterWithoutCheck(name, metrics());
  }

  /** Returns the sum of a counter over the DataNodes of a cluster that run the plugin. */
  static long sum(RepairCluster cluster, String name) {
    long sum = 0;
    for (DataNode datanode : cluster.mini().getDataNodes()) {
      RepairPort port = of(datanode);
      sum += port.isRunning() ? port.counter(name) : 0;
    }
    return sum;
  }

  /** Returns how many reconstructions this DataNode has done, by the plugin or by stock. */
  long reconstructions() {
    return MetricsAsserts.getLongCounter("EcReconstructionTasks",
        MetricsAsserts.getMetrics(datanode.getMetrics().name()));
  }

  long rejected(String reason) {
    return counter("HelperRequestsRejected" + reason);
  }

  long buffersInUse() {
    return MetricsAsserts.getLongGauge("BuffersInUseBytes", metrics());
  }

  int helpersInFlight() {
    return MetricsAsserts.getIntGauge("HelpersInFlight", metrics());
  }

  /** Starts the plugin and returns its log lines. */
  String startAndListen() {
    GenericTestUtils.LogCapturer log = GenericTestUtils.LogCapturer.captureLogs(
        LoggerFactory.getLogger(PprDataNodePlugin.class));
    try {
      plugin.start(datanode);
      return log.getOutput();
    } finally {
      log.stopCapturing();
    }
  }

  /** Returns whether reconstruction tasks go through the plugin. */
  boolean isTakenOver() {
    Object pool = field(ErasureCodingWorker.class, datanode.getErasureCodingWorker(),
        "stripedReconstructionPool");
    return pool.getClass() != ThreadPoolExecutor.class;
  }

  private Object peers() {
    Object base = field(RepairService.class, service(), "base");
    Object context = field(DataNodeExtension.Base.class, base, "context");
    return field(context.getClass(), context, "peers");
  }

  /** Returns the executors of the plugin; after its stop a test asks whether they have ended. */
  List<ExecutorService> executors() {
    List<ExecutorService> executors = new ArrayList<>();
    Object lead = field(RepairService.class, service(), "lead");
    for (Object owner : List.of(field(RepairService.class, service(), "server"),
        field(lead.getClass(), lead, "jobs"), peers())) {
      for (Field field : owner.getClass().getDeclaredFields()) {
        if (ExecutorService.class.isAssignableFrom(field.getType())) {
          executors.add((ExecutorService) field(owner.getClass(), owner, field.getName()));
        }
      }
    }
    return executors;
  }

  /** Returns the memory for slices; a test looks at it after the plugin's stop. */
  NodeMemory memory() {
    Object lead = field(RepairService.class, service(), "lead");
    Object context = field(lead.getClass(), lead, "context");
    return (NodeMemory) field(context.getClass(), context, "memory");
  }

  /** Returns the files of replicas that are being written, by the plugin or by stock. */
  List<File> unfinishedReplicas() {
    List<File> found = new ArrayList<>();
    try (FsDatasetSpi.FsVolumeReferences volumes =
        datanode.getFSDataset().getFsVolumeReferences()) {
      for (FsVolumeSpi volume : volumes) {
        for (String pool : volume.getBlockPoolList()) {
          File home = new File(new File(new File(volume.getBaseURI()), "current"), pool);
          addFiles(new File(home, "tmp"), found);
          addFiles(new File(new File(home, "current"), "rbw"), found);
        }
      }
      return found;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void addFiles(File directory, List<File> found) {
    File[] files = directory.listFiles();
    if (files != null) {
      found.addAll(Arrays.asList(files));
    }
  }

  /** Waits until nothing is left of the requests of unknown callers. */
  void awaitIdle() {
    RepairCluster.await("threads are free: " + busyThreads(), () -> busyThreads().isEmpty());
    RepairCluster.await("sockets of " + this + " are closed", () -> openSockets(port()) == 0);
    RepairCluster.await("buffers are back", () -> buffersInUse() == 0);
    RepairCluster.await("no helper request is in flight", () -> helpersInFlight() == 0);
  }

  /** Returns the names of threads that work for any plugin of this JVM. */
  static List<String> busyThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.startsWith("ppr-helper for") || name.startsWith("ppr-repair of"))
        .sorted()
        .collect(Collectors.toList());
  }

  /** Returns the threads that run code of the plugins, busy or idle. */
  static Set<Thread> threads() {
    Set<Thread> threads = new HashSet<>();
    Thread.getAllStackTraces().keySet().forEach(thread -> {
      if (thread.getName().startsWith("ppr-")) {
        threads.add(thread);
      }
    });
    return threads;
  }

  /** Returns the number of this process's open connections that came in on {@code port}. */
  static long openSockets(int port) {
    return sockets(port, false);
  }

  /** Returns whether this process listens on {@code port}. */
  static boolean listens(int port) {
    return sockets(port, true) > 0;
  }

  private static long sockets(int port, boolean listening) {
    try {
      return countSockets(port, listening);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static long countSockets(int port, boolean listening) throws IOException {
    Set<String> own = new HashSet<>();
    try (Stream<Path> descriptors = Files.list(Paths.get("/proc/self/fd"))) {
      descriptors.forEach(each -> {
        try {
          own.add(Files.readSymbolicLink(each).toString());
        } catch (IOException e) {
          // The descriptor was closed in the meantime, as is always the case for the descriptor of
          // the listing itself.
          own.remove(each.toString());
        }
      });
    }
    String suffix = String.format(":%04X", port);
    long count = 0;
    for (String table : new String[] {"/proc/self/net/tcp", "/proc/self/net/tcp6"}) {
      for (String line : Files.readAllLines(Paths.get(table))) {
        String[] columns = line.trim().split("\\s+");
        if (columns[1].endsWith(suffix) && listening == columns[3].equals(LISTEN)
            && own.contains("socket:[" + columns[9] + "]")) {
          count++;
        }
      }
    }
    return count;
  }

  @Override
  public String toString() {
    return datanode.getDisplayName();
  }
}
