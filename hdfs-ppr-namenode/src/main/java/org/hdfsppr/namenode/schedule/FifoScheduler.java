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
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.namenode.model.LostGroup;

/**
 * Chooses as stock HDFS does: the first sources in the NameNode's order, and a random destination.
 * Other schedulers can be compared with this one.
 */
@InterfaceAudience.Private
public final class FifoScheduler implements Scheduler {
  static final String NAME = "fifo";

  private static final String TOPOLOGY = "chain";
  /**
   * The number of random nodes that are tried as the destination. If none of them is suitable, the
   * scheduler takes any suitable node.
   */
  private static final int DRAWS = 32;

  private final SchedulerOptions options;
  private final Random random;

  /**
   * Makes a scheduler with these options.
   *
   * @param options the settings of the scheduler
   * @param random chooses the destination
   */
  public FifoScheduler(SchedulerOptions options, Random random) {
    this.options = options;
    this.random = Objects.requireNonNull(random, "random");
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public DestinationRank rank() {
    return node -> 0;
  }

  @Override
  public Proposal plan(Fleet fleet, LostGroup group, DestinationFilter filter) {
    GroupView view;
    try {
      view = new GroupView(fleet, group, options.reads());
    } catch (IOException e) {
      return Proposal.refused(Refusal.UNKNOWN_CODE);
    }
    if (view.lost() == 0) {
      return Proposal.refused(Refusal.NOTHING_LOST);
    }
    int[] order = view.readable();
    Optional<ReadSet> reads =
        view.reads().choose(view.lost(), view.zeros(), order, order.length);
    if (!reads.isPresent()) {
      return Proposal.refused(Refusal.TOO_FEW_SOURCES);
    }
    Destinations destinations = new Destinations(fleet, view, filter);
    int first = -1;
    for (int draw = 0; draw < DRAWS && first < 0 && fleet.size() > 0; draw++) {
      int node = random.nextInt(fleet.size());
      first = destinations.accepts(node) ? node : -1;
    }
    int[] targets = destinations.choose(first);
    if (targets.length == 0) {
      return Proposal.refused(Refusal.NO_DESTINATION);
    }
    return new Tree(fleet, view, options.checkOneIn(), reads.get(), order, targets, TOPOLOGY)
        .propose();
  }
}
