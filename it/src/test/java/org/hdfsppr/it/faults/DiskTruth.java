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
package org.hdfsppr.it.faults;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.hdfsppr.it.cluster.Fsck;
import org.hdfsppr.it.cluster.HdfsProcessCluster;
import org.hdfsppr.it.util.Trees;

/**
 * The internal blocks that are on the disks of a cluster, independent of what NameNodes know: every
 * finalised replica of a striped block, including those on nodes that are down.
 */
final class DiskTruth {

  /** The ids of striped blocks are negative. */
  private static final Pattern CHECKSUMS = Pattern.compile("blk_(-\\d+)_(\\d+)\\.meta");

  /** Maps a block id to a map from generation stamp to the nodes that hold such a replica. */
  private final Map<Long, Map<Long, List<Integer>>> nodes = new HashMap<>();
  private final HdfsProcessCluster cluster;

  private DiskTruth(HdfsProcessCluster cluster) {
    this.cluster = cluster;
  }

  static DiskTruth of(HdfsProcessCluster cluster) throws IOException {
    DiskTruth truth = new DiskTruth(cluster);
    for (int node = 1; node <= cluster.spec().nodes; node++) {
      for (Path file : checksums(cluster.dataDir(node))) {
        Matcher name = CHECKSUMS.matcher(file.getFileName().toString());
        if (name.matches() && Files.exists(file.resolveSibling("blk_" + name.group(1)))) {
          truth.nodes.computeIfAbsent(Long.valueOf(name.group(1)), block -> new HashMap<>())
              .computeIfAbsent(Long.valueOf(name.group(2)), stamp -> new ArrayList<>()).add(node);
        }
      }
    }
    return truth;
  }

  private static List<Path> checksums(Path volume) throws IOException {
    return Trees.files(volume, path -> path.toString().contains("/finalized/")
        && path.toString().endsWith(".meta"));
  }

  /** Returns the nodes that hold a replica with exactly this generation stamp. */
  List<Integer> holders(long blockId, long generationStamp) {
    return nodes.getOrDefault(blockId, Map.of()).getOrDefault(generationStamp, List.of());
  }

  /**
   * Returns all replicas with any generation stamp, in the format of {@link Fsck#internalBlocks}.
   */
  Set<String> internalBlocks() {
    Set<String> all = new TreeSet<>();
    nodes.forEach((block, stamps) -> stamps.values().forEach(holders -> holders.forEach(node ->
        all.add(Fsck.internalBlock(block, cluster.nodeAddress(node))))));
    return all;
  }
}
