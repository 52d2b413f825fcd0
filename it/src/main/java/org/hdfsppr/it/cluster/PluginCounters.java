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

import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeoutException;

import com.fasterxml.jackson.databind.JsonNode;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.it.util.Await;

/**
 * The counters of each DataNode's plugin, read while no repair was running.
 *
 * <p>JMX does not show the present values of the counters. Hadoop's MetricsSourceAdapter makes a
 * snapshot for one caller, and shows the same snapshot to all callers for
 * {@link DaemonFiles#METRICS_PERIOD}. A gauge may therefore show no running repair because the
 * snapshot is older than the repair. The adapter also copies one counter after the other, so a
 * counter in a snapshot may be older than a gauge. This class therefore waits for a snapshot
 * without a running repair, and then reads the counters from a second snapshot, which began after
 * the first.
 *
 * <p>Comparisons of two readings subtract node by node. A node without an earlier reading counts
 * from 0, and a node that is not running is left out.
 */
@InterfaceAudience.Private
public final class PluginCounters {
  private static final String BEAN = "Hadoop:service=DataNode,name=PprDataNode-*";
  private static final Duration LIMIT = Duration.ofSeconds(60);

  /**
   * A reading shows a new snapshot if it begins at least this long after the end of the previous
   * reading.
   */
  private static final Duration NEW_SNAPSHOT = DaemonFiles.METRICS_PERIOD.multipliedBy(2);

  private final Map<Integer, JsonNode> nodes;

  /** Reads the counters of all nodes once. */
  @FunctionalInterface
  interface Reading {
    Map<Integer, JsonNode> read() throws IOException;
  }

  private PluginCounters(Map<Integer, JsonNode> nodes) {
    this.nodes = nodes;
  }

  /**
   * Waits until no repair is running, and then reads the counters.
   *
   * @param cluster a running cluster
   * @return the counters
   * @throws TimeoutException if nodes are still busy after a minute; the message names them
   * @throws IOException if a running node has no counters, because it has no plugin
   * @throws InterruptedException if the calling thread is interrupted
   */
  public static PluginCounters whenIdle(HdfsProcessCluster cluster)
      throws IOException, InterruptedException, TimeoutException {
    return whenIdle(() -> read(cluster), LIMIT);
  }

  static PluginCounters whenIdle(Reading reading, Duration limit)
      throws IOException, InterruptedException, TimeoutException {
    PluginCounters[] latest = {null};
    int[] readings = {0};
    int[] idleInARow = {0};
    Await.until(() -> "no repairs are under way: " + latest[0].underWay(), limit, NEW_SNAPSHOT,
        () -> {
          latest[0] = new PluginCounters(reading.read());
          readings[0]++;
          // The first reading may show the snapshot of an earlier caller.
          boolean idle = readings[0] > 1 && latest[0].underWay().isEmpty();
          idleInARow[0] = idle ? idleInARow[0] + 1 : 0;
          return idleInARow[0] == 2;
        });
    return latest[0];
  }

  private static Map<Integer, JsonNode> read(HdfsProcessCluster cluster) throws IOException {
    Map<Integer, JsonNode> nodes = new HashMap<>();
    for (int node = 1; node <= cluster.spec().nodes; node++) {
      if (cluster.dataNode(node).isAlive()) {
        nodes.put(node, cluster.state().jmx(node, BEAN));
      }
    }
    return nodes;
  }

  private Map<String, Long> underWay() {
    Map<String, Long> busy = new TreeMap<>();
    nodes.forEach((node, bean) -> {
      for (String gauge : new String[] {"RepairsInFlight", "HelpersInFlight"}) {
        if (bean.get(gauge).asLong() != 0) {
          busy.put("dn" + node + " " + gauge, bean.get(gauge).asLong());
        }
      }
    });
    return busy;
  }

  /**
   * {@return by how much a counter has grown on all nodes since an earlier reading}
   *
   * @param earlier an earlier reading
   * @param counter the counter's name
   */
  public long since(PluginCounters earlier, String counter) {
    return nodes.keySet().stream().mapToLong(node -> since(earlier, node, counter)).sum();
  }

  /**
   * {@return by how much a counter has grown since an earlier reading, on the node where it has
   * grown most}
   *
   * @param earlier an earlier reading
   * @param counter the counter's name
   */
  public long mostSince(PluginCounters earlier, String counter) {
    return nodes.keySet().stream().mapToLong(node -> since(earlier, node, counter)).max()
        .orElse(0);
  }

  private long since(PluginCounters earlier, int node, String counter) {
    JsonNode before = earlier.nodes.get(node);
    long now = nodes.get(node).get(counter).asLong();
    return before == null ? now : now - before.get(counter).asLong();
  }

  /**
   * {@return the name and the growth of each counter that has grown since an earlier reading and
   * whose name begins with {@code beginning}}
   *
   * @param earlier an earlier reading
   * @param beginning the beginning of the counters' names
   */
  public Map<String, Long> grownSince(PluginCounters earlier, String beginning) {
    Map<String, Long> grown = new TreeMap<>();
    nodes.values().stream().findFirst().ifPresent(bean -> bean.fieldNames()
        .forEachRemaining(name -> {
          if (name.startsWith(beginning) && since(earlier, name) != 0) {
            grown.put(name, since(earlier, name));
          }
        }));
    return grown;
  }
}
