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
package org.hdfsppr.plan;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.coder.code.RepairEquation;
import org.hdfsppr.coder.code.SubChunk;

/**
 * What a plan costs the cluster, as far as it differs between plans for the same loss. The lower
 * price is the better plan; what comes first in this list decides, and the next only among equals:
 *
 * <ol>
 * <li>Whether it can be checked, where checks are wanted: no saving is worth a byte that nobody
 * would find to be wrong. Whole before in part before not at all.
 * <li>The bytes into or out of the node that moves most of them. Slices are pipelined, so a tree is
 * as fast as its busiest link, however long it is: in a chain it is one sum, and two where a node
 * has to read a unit besides, because its holder does not run the extension; in a star it is one
 * sum for each helper. All sums are of the same length, since a node sends all lost rows.
 * <li>What others cannot use meanwhile: the bytes read from disks, and those that leave a rack,
 * which count {@value #CROSS_RACK} times, because links between racks are what a cluster has least
 * of, and what everybody shares. What moves within a rack does not count: each node sends one sum
 * at most, and that is what the second criterion is about.
 * <li>The nodes that take part. Each of them passes a sum on, and can fail.
 * </ol>
 *
 * <p>Plans that are equal in all that are taken in the order in which the code offers them, and
 * each of them prefers helpers in the order in which the NameNode names them.
 *
 * <p>Helpers that only check move bytes in the slices that are checked, and count in that
 * proportion; the second criterion is about the other slices, unless all are checked. Left out is
 * what is the same for all plans or next to nothing: what the destination passes on to other
 * targets, the check row, tails.
 */
@InterfaceAudience.Private
final class Price implements Comparable<Price> {
  /** Racks are commonly connected by a fourth or a fifth of what their nodes could send. */
  static final int CROSS_RACK = 4;

  private static final int CHECKED = 0;
  private static final int PARTLY_CHECKED = 1;
  private static final int NOT_CHECKED = 2;

  private final int unchecked;
  private final long busiestBytes;
  private final long workBytes;
  private final int nodes;

  private Price(int unchecked, long busiestBytes, long workBytes, int nodes) {
    this.unchecked = unchecked;
    this.busiestBytes = busiestBytes;
    this.workBytes = workBytes;
    this.nodes = nodes;
  }

  /** @param wantsChecks whether the operator wants checks, so that their lack is a cost */
  static Price of(RepairPlan plan, boolean wantsChecks) {
    int unchecked = !wantsChecks || plan.isFullyChecked() ? CHECKED
        : plan.check().isPresent() ? PARTLY_CHECKED : NOT_CHECKED;
    Tally tally = new Tally(plan);
    tally.visit(plan.root());
    return new Price(unchecked, tally.busiest(), tally.work, tally.linkEnds.size());
  }

  /**
   * What no plan can be cheaper than that repairs by an equation, whatever its tree and its checks
   * are.
   *
   * @param holders who is read from for each unit
   */
  static Price atLeast(GroupSnapshot snapshot, RepairEquation equation, int subChunks,
      Map<Integer, NodeRef> holders) {
    long stream = snapshot.streamBytes();
    long sum = stream * snapshot.targets().size();
    Set<NodeRef> nodes = new HashSet<>();
    Set<String> racks = new HashSet<>();
    Set<Integer> units = new HashSet<>();
    nodes.add(snapshot.destination());
    racks.add(snapshot.destination().rack());
    long work = 0;
    boolean sums = false;
    for (SubChunk helper : equation.helpers()) {
      NodeRef node = holders.get(helper.unit());
      if (node == null) {
        continue;
      }
      long bytes = Math.min(snapshot.unitBytes(helper.unit()), stream);
      work += bytes / subChunks;
      if (node.equals(snapshot.destination()) || !units.add(helper.unit())) {
        continue;
      }
      boolean first = nodes.add(node);
      if (node.runsExtension() && first) {
        sums = true;
        // Of each rack somebody has to send a sum out of it.
        work += racks.add(node.rack()) ? sum * CROSS_RACK : 0;
      }
    }
    return new Price(CHECKED, sums ? sum : 0, work, nodes.size());
  }

  /** Whether its checks leave nothing to be desired. */
  boolean isChecked() {
    return unchecked == CHECKED;
  }

  @Override
  public int compareTo(Price other) {
    int order = Integer.compare(unchecked, other.unchecked);
    if (order == 0) {
      order = Long.compare(busiestBytes, other.busiestBytes);
    }
    if (order == 0) {
      order = Long.compare(workBytes, other.workBytes);
    }
    return order != 0 ? order : Integer.compare(nodes, other.nodes);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Price && compareTo((Price) other) == 0;
  }

  @Override
  public int hashCode() {
    return Long.hashCode(workBytes);
  }

  @Override
  public String toString() {
    return (unchecked == CHECKED ? "" : unchecked == PARTLY_CHECKED ? "partly checked, "
        : "not checked, ") + "busiest link " + busiestBytes + " bytes, work " + workBytes
        + " bytes, " + nodes + " nodes";
  }

  /** Adds up what the nodes of a tree read and send to each other. */
  private static final class Tally {
    private final RepairPlan plan;
    private final SliceGeometry geometry;
    /** What most slices are. */
    private final SliceKind usual;
    private final long sumBytes;
    /** Bytes into and out of each node that takes part, in this order. */
    private final Map<NodeRef, long[]> linkEnds = new HashMap<>();
    private long work;

    Tally(RepairPlan plan) {
      this.plan = plan;
      this.geometry = plan.geometry();
      this.usual = SliceKind.of(geometry.checkOneIn() == 1, false);
      this.sumBytes = geometry.streamBytes() * plan.targets().size();
    }

    void visit(PlanNode node) {
      long[] ends = ends(node.node());
      for (Source source : node.sources()) {
        long bytes = Math.min(source.length(), geometry.streamBytes());
        if (node.isRemote(source)) {
          // A stock read goes from beginning to end, whatever is needed of it.
          work += bytes;
          move(source.holder(), node.node(), bytes, bytes);
        } else {
          for (int run = 0; run < source.subChunks(); run++) {
            work += inProportion(bytes / source.subChunks(),
                source.contributes(SliceKind.PLAIN, run),
                source.contributes(SliceKind.CHECKED, run));
          }
        }
      }
      for (PlanNode child : node.children()) {
        move(child.node(), node.node(),
            inProportion(sumBytes, child.contributes(SliceKind.PLAIN),
                child.contributes(SliceKind.CHECKED)),
            child.contributes(usual) ? sumBytes : 0);
        visit(child);
      }
    }

    private long inProportion(long bytes, boolean plain, boolean checked) {
      long inChecked = geometry.checkOneIn() == 0 ? 0 : bytes / geometry.checkOneIn();
      return (plain ? bytes - inChecked : 0) + (checked ? inChecked : 0);
    }

    /** @param usually as many bytes as if all slices were like most of them */
    private void move(NodeRef from, NodeRef to, long bytes, long usually) {
      work += from.rack().equals(to.rack()) ? 0 : bytes * CROSS_RACK;
      ends(from)[1] += usually;
      ends(to)[0] += usually;
    }

    private long[] ends(NodeRef node) {
      return linkEnds.computeIfAbsent(node, n -> new long[2]);
    }

    long busiest() {
      long most = 0;
      for (long[] ends : linkEnds.values()) {
        most = Math.max(most, Math.max(ends[0], ends[1]));
      }
      return most;
    }
  }
}
