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
import org.hdfsppr.namenode.model.LostGroup;
import org.hdfsppr.namenode.schedule.Resource.Kind;
import org.hdfsppr.plan.FreeSumTopology;

/**
 * Chooses the helpers and the destination of a pipelined chain so that the maximum predicted load
 * of links and disks rises least. RepairBoost (Lin et al., USENIX ATC 2021) shows that, when a node
 * is lost, balance between nodes is worth more than the shape of single repairs. The shape is a
 * chain because no link of a chain carries more than another. If the repair reads parts of units, a
 * free-sum tree and a star move fewer bytes than a chain, but more of them into one node. The
 * scheduler then plans all three, and a chain of k whole units, which may go round busy nodes. On
 * idle links the chain's {@link Score} is better. On busy links the others are better, because
 * there the sum of all bytes counts, unless a node that receives them would become the busiest.
 *
 * <p>Where racks are joined without limit, the choice of the destination does not affect the choice
 * of the helpers, and the scheduler makes the two choices separately. Otherwise the traffic between
 * racks depends on both choices. The scheduler then plans some combinations and takes the best one.
 */
@InterfaceAudience.Private
public final class BalancedScheduler implements Scheduler {
  static final String NAME = "balanced";

  private static final String TOPOLOGY = "chain";
  /** The trees that move no more than a repair reads, if it reads parts of units. */
  private static final List<String> BY_TOTAL = List.of(FreeSumTopology.NAME, Tree.STAR);
  /**
   * The number of racks in which the scheduler tries to place the destination, besides the least
   * loaded rack.
   */
  private static final int RACKS_TRIED = 4;
  private static final double TIE = 1e-3;
  /**
   * A tree that moves fewer bytes than a chain may raise the greatest load of its links and disks
   * above that of the chain by this factor. With a greater factor, nodes that receive stars became
   * the slowest where few nodes could be destinations: a lost node of 18 took 53 s instead of 44 s
   * with Hitchhiker-XOR+ (10,4).
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
   * whole units, as a binary logarithm. The latter reads about twice as much, and is only worth it
   * where some node is much busier than others, which a low power does not show. It is chosen only
   * in the later rounds of {@link #again}, which have a higher exponent than first plans. These
   * rounds know the loads of all repairs of the batch. First plans meet loads that are uneven by
   * chance: with such a choice in them, a lost node of 18 took 45 s with Hitchhiker-XOR+ (10,4),
   * without it 41 s.
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
  public Proposal plan(Fleet fleet, LostGroup group, DestinationFilter filter) {
    return plan(fleet, group, filter, Score.AHEAD);
  }

  @Override
  public int looksAgain() {
    return SQUARINGS.length;
  }

  @Override
  public Proposal again(Fleet fleet, Proposal first, DestinationFilter filter, int look) {
    LostGroup group = first.assignment().get().group;
    if (group.live.stream().anyMatch(holder -> !holder.node.runsExtension())) {
      // Keeps the first plan: a high power of other loads must not outweigh the rule that nodes
      // without the extension come last.
      return first;
    }
    int squarings = SQUARINGS[look];
    Proposal other = plan(fleet, group, filter, squarings);
    return other.assignment().isPresent() && new Score(fleet, other.load, squarings)
        .isBetterThan(new Score(fleet, first.load, squarings)) ? other : first;
  }

  private Proposal plan(Fleet fleet, LostGroup group, DestinationFilter filter, int squarings) {
    GroupView view;
    try {
      view = new GroupView(fleet, group, options.reads);
    } catch (IOException e) {
      return Proposal.refused(Refusal.UNKNOWN_CODE);
    }
    if (view.lost() == 0) {
      return Proposal.refused(Refusal.NOTHING_LOST);
    }
    HelperChoice choice = new HelperChoice(view, squarings);
    if (view.readable().length == 0 || !choice.choose()) {
      return Proposal.refused(Refusal.TOO_FEW_SOURCES);
    }
    Destinations destinations = new Destinations(fleet, view, filter);
    int[] targets = destinations.choose(-1);
    if (targets.length == 0) {
      return Proposal.refused(Refusal.NO_DESTINATION);
    }
    Proposal flat = tree(fleet, view, choice.reads(), choice.order(), choice.end(), targets,
        squarings);
    Proposal best = fleet.isCrossRackLimited()
        ? packed(fleet, view, choice, destinations, flat, squarings) : flat;
    return squarings == Score.AHEAD || view.code().subChunks() == 1 || choice.reads().units == 0
        ? best : wholeUnits(fleet, view, best, targets);
  }

  /**
   * Returns the better one of a plan by a recipe that reads parts of units, and of a chain that
   * reads k whole units. Such a recipe reads from nearly all nodes of the group and leaves no
   * choice, so that nodes which many groups have in common become the busiest. A chain of whole
   * units goes round them.
   */
  private Proposal wholeUnits(Fleet fleet, GroupView view, Proposal recipe, int[] targets) {
    Score ofRecipe = new Score(fleet, recipe.load, WHOLE_SQUARINGS);
    if (!canStayBelow(view, ofRecipe.max())) {
      return recipe;
    }
    HelperChoice choice = new HelperChoice(view, WHOLE_SQUARINGS);
    if (!choice.chooseDecoding(ofRecipe.cost())) {
      return recipe;
    }
    Proposal whole = tree(fleet, view, choice.reads(), choice.order(), choice.end(), targets,
        WHOLE_SQUARINGS);
    Score ofWhole = new Score(fleet, whole.load, WHOLE_SQUARINGS);
    return ofWhole.isBetterThan(ofRecipe) && ofWhole.max() < ofRecipe.max() ? whole : recipe;
  }

  /** Returns whether there are k units whose nodes' up-links would stay less busy than that. */
  private static boolean canStayBelow(GroupView view, double seconds) {
    long bytes = view.streamBytes() * Integer.bitCount(view.lost());
    int idler = 0;
    for (int unit : view.readable()) {
      idler += view.node(unit).linkSeconds(Kind.UP, bytes) < seconds ? 1 : 0;
    }
    return idler >= view.code().dataUnits() - Integer.bitCount(view.zeros());
  }

  private Proposal tree(Fleet fleet, GroupView view, ReadSet reads, int[] preference, int end,
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
    Proposal chain = chainTree.propose();
    // Where some node does not know narrow links, all trees carry as much over each link, and the
    // chain is best.
    if (!readsParts(reads, used) || !chainTree.narrow) {
      return chain;
    }
    Score ofChain = new Score(fleet, chain.load, squarings);
    Proposal best = chain;
    Score least = ofChain;
    for (String topology : BY_TOTAL) {
      Proposal other =
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
   * Moves the units of which the repair reads only a part to the far end of a chain, where its
   * links carry no more than these parts. The order stays as it is otherwise.
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
  private Proposal packed(Fleet fleet, GroupView view, HelperChoice choice,
      Destinations destinations, Proposal flat, int squarings) {
    Proposal best = flat;
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
      Proposal other = packed(fleet, view, preference, tried[t], targets, squarings);
      Score score = new Score(fleet, other.load, squarings);
      if (score.isBetterThan(least)) {
        least = score;
        best = other;
      }
    }
    return best;
  }

  private Proposal packed(Fleet fleet, GroupView view, int[] preference, int rack, int[] targets,
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
    // The last unit of the chain receives nothing. Among the units in the last rack, the code
    // therefore picks the unit on the node with the busiest down-link.
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
}
