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
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;

import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.it.cluster.ClusterSpec;

/** The ways in which files of a CORE policy are repaired, which the benchmark compares. */
enum CoreWay {
  /** CORE groups, RGS orders the repairs. */
  RGS("rgs", true, "rgs"),
  /** CORE groups, each file is repaired by its own code as far as that goes. */
  ROW_FIRST("row-first", true, "row-first"),
  /** CORE groups, each block is repaired from other files as far as that goes. */
  COLUMN_FIRST("column-first", true, "column-first"),
  /** The same files with no parity file, repaired by the plugins. */
  ROW("row", true, null),
  /** The same code under the policy of plain RS, repaired by stock with its best settings. */
  STOCK_TUNED("stock-tuned", false, null);

  final String label;
  private final boolean plugin;
  private final String strategy;

  CoreWay(String label, boolean plugin, String strategy) {
    this.label = label;
    this.plugin = plugin;
    this.strategy = strategy;
  }

  static CoreWay parse(String label) {
    return Arrays.stream(values()).filter(way -> way.label.equals(label)).findFirst()
        .orElseThrow(() -> new IllegalArgumentException("'" + label + "' is no way to repair;"
            + " there are " + Arrays.stream(values()).map(way -> way.label)
            .collect(Collectors.joining(", "))));
  }

  /** Returns whether the files form CORE groups. */
  boolean isProtected() {
    return strategy != null;
  }

  boolean hasPlugins() {
    return plugin;
  }

  ClusterSpec specFor(ClusterSpec base) {
    Map<String, String> conf = new HashMap<>();
    if (!plugin) {
      conf.putAll(RepairMode.STOCK_TUNED.settings());
    }
    if (strategy != null) {
      conf.put(PprKeys.NAMENODE_CORE_STRATEGY_KEY, strategy);
      conf.putAll(CoreProtection.SETTINGS);
    }
    return base.toBuilder().plugin(plugin).nameNodePlugin(plugin).codecs(plugin).conf(conf)
        .conf(base.conf).build();
  }
}
