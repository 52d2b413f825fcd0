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

import java.io.IOException;
import java.util.Arrays;
import org.apache.hadoop.hdfs.util.StripedBlockUtil;
import org.hdfsppr.coder.code.LinearCode;
import org.hdfsppr.namenode.model.GroupPolicy;
import org.hdfsppr.namenode.model.LostGroup;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.UnitHolder;

/**
 * Describes one group with lost units by indices into a fleet: the node of each readable unit, the
 * lost units, and the racks that hold units of the group.
 */
final class GroupView {
  private static final int NONE = -1;

  final LostGroup group;
  private final Fleet fleet;
  final CodeReads.Known reads;
  private final int[] nodeOf = new int[LinearCode.MAX_UNITS];
  private final UnitHolder[] holderOf = new UnitHolder[LinearCode.MAX_UNITS];
  private final int[] readable = new int[LinearCode.MAX_UNITS];
  private int readableSize;
  private final int[] occupied;
  private final int[] rackOf = new int[LinearCode.MAX_UNITS];
  private final int[] staying = new int[LinearCode.MAX_UNITS];
  private int racks;
  private int counted;
  private int lost;
  private int zeros;
  private int inRackMax;
  private long streamBytes;

  /** @throws IOException if this NameNode does not know the group's code */
  GroupView(Fleet fleet, LostGroup group, CodeReads reads) throws IOException {
    this.group = group;
    this.fleet = fleet;
    this.reads = reads.of(group.policy);
    Arrays.fill(nodeOf, NONE);
    for (int unit : group.lost) {
      long bytes = bytes(unit);
      if (bytes > 0) {
        lost |= 1 << unit;
        streamBytes = Math.max(streamBytes, bytes);
      }
    }
    int units = code().units();
    int withBytes = 0;
    for (int unit = 0; unit < units; unit++) {
      if (bytes(unit) == 0) {
        zeros |= 1 << unit;
      } else {
        withBytes++;
      }
    }
    for (UnitHolder holder : group.live) {
      add(holder);
    }
    occupied = new int[group.occupied().size()];
    for (int i = 0; i < occupied.length; i++) {
      NodeState node = fleet.find(group.occupied().get(i));
      occupied[i] = node == null ? NONE : node.index;
    }
    int racksPresent = Math.max(1, fleet.racksPresent());
    inRackMax = (withBytes + racksPresent - 1) / racksPresent;
  }

  /** Returns the length of a unit, in bytes. */
  long bytes(int unit) {
    GroupPolicy policy = group.policy;
    return StripedBlockUtil.getInternalBlockLength(group.groupBytes, policy.cellBytes,
        policy.dataUnits, unit);
  }

  private void add(UnitHolder holder) {
    int unit = holder.unit;
    NodeState node = fleet.find(holder.node);
    if (node == null || (zeros >> unit & 1) != 0) {
      return;
    }
    // If the unit is also to be rebuilt, its node is leaving the cluster. The unit does not stay in
    // its rack, and a plan cannot both rebuild and read it.
    if ((lost >> unit & 1) != 0) {
      return;
    }
    if ((counted >> unit & 1) == 0) {
      counted |= 1 << unit;
      countInRack(node.rack().index);
    }
    // A code with sub-chunks needs parts of cells, which a stock read cannot fetch.
    if (!node.isUsable() || code().subChunks() > 1 && !node.ref().runsExtension()) {
      return;
    }
    boolean first = nodeOf[unit] == NONE;
    if (first) {
      readable[readableSize++] = unit;
    }
    if (first || isBetter(node, fleet.node(nodeOf[unit]))) {
      nodeOf[unit] = node.index;
      // The node may have got another address since the NameNode described the group.
      holderOf[unit] = holder.node.saysTheSameAs(node.ref()) ? holder
          : new UnitHolder(unit, node.ref());
    }
  }

  private static boolean isBetter(NodeState node, NodeState than) {
    boolean extension = node.ref().runsExtension();
    return extension != than.ref().runsExtension() ? extension
        : node.seconds() < than.seconds();
  }

  private void countInRack(int rack) {
    for (int i = 0; i < racks; i++) {
      if (rackOf[i] == rack) {
        staying[i]++;
        return;
      }
    }
    rackOf[racks] = rack;
    staying[racks++] = 1;
  }

  LinearCode code() {
    return reads.code;
  }

  /** Returns the lost units that have bytes, as bits. */
  int lost() {
    return lost;
  }

  /** Returns the units behind the end of the file, as bits. */
  int zeros() {
    return zeros;
  }

  /** Returns the length of the longest lost unit, in bytes. */
  long streamBytes() {
    return streamBytes;
  }

  /** Returns a copy of the units that can be read, in the order of {@link LostGroup#live}. */
  int[] readable() {
    return Arrays.copyOf(readable, readableSize);
  }

  /** Returns the node from which a repair would read the unit. */
  NodeState node(int unit) {
    return fleet.node(nodeOf[unit]);
  }

  UnitHolder holder(int unit) {
    return holderOf[unit];
  }

  boolean isOccupied(int node) {
    for (int index : occupied) {
      if (index == node) {
        return true;
      }
    }
    for (int unit = 0; unit < nodeOf.length; unit++) {
      if (nodeOf[unit] == node) {
        return true;
      }
    }
    return false;
  }

  /**
   * Returns how many units of the group are in a rack, without those that are to be rebuilt because
   * their nodes leave the cluster.
   */
  int inRack(int rack) {
    for (int i = 0; i < racks; i++) {
      if (rackOf[i] == rack) {
        return staying[i];
      }
    }
    return 0;
  }

  /**
   * Returns how many units of the group a rack should hold at most: the number of units that have
   * bytes, divided by the number of racks that have nodes, rounded up.
   */
  int inRackMax() {
    return inRackMax;
  }

  UnitHolder target(int unit, int node) {
    NodeRef ref = fleet.node(node).ref();
    return new UnitHolder(unit, ref);
  }
}
