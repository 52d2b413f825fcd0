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
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.coder.code.LinearCode;
import org.hdfsppr.namenode.model.LostGroup;
import org.hdfsppr.namenode.schedule.LinkOrDisk.Kind;
import org.hdfsppr.plan.FreeSumTopology;

/**
 * Chooses the helpers and the destination of a pipelined chain so that the maximum predicted load
 * of links and disks rises least. RepairBoost (Lin et al., USENIX ATC 2021) shows that, when a node
 * is lost, balance between nodes is worth more than the shape of single repairs. The shape is a
 * chain because no link of a chain carries more than another.
 *
 * <p>If the repair reads parts of units, the scheduler compares a chain with a free-sum tree, a
 * star, and a chain of k whole units. The free-sum tree and the star move fewer bytes than the
 * chain, but more of them into one node. On idle links the chain has the better {@link Score}. On
 * busy links the free-sum tree or the star has it, because there the sum of all bytes counts,
 * unless a node that receives them would become the busiest. The chain of whole units can leave out
 * busy nodes.
 *
 * <p>If traffic between racks has no limit, the choice of the destination does not affect the
 * choice of the helpers, and the scheduler makes the two choices separately. Otherwise the traffic
 * between racks depends on both choices. The scheduler then plans some combinations and takes the
 * best one.
 */
@InterfaceAudience.Private
public final class BalancedScheduler implements RepairScheduler {
  static final String NAME = "balanced";

  private static final String TOPOLOGY = "chain";
  /**
   * The shapes of trees that move no more bytes than the repair reads, even if it reads parts of
   * units.
   */
  private static final List<String> BY_TOTAL = List.of(FreeSumTopology.NAME, Tree.STAR);
  /**
   * In how many racks the scheduler tries to place the destination, besides the rack of the
   * destination of its first plan.
   */
  private static final int RACKS_TRIED = 4;
  private static final double TIE = 1e-3;
  /**
   * How much a tree that moves fewer bytes than a chain may load its busiest link or disk: at most
   * this factor times the greatest load of the chain. With a greater factor, nodes that receive
   * stars became the slowest where few nodes could be destinations: a lost node of 18 took 53 s
   * instead of 44 s with Hitchhiker-XOR+ (10,4).
   */
  private static final double RISE_MOST = 1.1;
  /**
   * The exponent of {@link Score} for each round of {@link #again}, as a binary logarithm. In these
   * rounds the loads of all repairs of the batch are known, and in the end only the maximum load
   * counts. The first rounds have lower exponents, because other loads have to be moved away before
   * the maximum can fall.
   */
  private static final int[] SQUARINGS = {2, 3, 4};
  /**
   * The exponent of {@link Score} for the choice between a recipe that reads parts of units and k
   * whole units, as a binary logarithm. Whole units are about twice as many bytes. They are only
   * worth it where some node is much busier than others, and a low exponent does not show that.
   * Only the later rounds of {@link #again} make this choice: they have a higher exponent than
   * first plans, and they know the loads of all repairs of the batch. First plans must not make it,
   * because the loads that they see are uneven by chance: a lost node of 18 took 45 s with
   * Hitchhiker-XOR+ (10,4) when first plans made this choice, and 41 s when they did not.
   */
  private static final int WHOLE_SQUARINGS = 4;
  /** The default block size of HDFS, in bytes. */
  private static final long BLOCK_BYTES = 128 << 20;

  private final SchedulerOptions options;

