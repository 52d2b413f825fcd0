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
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;

import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.apache.hadoop.hdfs.util.StripedBlockUtil;

/**
 * Lists the live units of one block group of a file, as the NameNode knew them when this object was
 * made.
 */
@InterfaceAudience.Private
public final class BlockGroup {
  public final List<Unit> units;
  public final boolean isCorrupt;

  private BlockGroup(List<Unit> units, boolean isCorrupt) {
    this.isCorrupt = isCorrupt;
    this.units = Collections.unmodifiableList(units);
  }

  /**
   * Lists all block groups of a file on a cluster of processes, in the order of their data in the
   * file.
   *
   * @param cluster a running cluster
   * @param client a client of the cluster
   * @param file a path
   * @return the groups
   * @throws IOException if a process fails or a file cannot be read or written
   */
  public static List<BlockGroup> of(HdfsProcessCluster cluster, DistributedFileSystem client,
      Path file) throws IOException {
    return of(client, file, location -> cluster.nodeAt(location.getIpAddr()));
  }

  /**
   * Lists all groups of a file on any cluster.
   *
   * @param client a client of the cluster
   * @param file a path
   * @param nodeOf returns the number of a DataNode, from 1
   * @return the groups, in the file's order
   * @throws IOException if a process fails or a file cannot be read or written
   */
  public static List<BlockGroup> of(DistributedFileSystem client, Path file,
      ToIntFunction<DatanodeInfo> nodeOf) throws IOException {
    ErasureCodingPolicy policy = client.getErasureCodingPolicy(file);
    List<BlockGroup> groups = new ArrayList<>();
    for (LocatedBlock located : client.getClient()
        .getLocatedBlocks(file.toUri().getPath(), 0, Long.MAX_VALUE).getLocatedBlocks()) {
      groups.add(of((LocatedStripedBlock) located, policy, nodeOf));
    }
    return groups;
  }

  private static BlockGroup of(LocatedStripedBlock located, ErasureCodingPolicy policy,
      ToIntFunction<DatanodeInfo> nodeOf) {
    byte[] indices = located.getBlockIndices();
    DatanodeInfo[] locations = located.getLocations();
    List<Unit> units = new ArrayList<>();
    for (int i = 0; i < indices.length; i++) {
      units.add(new Unit(indices[i],
          StripedBlockUtil.constructInternalBlock(located.getBlock(), policy.getCellSize(),
              policy.getNumDataUnits(), indices[i]),
          locations[i], nodeOf.applyAsInt(locations[i])));
    }
    units.sort(Comparator.comparingInt((Unit unit) -> unit.index));
    return new BlockGroup(units, located.isCorrupt());
  }

  /**
   * {@return the unit of this group that a node holds; empty if the node holds none}
   *
   * @param node a DataNode, from 1
   */
  public Optional<Unit> on(int node) {
    return units.stream().filter(unit -> unit.node == node).findFirst();
  }

  /**
   * {@return the live replicas of a unit; a unit has more than one replica while an excess replica
   * is being deleted}
   *
   * @param index the unit's index in the group, from 0
   */
  public List<Unit> replicasOf(int index) {
    return units.stream().filter(unit -> unit.index == index).collect(Collectors.toList());
  }

  /** {@return how many different units are live} */
  public long distinctUnits() {
    return units.stream().mapToInt(unit -> unit.index).distinct().count();
  }
}
