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

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.hdfsppr.namenode.model.Assignment;
import org.hdfsppr.namenode.model.UnitReads;
import org.hdfsppr.namenode.schedule.LinkOrDisk.Kind;
import org.hdfsppr.plan.FreeSumTopology;
import org.hdfsppr.plan.UnitHolder;

/**
 * Calculates the bytes that the tree of a repair moves, once the helpers, their order and the
 * targets are chosen. The tree has the shape that {@link org.hdfsppr.plan.TreeTopologies} will give
 * it. The destination has the number 0, and the nodes that sum have the numbers from 1, in their
 * order:
 *
 * <pre>
 *   chain     the parent of i is i - 1; the last one receives nothing
 *   ppr       the parent of i is i without its lowest set bit
 *   star      the parent of i is 0
 *   free-sum  see {@link FreeSumTopology#parents}
 * </pre>
 *
 * <p>Every node that sums sends one sum for each lost unit, however many children it has. In a code
 * with sub-chunks, links are narrow if all nodes of the tree support that: a link carries no more
 * than the subtree below it reads, see {@link org.hdfsppr.plan.NarrowLinks}. If not all nodes do, a
 * chain takes the place of a free-sum tree. Nodes that are read only for the check extend a chain
 * below its last node, and send only for the few slices that are checked. The nodes that sum take
 * turns to read from the nodes without the extension; the summing node farthest from the
 * destination begins.
 */
final class Tree {
  private static final String PPR = "ppr";
  static final String STAR = "star";

  private final Fleet fleet;
  private final GroupView view;
  private final String topology;
  private final int[] targets;
  private final boolean byDecoding;
  /**
   * Whether all links of the tree are narrow: each carries no more than the subtree below it reads.
   */
  final boolean narrow;
  private final UnitReads reads;
  /**
   * The number of each node's parent in a free-sum tree, also of nodes that are read only for the
   * check; null for other trees.
   */
  private final int[] freeSum;
  private final List<UnitHolder> helpers = new ArrayList<>();
  private final int[] sums;
  /**
   * How much the subtree of each node reads for the result, in units, by the number of its top
   * node. Before {@link #addUp}, only what that node itself reads.
   */
  private final double[] shares;
  private int sumSize;
  private final int[] checks;
  private int checkSize;
  private final int[] stock;
  private final double[] stockShares;
  private int stockSize;
  private final TreeLoad load;
  private final long checkBytes;
  /**
   * Bytes of the check that each link carries. With sub-chunks, the check has only one row, and
   * each unit has as many rows as there are sub-chunks.
   */
  private final long checkRowBytes;

  /**
   * @param checkOneIn one slice in this many is checked; 0 if none is
   * @param reads the units that are read for the result
   * @param order all units that can be read: those for the result from the destination to the far
   *     end of the tree, and among the others, those that are preferred for the check first
   * @param targets the nodes that get the lost units, in the order of the units; the first node is
   *     the destination
   */
  Tree(Fleet fleet, GroupView view, int checkOneIn, ReadSet reads, int[] order, int[] targets,
      String topology) {
    this.fleet = fleet;
    this.load = new TreeLoad(fleet);
    this.view = view;
    this.topology = topology;
    this.targets = targets;
    this.byDecoding = reads.byDecoding;
    int[] spare = new int[order.length];
    int spareSize = 0;
    for (int unit : order) {
      if (!reads.has(unit)) {
        spare[spareSize++] = unit;
      }
    }
    int checked = checkOneIn == 0 ? 0
        : view.reads.checks(view.lost(), view.zeros(), reads, spare, spareSize);
    this.reads = reads.inSubChunks(view.code().subChunks());
    long stream = view.streamBytes();
    checkBytes = checked == 0 ? 0 : Math.max(1, stream / checkOneIn);
    checkRowBytes = checked == 0 ? 0 : Math.max(1, checkBytes / view.code().subChunks());
    sums = new int[order.length];
    shares = new double[order.length + 1];
    checks = new int[order.length];
    stock = new int[order.length];
    stockShares = new double[order.length];
    for (int unit : order) {
      if (reads.has(unit)) {
        addHelper(unit, Math.round(Math.min(view.bytes(unit), stream) * reads.share(unit)), false);
        addShare(unit, reads.share(unit));
      }
    }
    if (helpers.isEmpty() && order.length > 0) {
      // Only zeros are lost: one helper has to send them.
      addHelper(order[0], stream, false);
      addShare(order[0], 1);
    }
    for (int i = 0; i < spareSize; i++) {
      if ((checked >> spare[i] & 1) != 0) {
        addHelper(spare[i], checkBytes, true);
      }
    }
    narrow = view.code().subChunks() > 1 && allKnowNarrowLinks();
    freeSum = topology.equals(FreeSumTopology.NAME) && narrow ? freeSumParents() : null;
    connect();
  }

  private int[] freeSumParents() {
    int subChunks = view.code().subChunks();
    int[] runs = new int[sumSize + checkSize];
    for (int i = 0; i < sumSize; i++) {
      runs[i] = (int) Math.round(shares[i + 1] * subChunks);
    }
    return FreeSumTopology.parents(runs, subChunks, Integer.bitCount(view.lost()));
  }

