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
package org.hdfsppr.bench;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.it.cluster.ClusterSpec;
import org.hdfsppr.it.util.EcCode;

/**
 * The modes in which a cluster repairs the loss of a node. A mode defines which scheduler orders
 * the repairs and which worker rebuilds the units.
 */
@InterfaceAudience.Private
public enum NodeMode {
  /** Stock with Hadoop's default settings. */
  STOCK("stock", false, null, Map.of()),

  /** Stock with the settings of {@link RepairMode#STOCK_TUNED}. */
  STOCK_TUNED("stock-tuned", false, null, RepairMode.STOCK_TUNED.settings()),

  /**
   * The stock NameNode schedules the repairs with its default settings, and the DataNodes' plugin
   * rebuilds the units.
   */
  DATANODE_ONLY("datanode-only", true, null, Map.of()),

  /** The NameNode plugin schedules the repairs with the scheduler mppr. */
  MPPR("mppr", true, "mppr", Map.of()),
  /** The NameNode plugin schedules the repairs with the scheduler balanced. */
  BALANCED("balanced", true, "balanced", Map.of()),
  /** As {@link #BALANCED}, while other files are converted. */
  BALANCED_CONVERTING("balanced-converting", true, "balanced", Map.of()),
  /** As {@link #BALANCED}, while {@link GreedyCallers} hold requests open at every DataNode. */
  BALANCED_GREEDY("balanced-greedy", true, "balanced", Map.of()),
  /** The NameNode plugin schedules the repairs with the scheduler fifo. */
  FIFO("fifo", true, "fifo", Map.of());

  private static final String SCHEDULER_KEY = "dfs.namenode.ppr.scheduler";
  /**
   * The number of callers. Together their requests need more memory than a DataNode grants to one
   * address.
   */
  private static final int GREEDY_CALLERS = 8;

  public final String label;
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
   * Finds a mode by its label, such as {@code stock-tuned}.
   *
   * @param label the label that the user has written
   * @return the mode
   */
  public static NodeMode parse(String label) {
    return Arrays.stream(values()).filter(mode -> mode.label.equals(label)).findFirst()
        .orElseThrow(() -> new IllegalArgumentException("'" + label + "' is not a mode; there are "
            + Arrays.stream(values()).map(mode -> mode.label).collect(Collectors.joining(", "))));
  }

  /** Returns how many callers hold the largest request open at every DataNode during the run. */
  int greedyCallers() {
    return this == BALANCED_GREEDY ? GREEDY_CALLERS : 0;
  }

  /** Returns whether {@link FilesToConvert} are converted during the run. */
  boolean isConverting() {
    return this == BALANCED_CONVERTING;
  }

  /**
   * {@return the specification of a cluster for this mode; settings in {@code base} override the
   * mode's settings}
   *
   * @param base the specification that the user has chosen, without a mode
   * @param code the code of the files
   */
  public ClusterSpec specFor(ClusterSpec base, EcCode code) {
    return base.toBuilder().plugin(plugin).nameNodePlugin(scheduler != null)
        .codecs(code.isOwnCodec() || isConverting()).conf(settings()).conf(base.conf).build();
  }

  /** {@return the settings that this mode adds to the daemons' settings} */
  public Map<String, String> settings() {
    return scheduler == null ? settings : Map.of(SCHEDULER_KEY, scheduler);
  }

  /** {@return a description for a table's legend} */
  public String describe() {
    String parts = scheduler != null ? "plugin in NameNode and DataNodes"
        : plugin ? "plugin in the DataNodes, stock NameNode" : "no plugin";
    parts += greedyCallers() == 0 ? "" : ", beside " + greedyCallers() + " greedy callers";
    parts += isConverting() ? ", beside a conversion" : "";
    Map<String, String> sorted = new TreeMap<>(settings());
    return parts + (sorted.isEmpty() ? ", no settings of its own" : sorted.entrySet().stream()
        .map(e -> e.getKey() + "=" + e.getValue()).collect(Collectors.joining(", ", "; ", "")));
  }
}
