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
import java.util.stream.IntStream;
import org.hdfsppr.coder.code.RepairEquation;
import org.hdfsppr.coder.code.SubChunk;

/**
 * The costs by which the planner compares plans for the same lost units. The plan with the lower
 * price is better. The first criterion of this list decides. Each further criterion decides only
 * between plans that are equal in all earlier criteria:
 *
 * <ol>
 * <li>Whether the destination can check the result, if the operator wants checks. Checks come
 * first, because a wrong byte that passes unnoticed is worse than any cost. A full check is better
 * than a partial one, and a partial check is better than none.
 * <li>The number of bytes that the busiest node receives or sends, whichever is more. Slices are
 * pipelined, so that a tree of any depth is as fast as its busiest link. In a chain, the busiest
 * link carries one sum, or two sums if a node also reads a unit from a holder without hdfs-ppr. In
 * a star, the busiest link carries one sum for each helper. A sum is as long as the lost units, or
 * shorter if its link carries only some of the lost rows. If the operator has chosen a topology
 * that {@linkplain TreeTopology#movesLeast moves least}, the bytes on all links together count
 * instead.
 * <li>The work that the plan takes from other users: the bytes read from disks, and the bytes that
 * leave a rack. The latter count {@value #CROSS_RACK} times, because links between racks are the
 * scarcest and all nodes share them. Bytes that move within a rack do not count: each node sends
 * one sum at most, which the second criterion covers.
 * <li>The number of nodes that take part. Each node passes a sum on, and can fail.
 * </ol>
 *
 * <p>Among plans with the same price, the planner takes the plan whose recipe the code lists first.
 * Each of these plans prefers helpers in the order in which the NameNode lists them.
 *
 * <p>Helpers that serve only the check send bytes only for checked slices, and the third criterion
 * counts only these bytes. The second criterion considers only slices that are not checked, unless
 * all slices are checked. The price leaves out costs that are equal for all plans or negligible:
 * the bytes that the destination passes on to other targets, the check row, and tails.
 */
final class Price implements Comparable<Price> {
  /**
   * The factor by which bytes between racks count. A rack's link to other racks commonly carries a
   * fourth or a fifth of the bytes that the nodes of the rack can send.
   */
  static final int CROSS_RACK = 4;

  private static final int CHECKED = 0;
  private static final int PARTLY_CHECKED = 1;
  private static final int NOT_CHECKED = 2;

  private final int unchecked;
  /** The second criterion: bytes of the busiest node, or of all links together. */
  private final long linkBytes;
  private final long workBytes;
  private final int nodes;

  private Price(int unchecked, long linkBytes, long workBytes, int nodes) {
    this.unchecked = unchecked;
    this.linkBytes = linkBytes;
    this.workBytes = workBytes;
    this.nodes = nodes;
  }

  /**
   * @param wantsChecks whether the operator wants checks; only then a plan without a check is worse
   * @param byTotal whether the bytes on all links together count, instead of those of the busiest
   *     node
   */
  static Price of(RepairPlan plan, boolean wantsChecks, boolean byTotal) {
    int unchecked = !wantsChecks || plan.isFullyChecked() ? CHECKED
        : plan.check().isPresent() ? PARTLY_CHECKED : NOT_CHECKED;
    Tally tally = new Tally(plan);
    tally.visit(plan.root);
    long links = byTotal ? tally.sent : tally.busiest();
    return new Price(unchecked, links, tally.work, tally.linkEnds.size());
  }

