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
package org.hdfsppr.namenode.version;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.UnitHolder;

/**
 * The nodes that have the units of a file, as the NameNode knew them when it was asked. Immutable.
 */
final class OldUnits {
  private final Map<GroupId, List<UnitHolder>> holders = new HashMap<>();
  private final Map<GroupId, List<UnitHolder>> replicas = new HashMap<>();

  private OldUnits() {
  }

  /**
   * Asks the NameNode where the units are. This does not change the access time of the file.
   *
   * @param inodeId inode id of the file
   */
  static OldUnits locate(VersionStore store, VersionDataNodes door, long inodeId)
      throws IOException {
    String path = "/.reserved/.inodes/" + inodeId;
    HdfsLocatedFileStatus status = store.namenode().getLocatedFileInfo(path, false);
    if (status == null || status.getLocatedBlocks() == null) {
      throw new FileNotFoundException("the inode " + inodeId + " is gone");
    }
    OldUnits units = new OldUnits();
    for (LocatedBlock block : status.getLocatedBlocks().getLocatedBlocks()) {
      if (block instanceof LocatedStripedBlock) {
        List<UnitHolder> replicas = replicas((LocatedStripedBlock) block, door);
        GroupId group = new GroupId(block.getBlock().getBlockPoolId(),
            block.getBlock().getBlockId(), block.getBlock().getGenerationStamp());
        units.replicas.put(group, replicas);
        units.holders.put(group, oneEach(replicas));
      }
    }
    return units;
  }

  /** Returns the replicas of all units, those on nodes with the plugin first. */
  private static List<UnitHolder> replicas(LocatedStripedBlock block, VersionDataNodes door) {
    byte[] indices = block.getBlockIndices();
    DatanodeInfo[] nodes = block.getLocations();
    List<UnitHolder> replicas = new ArrayList<>();
    for (int i = 0; i < indices.length && i < nodes.length; i++) {
      replicas.add(new UnitHolder(indices[i], door.withPort(new NodeRef(nodes[i].getDatanodeUuid(),
          nodes[i].getIpAddr(), nodes[i].getHostName(), nodes[i].getXferPort(),
          NodeRef.NO_REPAIR_PORT, nodes[i].getNetworkLocation()))));
    }
    replicas.sort(Comparator.comparing(replica -> !replica.node.runsExtension()));
    return List.copyOf(replicas);
  }

  /** Returns the first replica of each unit, ascending by unit. */
  private static List<UnitHolder> oneEach(List<UnitHolder> replicas) {
    Map<Integer, UnitHolder> first = new TreeMap<>();
    replicas.forEach(replica -> first.putIfAbsent(replica.unit, replica));
    return List.copyOf(first.values());
  }

  /** Returns all groups of the file, without their lengths, which are not known here. */
  List<FileGroup> groups() {
    return holders.keySet().stream().map(id -> new FileGroup(id, 0, 0))
        .collect(Collectors.toList());
  }

  /** Returns the nodes of all replicas. A node that has several replicas comes several times. */
  Stream<NodeRef> nodes() {
    return replicas.values().stream().flatMap(List::stream).map(holder -> holder.node);
  }

  /** Returns one node for each unit of a group that has a replica, ascending by unit. */
  List<UnitHolder> of(GroupId group) {
    return holders.getOrDefault(group, List.of());
  }

  /** Returns the nodes that have a replica of a unit, those with the plugin first. */
  List<NodeRef> replicas(GroupId group, int unit) {
    return replicas.getOrDefault(group, List.of()).stream()
        .filter(replica -> replica.unit == unit).map(holder -> holder.node)
        .collect(Collectors.toList());
  }

  /** Returns the UUIDs of the nodes that have a replica of a unit. */
  Set<String> uuids(GroupId group, int unit) {
    return replicas(group, unit).stream().map(ref -> ref.uuid).collect(Collectors.toSet());
  }
}
