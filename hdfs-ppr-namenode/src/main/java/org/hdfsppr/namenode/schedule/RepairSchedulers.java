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
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.namenode.model.LostGroup;

/** The schedulers that can be named in a configuration. */
@InterfaceAudience.Private
public final class RepairSchedulers {
  private static final List<String> NAMES = Collections.unmodifiableList(
      Arrays.asList(BalancedScheduler.NAME, MpprScheduler.NAME, FifoScheduler.CHAIN_NAME,
          FifoScheduler.STAR_NAME));

  private RepairSchedulers() {
  }

  /** @return the names that can be configured */
  public static List<String> names() {
    return NAMES;
  }

  /**
   * @param name the name of the scheduler in the configuration
   * @param options the settings of the scheduler
   * @param random used by the schedulers that choose as stock HDFS does
   * @return the scheduler
   * @throws IllegalArgumentException if no scheduler has that name; the message has the allowed
   *     names
   */
  public static RepairScheduler byName(String name, SchedulerOptions options, Random random) {
    switch (name) {
      case BalancedScheduler.NAME:
        return new BalancedScheduler(options);
      case MpprScheduler.NAME:
        return new MpprScheduler(options);
      case FifoScheduler.CHAIN_NAME:
        return FifoScheduler.chains(options, random);
      case FifoScheduler.STAR_NAME:
        return FifoScheduler.stars(options, random);
      default:
        throw new IllegalArgumentException(
            "Unknown scheduler '" + name + "', choose one of " + NAMES);
    }
  }

  /**
   * Chooses as stock HDFS does: the first sources in the NameNode's order, and a random
   * destination. It is there to compare other schedulers with it. Its trees are chains under the
   * name {@code fifo}. Under the name {@code star}, all helpers send whole blocks to the
   * destination, as in stock HDFS.
   */
  public static final class FifoScheduler implements RepairScheduler {
    static final String CHAIN_NAME = "fifo";
    static final String STAR_NAME = "star";

    /**
     * How many random nodes are tried as the destination. If none of them is suitable, the
     * scheduler takes any suitable node.
     */
    private static final int DRAWS = 32;

    private final String name;
    private final String topology;
    private final SchedulerOptions options;
    private final Random random;

    private FifoScheduler(String name, String topology, SchedulerOptions options, Random random) {
      this.name = name;
      this.topology = topology;
      this.options = options;
      this.random = Objects.requireNonNull(random, "random");
    }

    /**
     * Makes a scheduler whose helpers add up in chains.
     *
     * @param options the settings of the scheduler
     * @param random chooses the destination
     */
    static FifoScheduler chains(SchedulerOptions options, Random random) {
      return new FifoScheduler(CHAIN_NAME, "chain", options, random);
    }

    /**
     * Makes a scheduler whose helpers all send to the destination.
     *
     * @param options the settings of the scheduler
     * @param random chooses the destination
     */
    static FifoScheduler stars(SchedulerOptions options, Random random) {
      return new FifoScheduler(STAR_NAME, Tree.STAR, options, random);
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public String topology() {
      return topology;
    }

    @Override
    public DestinationRank rank() {
      return node -> 0;
    }

    @Override
    public RepairProposal plan(Fleet fleet, LostGroup group, DestinationFilter filter) {
      GroupView view;
      try {
        view = new GroupView(fleet, group, options.reads);
      } catch (IOException e) {
        return RepairProposal.refused(NoPlanReason.UNKNOWN_CODE);
      }
      if (view.lost() == 0) {
        return RepairProposal.refused(NoPlanReason.NOTHING_LOST);
      }
      int[] order = view.readable();
      Optional<ReadSet> reads =
          view.reads.choose(view.lost(), view.zeros(), order, order.length);
      if (!reads.isPresent()) {
        return RepairProposal.refused(NoPlanReason.TOO_FEW_SOURCES);
      }
      DestinationChooser destinations = new DestinationChooser(fleet, view, filter);
      int first = -1;
      for (int draw = 0; draw < DRAWS && first < 0 && fleet.size() > 0; draw++) {
        int node = random.nextInt(fleet.size());
        first = destinations.accepts(node) ? node : -1;
      }
      int[] targets = destinations.choose(first);
      if (targets.length == 0) {
        return RepairProposal.refused(NoPlanReason.NO_DESTINATION);
      }
      return new Tree(fleet, view, options.checkOneIn, reads.get(), order, targets, topology)
          .propose();
    }
  }
}
