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
package org.hdfsppr.it.demo;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import java.util.stream.LongStream;

import javax.management.Attribute;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

import org.hdfsppr.it.util.Await;

/**
 * Counts, for each DataNode of this JVM, how many bytes the node has received for repairs and how
 * many repairs it has led. The values are the counters of the node's worker. The kernel's counters
 * are useless for this, because the kernel counts the bytes of all nodes together on the loopback
 * interface.
 *
 * <p>Comparisons of two readings subtract node by node, and never subtract sums over all nodes.
 * When a node stops, its counters disappear, so a later sum would lack what this node did earlier.
 * If a node is only in the earlier reading, it counts as idle between the readings. If a node is
 * only in the later reading, it counts from 0.
 */
final class RepairCounters {

  /**
   * The longest wait for the counters. Hadoop refreshes the values that JMX shows every second or
   * two (hadoop-metrics2.properties).
   */
  private static final Duration SETTLE_LIMIT = Duration.ofSeconds(20);
  private static final Duration SETTLE_POLL = Duration.ofMillis(200);

  /** The MBeans and attributes that hold a worker's counters. */
  private enum Source {
    /**
     * The stock worker never holds a unit of the group that it repairs, so it reads all bytes from
     * other nodes. (Its counter EcReconstructionRemoteBytesRead is 0 in this JVM, because every
     * node has an address of this machine and counts as local.) The nodes that the stock worker
     * reads from receive nothing.
     */
    STOCK("DataNodeActivity-*", "EcReconstructionTasks", "EcReconstructionBytesRead"),

    /**
     * With the plugin, helpers receive bytes too. These counters do not include repairs that the
     * plugin left to the stock worker.
     */
    PLUGIN("PprDataNode-*", "RepairsSucceeded", "ReceivedFromChildrenBytes",
        "ReceivedByStockReadsBytes");

    private final String beans;
    private final String repairs;
    private final List<String> received;

    Source(String beans, String repairs, String... received) {
      this.beans = "Hadoop:service=DataNode,name=" + beans;
      this.repairs = repairs;
      this.received = List.of(received);
    }
  }

  private final Source source;
  private final Map<ObjectName, Long> received;
  private final Map<ObjectName, Long> repairs;

  private RepairCounters(Source source, Map<ObjectName, Long> received,
      Map<ObjectName, Long> repairs) {
    this.source = source;
    this.received = received;
    this.repairs = repairs;
  }

  /** Reads the present values of the worker's MBeans. */
  static RepairCounters read(Worker worker) throws IOException {
    return read(worker == Worker.STOCK ? Source.STOCK : Source.PLUGIN);
  }

  private static RepairCounters read(Source source) throws IOException {
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    Map<ObjectName, Long> received = new HashMap<>();
    Map<ObjectName, Long> repairs = new HashMap<>();
    try {
      for (ObjectName bean : server.queryNames(new ObjectName(source.beans), null)) {
        Map<String, Long> values = attributes(server, bean, source);
        repairs.put(bean, values.get(source.repairs));
        received.put(bean, source.received.stream().mapToLong(values::get).sum());
      }
    } catch (JMException e) {
      throw new IOException("The counters " + source.beans + " cannot be read", e);
    }
    return new RepairCounters(source, received, repairs);
  }

  /** Reads all attributes of a bean in one call, so that the values are of the same moment. */
  private static Map<String, Long> attributes(MBeanServer server, ObjectName bean, Source source)
      throws JMException {
    String[] names = Arrays.copyOf(source.received.toArray(new String[0]),
        source.received.size() + 1);
    names[source.received.size()] = source.repairs;
    Map<String, Long> values = new HashMap<>();
    for (Attribute attribute : server.getAttributes(bean, names).asList()) {
      values.put(attribute.getName(), ((Number) attribute.getValue()).longValue());
    }
    if (values.size() != names.length) {
      throw new JMException(bean + " lacks some of " + Arrays.toString(names));
    }
    return values;
  }

  /**
   * Waits until the counters show at least {@code count} more repairs than this reading, and
   * returns the new reading.
   */
  RepairCounters awaitMore(long count)
      throws IOException, InterruptedException, TimeoutException {
    RepairCounters[] latest = {read(source)};
    Await.until(() -> "this worker made " + count + " repairs; it counts "
        + latest[0].repairsSince(this) + " (" + source.repairs + " of " + source.beans + ")",
        SETTLE_LIMIT, SETTLE_POLL, () -> {
          latest[0] = read(source);
          return latest[0].repairsSince(this) >= count;
        });
    return latest[0];
  }

  /** Returns how many repairs the running nodes have led since {@code earlier}. */
  long repairsSince(RepairCounters earlier) {
    return more(repairs, earlier.repairs).sum();
  }

  /** Returns the largest number of bytes that a single node has received since {@code earlier}. */
  long busiestReceivedSince(RepairCounters earlier) {
    return more(received, earlier.received).max().orElse(0);
  }

  private static LongStream more(Map<ObjectName, Long> now, Map<ObjectName, Long> before) {
    return now.entrySet().stream()
        .mapToLong(entry -> entry.getValue() - before.getOrDefault(entry.getKey(), 0L));
  }
}
