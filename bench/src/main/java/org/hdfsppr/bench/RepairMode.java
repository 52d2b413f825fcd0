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
import java.util.stream.Collectors;

import org.apache.hadoop.classification.InterfaceAudience;

/**
 * The modes in which a benchmark repairs units. A mode uses the stock worker, or the plugin with
 * one of its topologies.
 */
@InterfaceAudience.Private
public enum RepairMode {
  /** The stock worker with Hadoop's default settings. */
  STOCK("stock", null, Map.of()),

  /**
   * The stock worker with the best settings. The worker reads a whole cell at a time, which keeps
   * the links busier than the default of 64 KiB. The NameNode may give a DataNode several tasks at
   * a time.
   */
  STOCK_TUNED("stock-tuned", null, Map.of(
      "dfs.datanode.ec.reconstruction.stripedread.buffer.size", String.valueOf(1024 * 1024),
      "dfs.datanode.ec.reconstruction.xmits.weight", "0.1",
      "dfs.namenode.replication.max-streams", "20",
      "dfs.namenode.replication.max-streams-hard-limit", "40",
      "dfs.namenode.replication.work.multiplier.per.iteration", "10")),

  /** The plugin repairs with a star: all helpers send to the destination. */
  STAR("star", "star", Map.of()),
  /** The plugin repairs with a binomial tree of helpers. */
  PPR("ppr", "ppr", Map.of()),
  /** The plugin repairs with a chain of helpers. */
  CHAIN("chain", "chain", Map.of()),
  /** The plugin repairs with a chain of helpers that leads from rack to rack. */
  RACK("rack", "rack", Map.of()),
  /** The plugin repairs with a tree in which only helpers that read whole units sum. */
  FREE_SUM("free-sum", "free-sum", Map.of());

  private static final String TOPOLOGY_KEY = "dfs.ppr.plan.topology";

  public final String label;
  private final String topology;
  private final Map<String, String> settings;

  RepairMode(String label, String topology, Map<String, String> settings) {
    this.label = label;
    this.topology = topology;
    this.settings = settings;
  }

  /**
   * Finds a mode by its label, such as {@code stock-tuned}.
   *
   * @param label the label that the user has written
   * @return the mode
   */
  public static RepairMode parse(String label) {
    return Arrays.stream(values()).filter(mode -> mode.label.equals(label)).findFirst()
        .orElseThrow(() -> new IllegalArgumentException("'" + label + "' is not a mode; there are "
            + Arrays.stream(values()).map(mode -> mode.label).collect(Collectors.joining(", "))));
  }

  /** {@return whether the DataNodes must run the plugin} */
  public boolean needsPlugin() {
    return topology != null;
  }

  /** {@return the settings that this mode adds to the daemons' settings} */
  public Map<String, String> settings() {
    return topology == null ? settings : Map.of(TOPOLOGY_KEY, topology);
  }
}
