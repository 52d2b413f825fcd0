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
package org.hdfsppr.namenode.schedule;

import org.hdfsppr.namenode.schedule.LinkOrDisk.Kind;

/** Collects the bytes that the nodes of a tree read, send and write. */
final class TreeLoad {
  private final Fleet fleet;
  private final RepairLoad.Builder load = new RepairLoad.Builder();

  TreeLoad(Fleet fleet) {
    this.fleet = fleet;
  }

  /** Adds what the disks of a helper read. */
  void read(NodeState node, long bytes) {
    load.add(LinkOrDisk.of(node.index, Kind.READ), bytes);
    if (node.ref().runsExtension()) {
      limit(node.index, Kind.READ_LIMIT, bytes);
    }
  }

  /**
   * Adds a write of a target. The write limit of the destination counts, because the destination
   * sends the bytes to the other targets.
   */
  void write(int destination, int target, long bytes) {
    load.add(LinkOrDisk.of(target, Kind.WRITE), bytes);
    limit(destination, Kind.WRITE_LIMIT, bytes);
  }

  /**
   * Adds bytes to a limit if the node has this limit. Most nodes have none, and a shorter load is
   * planned faster.
   */
  void limit(int node, Kind kind, long bytes) {
    if (fleet.node(node).isLimited(kind)) {
      load.add(LinkOrDisk.of(node, kind), bytes);
    }
  }

  /** Adds what one node sends to another. */
  void edge(int from, int to, long bytes) {
    load.add(LinkOrDisk.of(from, Kind.UP), bytes);
    load.add(LinkOrDisk.of(to, Kind.DOWN), bytes);
    int fromRack = fleet.node(from).rack().index;
    int toRack = fleet.node(to).rack().index;
    if (fromRack != toRack && fleet.isCrossRackLimited()) {
      load.add(LinkOrDisk.of(LinkOrDisk.placeOfRack(fromRack), Kind.UP), bytes);
      load.add(LinkOrDisk.of(LinkOrDisk.placeOfRack(toRack), Kind.DOWN), bytes);
    }
  }

  /**
   * @param helpers the nodes from which the repair reads, each once
   * @param targets the nodes to which it writes
   */
  RepairLoad build(int[] helpers, int[] targets) {
    return load.build(helpers, targets);
  }
}
