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
 * The counters of the plugins of a cluster, node by node, read when no repair was under way.
 *
 * <p>JMX does not show the present values of the counters. Hadoop's MetricsSourceAdapter makes a
 * snapshot for one caller, and shows it to all callers within {@link DaemonFiles#METRICS_PERIOD};
 * and a snapshot takes one counter after the other. So a gauge that shows nothing under way may be
 * from before the repair, and a counter next to it may be older than the gauge. This class
 * therefore reads a second snapshot, which began when a first one had shown nothing under way.
 *
 * <p>Two readings are compared node by node. The counters of a restarted node begin at 0, and a
 * node that is not running is left out.
 */
@InterfaceAudience.Private
public final class PluginCounters {
  private static final String BEAN = "Hadoop:service=DataNode,name=PprDataNode-*";
  private static final Duration LIMIT = Duration.ofSeconds(60);

  /**
   * A reading that begins at least this long after the end of the reading before shows a new
   * snapshot.
   */
  private static final Duration NEW_SNAPSHOT = DaemonFiles.METRICS_PERIOD.multipliedBy(2);

  private final Map<Integer, JsonNode> nodes;

  /** Reads the counters of all nodes once. */
  @FunctionalInterface
  @InterfaceAudience.Private
  interface Reading {
    Map<Integer, JsonNode> read() throws IOException;
  }

  private PluginCounters(Map<Integer, JsonNode> nodes) {
    this.nodes = nodes;
  }

  /**
   * Waits until no repair is under way, and then reads the counters.
   *
   * @param cluster a running cluster
   * @return the counters
   * @throws TimeoutException if nodes are still busy after a minute; names them.
   * @throws IOException if a node that runs has no counters: it has no plugin.
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
    for (int node = 1; node <= cluster.spec().nodes(); node++) {
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

  private long since(PluginCounters earlier, int node, String counter) {
    JsonNode before = earlier.nodes.get(node);
    long now = nodes.get(node).get(counter).asLong();
    return before == null ? now : now - before.get(counter).asLong();
  }

  /**
   * {@return the counters whose names begin with {@code beginning} and that have grown since an
   * earlier reading, and by how much}
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
