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
package org.hdfsppr.it.bench;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.it.cluster.ClusterSpec;
import org.hdfsppr.it.util.EcCode;

/** What decides about the repairs after the loss of a node, and what does them. */
@InterfaceAudience.Private
public enum NodeMode {
  /** As Hadoop ships. */
  STOCK("stock", false, null, Map.of()),

  /** With the settings of the mode of that name for one group. */
  STOCK_TUNED("stock-tuned", false, null, RepairMode.STOCK_TUNED.settings()),

  /** Stock's NameNode gives out the work, as it ships; our DataNodes do it. */
  DATANODE_ONLY("datanode-only", true, null, Map.of()),

  /** The scheduler mppr. */
  MPPR("mppr", true, "mppr", Map.of()),
  /** The scheduler balanced. */
  BALANCED("balanced", true, "balanced", Map.of()),
  /** The same with {@link GreedyCallers} at every DataNode. */
  BALANCED_GREEDY("balanced-greedy", true, "balanced", Map.of()),
  /** The scheduler fifo. */
  FIFO("fifo", true, "fifo", Map.of());

  private static final String SCHEDULER_KEY = "dfs.namenode.ppr.scheduler";
  /** Enough callers to hold more together than one address may hold. */
  private static final int GREEDY_CALLERS = 8;

  private final String label;
  private final boolean plugin;
  private final String scheduler;
  private final Map<String, String> settings;

  NodeMode(String label, boolean plugin, String scheduler, Map<String, String> settings) {
    this.label = label;
    this.plugin = plugin;
    this.scheduler = scheduler;
    this.settings = settings;
  }

  /**
   * Finds a mode by its label, as in {@code stock-tuned}.
   *
   * @param label as the user writes it
   * @return the mode
   */
  public static NodeMode parse(String label) {
    return Arrays.stream(values()).filter(mode -> mode.label.equals(label)).findFirst()
        .orElseThrow(() -> new IllegalArgumentException("'" + label + "' is not a mode; there are "
            + Arrays.stream(values()).map(NodeMode::label).collect(Collectors.joining(", "))));
  }

  /** {@return the name that the user writes} */
  public String label() {
    return label;
  }

  /** Callers that hold the largest request open at every DataNode meanwhile. */
  int greedyCallers() {
    return this == BALANCED_GREEDY ? GREEDY_CALLERS : 0;
  }

  /**
   * {@return the cluster for it; what {@code base} sets wins over the mode}
   *
   * @param base settings that win
   * @param code of the files
   */
  public ClusterSpec specFor(ClusterSpec base, EcCode code) {
    return base.toBuilder().plugin(plugin).nameNodePlugin(scheduler != null)
        .codecs(code.isOwnCodec()).conf(settings()).conf(base.conf()).build();
  }

  /** {@return settings of the daemons beyond the cluster's own} */
  public Map<String, String> settings() {
    return scheduler == null ? settings : Map.of(SCHEDULER_KEY, scheduler);
  }

  /** {@return words for a table's legend} */
  public String describe() {
    String parts = scheduler != null ? "plugin in NameNode and DataNodes"
        : plugin ? "plugin in the DataNodes, stock NameNode" : "no plugin";
    parts += greedyCallers() == 0 ? "" : ", beside " + greedyCallers() + " greedy callers";
    Map<String, String> sorted = new TreeMap<>(settings());
    return parts + (sorted.isEmpty() ? ", no settings of its own" : sorted.entrySet().stream()
        .map(e -> e.getKey() + "=" + e.getValue()).collect(Collectors.joining(", ", "; ", "")));
  }
}