  /**
   * Returns a lower bound for the prices of all plans that repair by this equation, whatever their
   * trees and checks are.
   *
   * @param holders the node from which each unit is read
   */
  static Price atLeast(GroupSnapshot snapshot, RepairEquation equation, int subChunks,
      Map<Integer, NodeRef> holders) {
    long stream = snapshot.streamBytes();
    // The division rounds down, as in Tally.visit, because s need not divide the length of the
    // stream. The bound must not be higher than a plan's price.
    long sum = stream / subChunks * subChunks * snapshot.targets.size();
    Set<NodeRef> nodes = new HashSet<>();
    Set<String> racks = new HashSet<>();
    Set<Integer> units = new HashSet<>();
    nodes.add(snapshot.destination);
    racks.add(snapshot.destination.rack);
    long work = 0;
    boolean sums = false;
    // A narrow link carries at least one of the lost rows.
    long least = stream / subChunks;
    // Together, the links into the destination carry all lost rows, except those that the
    // destination computes from its own units. If the group has units of zeros, a lost unit may
    // consist of zeros, too, and its rows need not be sent.
    boolean oneRow = subChunks == 1 && snapshot.targets.size() == 1;
    long received = oneRow || !hasZeros(snapshot) ? sum : 0;
    for (SubChunk helper : equation.helpers()) {
      NodeRef node = holders.get(helper.unit());
      if (node == null) {
        continue;
      }
      long bytes = Math.min(snapshot.unitBytes(helper.unit()), stream);
      work += bytes / subChunks;
      if (node.equals(snapshot.destination)) {
        received -= oneRow ? 0 : least;
        continue;
      }
      if (!units.add(helper.unit())) {
        continue;
      }
      boolean first = nodes.add(node);
      if (node.runsExtension() && first) {
        sums = true;
        // At least one sum has to leave each rack that holds a helper.
        work += racks.add(node.rack) ? least * CROSS_RACK : 0;
      }
    }
    return new Price(CHECKED, sums ? Math.max(0, received) : 0, work, nodes.size());
  }

  private static boolean hasZeros(GroupSnapshot snapshot) {
    return IntStream.range(0, snapshot.units()).anyMatch(unit -> snapshot.unitBytes(unit) == 0);
  }

  /**
   * Says whether no plan can be better in the first criterion: the plan is fully checked, or the
   * operator wants no checks.
   */
  boolean isChecked() {
    return unchecked == CHECKED;
  }

  @Override
  public int compareTo(Price other) {
    int order = Integer.compare(unchecked, other.unchecked);
    if (order == 0) {
      order = Long.compare(linkBytes, other.linkBytes);
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
        : "not checked, ") + "links " + linkBytes + " bytes, work " + workBytes
        + " bytes, " + nodes + " nodes";
  }

  /** Adds up what the nodes of a tree read and send to each other. */
  private static final class Tally {
    private final RepairPlan plan;
    private final SliceGeometry geometry;
    /**
     * The kind of most slices: {@code CHECKED} if all slices are checked, {@code PLAIN} otherwise.
     */
    private final SliceKind usual;
    /**
     * For each node that takes part, the bytes that it would receive (index 0) and send (index 1)
     * if every slice were of the usual kind.
     */
    private final Map<NodeRef, long[]> linkEnds = new HashMap<>();
    private long work;
    /** Bytes that all links together would carry if every slice were of the usual kind. */
    private long sent;

    Tally(RepairPlan plan) {
      this.plan = plan;
      this.geometry = plan.geometry;
      this.usual = SliceKind.of(geometry.checkOneIn == 1, false);
    }

    void visit(PlanNode node) {
      long[] ends = ends(node.node);
      for (RepairSource source : node.sources) {
        long bytes = Math.min(source.length(), geometry.streamBytes());
        if (node.isRemote(source)) {
          // A stock read transfers the whole block, even if the repair needs only parts of it.
          work += bytes;
          move(source.holder, node.node, bytes, bytes);
        } else {
          for (int run = 0; run < source.subChunks; run++) {
            work += inProportion(bytes / source.subChunks,
                source.contributes(SliceKind.PLAIN, run),
                source.contributes(SliceKind.CHECKED, run));
          }
        }
      }
      for (PlanNode child : node.children) {
        long sumBytes = geometry.streamBytes() / geometry.subChunks()
            * NarrowLinks.rowsAbove(child, plan.targets.size(), geometry.subChunks(), usual);
        move(child.node, node.node,
            inProportion(sumBytes, child.contributes(SliceKind.PLAIN),
                child.contributes(SliceKind.CHECKED)),
            child.contributes(usual) ? sumBytes : 0);
        visit(child);
      }
    }

    private long inProportion(long bytes, boolean plain, boolean checked) {
      long inChecked = geometry.checkOneIn == 0 ? 0 : bytes / geometry.checkOneIn;
      return (plain ? bytes - inChecked : 0) + (checked ? inChecked : 0);
    }

    /**
     * Counts a transfer between two nodes.
     *
     * @param bytes bytes that move
     * @param usually bytes that would move if every slice were of the usual kind
     */
    private void move(NodeRef from, NodeRef to, long bytes, long usually) {
      work += from.rack.equals(to.rack) ? 0 : bytes * CROSS_RACK;
      sent += usually;
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