  public BalancedScheduler(SchedulerOptions options) {
    this.options = options;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public DestinationRank rank() {
    return new ByLoad();
  }

  /**
   * Ranks nodes by their load with one more block. The block is added because idle nodes would
   * otherwise rank equally, although users leave different shares of their links and disks free.
   */
  private static final class ByLoad implements DestinationRank {
    @Override
    public double key(NodeState node) {
      return Math.max(node.linkSeconds(Kind.DOWN, BLOCK_BYTES), Math.max(
          node.diskSeconds(0, BLOCK_BYTES), node.linkSeconds(Kind.WRITE_LIMIT, BLOCK_BYTES)));
    }

    @Override
    public double rackKey(double secondsPerByte, long pending) {
      return (pending + BLOCK_BYTES) * secondsPerByte;
    }
  }

  @Override
  public RepairProposal plan(Fleet fleet, LostGroup group, DestinationFilter filter) {
    return plan(fleet, group, filter, Score.AHEAD);
  }

  @Override
  public int looksAgain() {
    return SQUARINGS.length;
  }

  @Override
  public RepairProposal again(Fleet fleet, RepairProposal first, DestinationFilter filter,
      int look) {
    LostGroup group = first.assignment().get().group;
    if (group.live.stream().anyMatch(holder -> !holder.node.runsExtension())) {
      // Keeps the first plan. Nodes without the extension come last in each plan, but with the high
      // exponents of these rounds, the loads of other nodes could outweigh this rule.
      return first;
    }
    int squarings = SQUARINGS[look];
    RepairProposal other = plan(fleet, group, filter, squarings);
    return other.assignment().isPresent() && new Score(fleet, other.load, squarings)
        .isBetterThan(new Score(fleet, first.load, squarings)) ? other : first;
  }

  private RepairProposal plan(Fleet fleet, LostGroup group, DestinationFilter filter,
      int squarings) {
    GroupView view;
    try {
      view = new GroupView(fleet, group, options.reads);
    } catch (IOException e) {
      return RepairProposal.refused(NoPlanReason.UNKNOWN_CODE);
    }
    if (view.lost() == 0) {
      return RepairProposal.refused(NoPlanReason.NOTHING_LOST);
    }
    HelperChoice choice = new HelperChoice(view, squarings);
    if (view.readable().length == 0 || !choice.choose()) {
      return RepairProposal.refused(NoPlanReason.TOO_FEW_SOURCES);
    }
    DestinationChooser destinations = new DestinationChooser(fleet, view, filter);
    int[] targets = destinations.choose(-1);
    if (targets.length == 0) {
      return RepairProposal.refused(NoPlanReason.NO_DESTINATION);
    }
    RepairProposal flat = tree(fleet, view, choice.reads(), choice.order(), choice.end(), targets,
        squarings);
    RepairProposal best = fleet.isCrossRackLimited()
        ? packed(fleet, view, choice, destinations, flat, squarings) : flat;
    return squarings == Score.AHEAD || view.code().subChunks() == 1 || choice.reads().units == 0
        ? best : wholeUnits(fleet, view, best, targets);
  }

  /**
   * Returns the better one of two plans: {@code recipe}, which reads parts of units, and a chain
   * that reads k whole units. A recipe reads from nearly all nodes of the group, so that it cannot
   * avoid nodes that belong to many groups, and these become the busiest. A chain of whole units
   * can leave them out.
   */
  private RepairProposal wholeUnits(Fleet fleet, GroupView view, RepairProposal recipe,
      int[] targets) {
    Score ofRecipe = new Score(fleet, recipe.load, WHOLE_SQUARINGS);
    if (!canStayBelow(view, ofRecipe.max())) {
      return recipe;
    }
    HelperChoice choice = new HelperChoice(view, WHOLE_SQUARINGS);
    if (!choice.chooseDecoding(ofRecipe.cost())) {
      return recipe;
    }
    RepairProposal whole = tree(fleet, view, choice.reads(), choice.order(), choice.end(), targets,
        WHOLE_SQUARINGS);
    Score ofWhole = new Score(fleet, whole.load, WHOLE_SQUARINGS);
    return ofWhole.isBetterThan(ofRecipe) && ofWhole.max() < ofRecipe.max() ? whole : recipe;
  }

  /**
   * Returns whether a chain of whole units has enough units on nodes whose up-links would be busy
   * for less than {@code seconds}, with the units' bytes added.
   */
  private static boolean canStayBelow(GroupView view, double seconds) {
    long bytes = view.streamBytes() * Integer.bitCount(view.lost());
    int idler = 0;
    for (int unit : view.readable()) {
      idler += view.node(unit).linkSeconds(Kind.UP, bytes) < seconds ? 1 : 0;
    }
    return idler >= view.code().dataUnits() - Integer.bitCount(view.zeros());
  }

  private RepairProposal tree(Fleet fleet, GroupView view, ReadSet reads, int[] preference, int end,
      int[] targets, int squarings) {
    int[] used = HelperChoice.used(reads, preference);
    int[] order = preference;
    if (used.length > 0) {
      int[] inChain =
          ChainOrder.of(view, used, end, fleet.node(targets[0]).rack().index);
      if (!fleet.isCrossRackLimited()) {
        wholeUnitsFirst(inChain, reads);
      }
      order = withSpare(inChain, reads, preference);
    }
    Tree chainTree = new Tree(fleet, view, options.checkOneIn, reads, order, targets, TOPOLOGY);
    RepairProposal chain = chainTree.propose();
    // If some node of the tree does not support narrow links, every link of every tree carries the
    // same number of bytes, and the chain is best.
    if (!readsParts(reads, used) || !chainTree.narrow) {
      return chain;
    }
    Score ofChain = new Score(fleet, chain.load, squarings);
    RepairProposal best = chain;
    Score least = ofChain;
    for (String topology : BY_TOTAL) {
      RepairProposal other =
          new Tree(fleet, view, options.checkOneIn, reads, order, targets, topology).propose();
      Score score = new Score(fleet, other.load, squarings);
      if (score.isBetterThan(least) && score.max() <= RISE_MOST * ofChain.max()) {
        best = other;
        least = score;
      }
    }
    return best;
  }

  /**
   * Moves the units of which the repair reads only a part to the end of the chain that is far from
   * the destination: a link there carries no more than the parts read behind it. Otherwise keeps
   * the order.
   */
  private static void wholeUnitsFirst(int[] chain, ReadSet reads) {
    int[] before = chain.clone();
    int size = 0;
    for (boolean whole : new boolean[] {true, false}) {
      for (int unit : before) {
        if (reads.share(unit) == 1 == whole) {
          chain[size++] = unit;
        }
      }
    }
  }

  private static boolean readsParts(ReadSet reads, int[] used) {
    return Arrays.stream(used).anyMatch(unit -> reads.share(unit) < 1);
  }

  private static int[] withSpare(int[] chain, ReadSet reads, int[] preference) {
    int[] order = Arrays.copyOf(chain, preference.length);
    int size = chain.length;
    for (int unit : preference) {
      if (!reads.has(unit)) {
        order[size++] = unit;
      }
    }
    return order;
  }

  /** Returns the best plan among {@code flat} and plans whose helpers are in few racks. */
  private RepairProposal packed(Fleet fleet, GroupView view, HelperChoice choice,
      DestinationChooser destinations, RepairProposal flat, int squarings) {
    RepairProposal best = flat;
    Score least = new Score(fleet, flat.load, squarings);
    int[] preference = choice.order();
    int[] tried = new int[RACKS_TRIED + 1];
    int size = 0;
    tried[size++] = fleet.node(flat.load.targets[0]).rack().index;
    for (int i = 0; i < preference.length && size < tried.length; i++) {
      int rack = ChainOrder.rack(view, preference[i]);
      boolean known = false;
      for (int t = 0; t < size; t++) {
        known |= tried[t] == rack;
      }
      if (!known) {
        tried[size++] = rack;
      }
    }
    for (int t = 0; t < size; t++) {
      int first = t == 0 ? flat.load.targets[0] : destinations.inRack(tried[t]);
      int[] targets = first < 0 ? new int[0] : destinations.choose(first);
      if (targets.length == 0) {
        continue;
      }
      RepairProposal other = packed(fleet, view, preference, tried[t], targets, squarings);
      Score score = new Score(fleet, other.load, squarings);
      if (score.isBetterThan(least)) {
        least = score;
        best = other;
      }
    }
    return best;
  }

  private RepairProposal packed(Fleet fleet, GroupView view, int[] preference, int rack,
      int[] targets,
      int squarings) {
    int[] order = preference.clone();
    // Units in the destination's rack come first, because they send nothing to other racks. Next
    // come the racks with the most units, because a rack sends the same number of bytes to other
    // racks however many units it offers.
    UnitSort.ascending(order, unit -> {
      int its = ChainOrder.rack(view, unit);
      // The small term separates racks that offer equally many units, so that the units of each
      // rack stay together.
      return its == rack ? -view.code().units() - 1
          : -readableIn(view, preference, its) + TIE * firstOf(view, preference, its);
    });
    Optional<ReadSet> reads =
        view.reads.choose(view.lost(), view.zeros(), order, order.length);
    int[] used = HelperChoice.used(reads.get(), order);
    // The last unit of the chain receives nothing. So among the units in the last rack, the one on
    // the node with the busiest down-link comes last.
    int end = used.length == 0 ? -1 : used[used.length - 1];
    for (int unit : used) {
      if (ChainOrder.rack(view, unit) == ChainOrder.rack(view, end)
          && view.node(unit).linkSeconds(Kind.DOWN, 0)
          > view.node(end).linkSeconds(Kind.DOWN, 0)) {
        end = unit;
      }
    }
    return tree(fleet, view, reads.get(), order, end, targets, squarings);
  }

  private static int readableIn(GroupView view, int[] units, int rack) {
    int count = 0;
    for (int unit : units) {
      count += ChainOrder.rack(view, unit) == rack ? 1 : 0;
    }
    return count;
  }

  private static int firstOf(GroupView view, int[] units, int rack) {
    int first = 0;
    while (ChainOrder.rack(view, units[first]) != rack) {
      first++;
    }
    return first;
  }

  /**
   * Chooses the helpers of a chain by their loads, and which helper comes last in the chain. A
   * helper within the chain receives, sends and reads. The last helper receives nothing, so that a
   * node with a busy down-link is best placed there.
   */
  static final class HelperChoice {
    private final GroupView view;
    private final int squarings;
    private final int[] order;
    private double best;
    private final double[] up = new double[LinearCode.MAX_UNITS];
    private final double[] down = new double[LinearCode.MAX_UNITS];
    private final double[] disk = new double[LinearCode.MAX_UNITS];
    private final double[] upMore = new double[LinearCode.MAX_UNITS];
    private final double[] downMore = new double[LinearCode.MAX_UNITS];
    private final double[] diskMore = new double[LinearCode.MAX_UNITS];
    private final double[] limit = new double[LinearCode.MAX_UNITS];
    private final double[] limitMore = new double[LinearCode.MAX_UNITS];
    private ReadSet reads;
    private int end = -1;

    /** @param squarings the exponent of the costs, see {@link Score} */
    HelperChoice(GroupView view, int squarings) {
      this.view = view;
      this.squarings = squarings;
      this.order = view.readable();
      long bytes = view.streamBytes() * Integer.bitCount(view.lost());
      for (int unit : order) {
        NodeState node = view.node(unit);
        up[unit] = node.linkSeconds(Kind.UP, 0);
        upMore[unit] = bytes * node.secondsPerByte(Kind.UP);
        down[unit] = node.linkSeconds(Kind.DOWN, 0);
        downMore[unit] = bytes * node.secondsPerByte(Kind.DOWN);
        disk[unit] = node.diskSeconds(0, 0);
        diskMore[unit] = view.streamBytes() * node.secondsPerByte(Kind.READ);
        limit[unit] = node.linkSeconds(Kind.READ_LIMIT, 0);
        limitMore[unit] = view.streamBytes() * node.secondsPerByte(Kind.READ_LIMIT);
      }
      UnitSort.ascending(order, this::through);
    }

    /**
     * Returns the cost of using a unit's node as a helper that receives, so not as the last of the
     * chain.
     */
    private double through(int unit) {
      return atEnd(unit) + Score.rise(down[unit], downMore[unit], squarings)
          + (view.node(unit).ref().runsExtension() ? 0 : UnitSort.LAST);
    }

    private double atEnd(int unit) {
      return Score.rise(up[unit], upMore[unit], squarings)
          + Score.rise(disk[unit], diskMore[unit], squarings)
          + Score.rise(limit[unit], limitMore[unit], squarings);
    }

    /**
     * Chooses the helpers and the last one of them.
     *
     * @return false if the readable units do not suffice
     */
    boolean choose() {
      Optional<ReadSet> least = choose(order);
      if (!least.isPresent()) {
        return false;
      }
      // If the lost units hold only zeros, the repair reads nothing, and the chain has no last
      // helper.
      reads = least.get();
      best = Double.POSITIVE_INFINITY;
      considerAnyLast(least.get());
      // A recipe of the code reads less, but the nodes that it names may be the busiest ones. So
      // the choice without a recipe is considered, too. This method compares the costs of whole
      // units only; tree() compares recipes that read parts of units.
      if (view.code().subChunks() == 1) {
        view.reads.decode(view.lost(), view.zeros(), order).ifPresent(this::considerAnyLast);
      }
      // A node that is too busy to receive may still be the best last helper, which only sends.
      int[] others = order.clone();
      for (int i = order.length - 1; i > 0 && end >= 0; i--) {
        int unit = order[i];
        if (least.get().has(unit) || !view.node(unit).ref().runsExtension()) {
          continue;
        }
        System.arraycopy(order, 0, others, 1, i);
        others[0] = unit;
        System.arraycopy(order, i + 1, others, i + 1, order.length - i - 1);
        Optional<ReadSet> other = choose(others);
        if (other.isPresent() && other.get().has(unit)) {
          consider(other.get(), unit);
        }
      }
      return true;
    }

    private Optional<ReadSet> choose(int[] preferred) {
      return view.reads.choose(view.lost(), view.zeros(), preferred, preferred.length);
    }

    private void considerAnyLast(ReadSet set) {
      for (int unit : order) {
        if (set.has(unit)) {
          consider(set, unit);
        }
      }
    }

    private void consider(ReadSet set, int last) {
      double cost = 0;
      for (int unit : order) {
        if (set.has(unit)) {
          cost += unit == last ? atEnd(unit) : through(unit);
        }
      }
      if (cost < best) {
        best = cost;
        reads = set;
        end = last;
      }
    }

    /**
     * Chooses the helpers that suffice without a recipe of the code, if their cost may be less than
     * a given one.
     *
     * @param than the cost of another plan
     * @return whether there are such helpers; {@link #reads} and {@link #end} then describe them
     */
    boolean chooseDecoding(double than) {
      // Without a recipe, k units are read. The last one receives nothing.
      int least = view.code().dataUnits() - Integer.bitCount(view.zeros());
      double cost = 0;
      for (int i = 0; i < Math.min(least, order.length); i++) {
        cost += i == 0 ? atEnd(order[i]) : through(order[i]);
      }
      if (cost >= than) {
        return false;
      }
      Optional<ReadSet> decoding = view.reads.decode(view.lost(), view.zeros(), order);
      best = Double.POSITIVE_INFINITY;
      decoding.ifPresent(this::considerAnyLast);
      return decoding.isPresent();
    }

    ReadSet reads() {
      return reads;
    }

    /** Returns the last unit of the chain, or -1 if the repair reads nothing. */
    int end() {
      return end;
    }

    /** Returns a copy of all readable units, the unit on the least loaded node first. */
    int[] order() {
      return order.clone();
    }

    /**
     * Returns the units of {@code order} that the repair reads for the result, in the same order.
     */
    static int[] used(ReadSet reads, int[] order) {
      int[] used = new int[order.length];
      int size = 0;
      for (int unit : order) {
        if (reads.has(unit)) {
          used[size++] = unit;
        }
      }
      return Arrays.copyOf(used, size);
    }
  }

  /**
   * Orders the units of a chain rack by rack, so that the chain enters each rack only once. The
   * destination's rack comes first, and the rack of the chain's last unit comes last.
   */
  static final class ChainOrder {
    private ChainOrder() {
    }

    /**
     * @param used the units to be ordered; units of the same rack keep their order
     * @param end the used unit that comes last in the chain; its node receives nothing
     * @param destinationRack index of the destination's rack
     * @return the used units, {@code end} last
     */
    static int[] of(GroupView view, int[] used, int end, int destinationRack) {
      int[] order = new int[used.length];
      int size = 0;
      int endRack = rack(view, end);
      boolean[] placed = new boolean[used.length];
      if (endRack != destinationRack) {
        size = takeRack(view, used, end, destinationRack, placed, order, size);
      } else if (used.length > 1) {
        // The chain must enter the rack of {@code end} only once. If the destination is in this
        // rack, the rack comes first, with {@code end} behind its other units.
        size = takeRack(view, used, end, endRack, placed, order, size);
      }
      for (int i = 0; i < used.length; i++) {
        if (!placed[i] && used[i] != end && rack(view, used[i]) != endRack) {
          size = takeRack(view, used, end, rack(view, used[i]), placed, order, size);
        }
      }
      size = takeRack(view, used, end, endRack, placed, order, size);
      order[size] = end;
      return order;
    }

    private static int takeRack(GroupView view, int[] used, int end, int rack, boolean[] placed,
        int[] order, int from) {
      int size = from;
      for (int i = 0; i < used.length; i++) {
        if (!placed[i] && used[i] != end && rack(view, used[i]) == rack) {
          placed[i] = true;
          order[size++] = used[i];
        }
      }
      return size;
    }

    static int rack(GroupView view, int unit) {
      return view.node(unit).rack().index;
    }
  }
}