  private void addHelper(int unit, long readBytes, boolean onlyChecks) {
    NodeState node = view.node(unit);
    helpers.add(view.holder(unit));
    load.read(node, readBytes);
    if (!node.ref().runsExtension()) {
      stock[stockSize++] = unit;
    } else if (!contains(sums, sumSize, node.index)
        && !contains(checks, checkSize, node.index)) {
      if (onlyChecks) {
        checks[checkSize++] = node.index;
      } else {
        sums[sumSize++] = node.index;
      }
    }
  }

  private void addShare(int unit, double share) {
    int node = view.node(unit).index;
    if (stockSize > 0 && stock[stockSize - 1] == unit) {
      stockShares[stockSize - 1] = share;
    }
    for (int i = 0; i < sumSize; i++) {
      if (sums[i] == node) {
        shares[i + 1] += share;
      }
    }
  }

  private static boolean contains(int[] nodes, int size, int node) {
    for (int i = 0; i < size; i++) {
      if (nodes[i] == node) {
        return true;
      }
    }
    return false;
  }

  /**
   * Returns the number of the node that reads the unit of a node without the extension; 0 for the
   * destination.
   */
  private int readerOf(int stockIndex) {
    return sumSize == 0 ? 0 : sumSize - stockIndex % sumSize;
  }

  private void connect() {
    int lostUnits = Integer.bitCount(view.lost());
    for (int i = 0; i < stockSize; i++) {
      shares[readerOf(i)] += stockShares[i];
    }
    addUp();
    for (int i = 1; i <= sumSize; i++) {
      double units = narrow ? Math.min(lostUnits, shares[i]) : lostUnits;
      load.edge(sums[i - 1], nodeAt(parent(i)),
          Math.round(view.streamBytes() * units) + checkRowBytes);
    }
    connectChecks();
    for (int i = 0; i < stockSize; i++) {
      int reader = readerOf(i);
      load.edge(view.node(stock[i]).index, nodeAt(reader), view.bytes(stock[i]));
      // The bytes count for the read limit of the node that reads them, not of the node that sends
      // them.
      load.limit(nodeAt(reader), Kind.READ_LIMIT, view.bytes(stock[i]));
    }
    int[] lost = CodeReads.bits(view.lost());
    for (int i = 0; i < targets.length; i++) {
      long bytes = view.bytes(lost[i]);
      if (i > 0) {
        load.edge(targets[0], targets[i], bytes);
      }
      load.write(targets[0], targets[i], bytes);
    }
  }

  /** Adds to the share of each node the shares of all nodes below it. */
  private void addUp() {
    if (freeSum != null) {
      // A node without children may have a parent with a higher number, so that its share is added
      // first.
      for (int i = 1; i <= sumSize; i++) {
        if (!sumsFreely(i)) {
          shares[freeSum[i]] += shares[i];
        }
      }
    }
    // All other parents have lower numbers than their children. In descending order, the share of a
    // child is complete before it is added to its parent's.
    for (int i = sumSize; i >= 1; i--) {
      if (freeSum == null || sumsFreely(i)) {
        shares[parent(i)] += shares[i];
      }
    }
  }

  /** Returns whether a node of a free-sum tree has children. */
  private boolean sumsFreely(int number) {
    for (int parent : freeSum) {
      if (parent == number) {
        return true;
      }
    }
    return false;
  }

  private void connectChecks() {
    if (freeSum != null) {
      for (int i = 0; i < checkSize; i++) {
        int parent = freeSum[sumSize + i + 1];
        // If no unit is read in parts, the tree is a chain, and each node of the check sends to the
        // node before it.
        load.edge(checks[i], parent <= sumSize ? nodeAt(parent) : checks[parent - sumSize - 1],
            checkRowBytes);
      }
      return;
    }
    int above = topology.equals(STAR) || sumSize == 0 ? targets[0]
        : sums[topology.equals(PPR) ? sumSize - 1 - (sumSize + 1) % 2 : sumSize - 1];
    for (int i = 0; i < checkSize; i++) {
      load.edge(checks[i], above, checkRowBytes);
      if (!topology.equals(STAR)) {
        above = checks[i];
      }
    }
  }

  private boolean allKnowNarrowLinks() {
    for (int i = 0; i < sumSize; i++) {
      if (!fleet.node(sums[i]).report().knowsNarrowLinks()) {
        return false;
      }
    }
    return fleet.node(targets[0]).report().knowsNarrowLinks();
  }

  private int nodeAt(int number) {
    return number == 0 ? targets[0] : sums[number - 1];
  }

  private int parent(int number) {
    if (freeSum != null) {
      return freeSum[number];
    }
    switch (topology) {
      case PPR:
        return number & number - 1;
      case STAR:
        return 0;
      default:
        return number - 1;
    }
  }

  RepairProposal propose() {
    int[] read = Arrays.copyOf(sums, sumSize + checkSize + stockSize);
    System.arraycopy(checks, 0, read, sumSize, checkSize);
    int size = sumSize + checkSize;
    for (int i = 0; i < stockSize; i++) {
      int node = view.node(stock[i]).index;
      if (!contains(read, size, node)) {
        read[size++] = node;
      }
    }
    List<UnitHolder> rebuilt = new ArrayList<>();
    int[] lost = CodeReads.bits(view.lost());
    for (int i = 0; i < targets.length; i++) {
      rebuilt.add(view.target(lost[i], targets[i]));
    }
    RepairLoad whole = load.build(Arrays.copyOf(read, size), targets);
    return RepairProposal.of(new Assignment(view.group, helpers, rebuilt, topology, byDecoding)
        .reading(reads), whole,
        new Score(fleet, whole, Score.AHEAD).max());
  }
}
