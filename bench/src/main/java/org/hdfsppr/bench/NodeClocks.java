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

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import org.hdfsppr.bench.clock.FileClock;
import org.hdfsppr.it.cluster.HdfsProcessCluster;
import org.hdfsppr.it.cluster.PluginCounters;

/** A reading of the clocks of all running DataNodes, while nobody reads. */
final class NodeClocks {
  /** The plugin's counter of the time in which a DataNode computes for others. */
  private static final String COMPUTE = "HelperComputeMs";

  private final Map<Integer, Long> disk;
  /** Null if the DataNodes have no plugin. */
  private final PluginCounters plugin;

  private NodeClocks(Map<Integer, Long> disk, PluginCounters plugin) {
    this.disk = disk;
    this.plugin = plugin;
  }

  static NodeClocks read(HdfsProcessCluster cluster)
      throws IOException, InterruptedException, TimeoutException {
    PluginCounters plugin =
        cluster.spec().plugin ? PluginCounters.whenIdle(cluster) : null;
    Map<Integer, Long> disk = new HashMap<>();
    for (int node = 1; node <= cluster.spec().nodes; node++) {
      if (cluster.dataNode(node).isAlive()) {
        disk.put(node,
            cluster.state().jmx(node, FileClock.BEAN).get(FileClock.NANOS).asLong());
      }
    }
    return new NodeClocks(disk, plugin);
  }

  /**
   * Returns what the DataNodes have done since an earlier reading.
   *
   * @param earlier a reading when the same DataNodes were running
   */
  NodeTimes since(NodeClocks earlier) {
    Map<Integer, Long> grown = new HashMap<>();
    disk.forEach((node, nanos) -> grown.put(node, nanos - earlier.disk.get(node)));
    return new NodeTimes(grown, plugin == null ? 0
        : TimeUnit.MILLISECONDS.toNanos(plugin.mostSince(earlier.plugin, COMPUTE)));
  }
}
