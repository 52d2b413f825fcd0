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
package org.hdfsppr.namenode.core;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.security.AccessControlException;
import org.hdfsppr.core.membership.GroupIdentity;
import org.hdfsppr.namenode.convert.RpcCaller;
import org.hdfsppr.namenode.spread.BlockMove;
import org.hdfsppr.namenode.spread.SpreadPlan;
import org.hdfsppr.namenode.spread.SpreadPlanner;
import org.hdfsppr.namenode.spread.SpreadView;
import org.hdfsppr.operate.SpreadAnswer;
import org.hdfsppr.operate.SpreadMove;
import org.hdfsppr.operate.SpreadPlace;
import org.hdfsppr.plan.GroupId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers the calls by which superusers move blocks of the same CORE column to different DataNodes.
 * Each move in the answer has a token. With it, a caller could make a DataNode store any bytes as
 * the block. Therefore only superusers get it, like the tokens of the balancer. Thread-safe.
 */
@InterfaceAudience.Private
public final class SpreadRpcHandler {
  private static final Logger LOG = LoggerFactory.getLogger(SpreadRpcHandler.class);
  private static final String AUDIT = "pprCore spread";
  private static final String ALL = "/";

  private final CoreGroupManager keeper;
  private final RpcCaller users;
  private final SpreadView view;
  private final Spreader spreader;

  /**
   * @param keeper has the groups
   * @param users checks the rights of the caller of the present RPC
   * @param view says on which DataNodes blocks are
   */
  public SpreadRpcHandler(CoreGroupManager keeper, RpcCaller users, SpreadView view) {
    this.keeper = keeper;
    this.users = users;
    this.view = view;
    this.spreader = new Spreader(view);
  }

  void checkCaller(String path) throws IOException {
    if (!users.isSuperuser()) {
      users.audit(false, AUDIT, path == null ? ALL : path);
      throw new AccessControlException("Only superusers move blocks between DataNodes, and "
          + users.name() + " is none");
    }
  }

  /**
   * @param path the path of a protected directory; null for all
   * @param directory the inode id of that directory; empty for all
   * @param from the place in the order of the columns at which to begin
   * @param timeoutMs how long the call may take, ms
   */
  SpreadAnswer plan(String path, OptionalLong directory, SpreadPlace from, long timeoutMs)
      throws IOException {
    Spreader.Step step = keeper.call(() ->
        spreader.step(keeper.shelf(), directory, from), timeoutMs);
    String user = users.name();
    List<SpreadMove> moves = new ArrayList<>();
    for (Spreader.Found found : step.found) {
      try {
        moves.add(new SpreadMove(view.grant(found.move, user), found.place.coreGroup,
            found.place.index, found.move.unit));
      } catch (IOException e) {
        LOG.debug("{} is not moved any more", found.move, e);
      }
    }
    if (!moves.isEmpty()) {
      users.audit(true, AUDIT, path == null ? ALL : path);
    }
    return new SpreadAnswer(moves, step.columns(), step.together(), step.staying, step.next());
  }

  /**
   * Looks at the columns of all CORE groups in the order of their ids, some in each step. It plans
   * moves for blocks that are on the same DataNode as another block of their column. It keeps no
   * state between two steps, so that a caller can go on after a failover. Used by the thread that
   * has the groups.
   */
  static final class Spreader {
    /**
     * How many looks a step takes at most. A look holds the NameNode's read lock for some twenty
     * microseconds.
     */
    static final int LOOKS_MAX = 100;
    /** A step ends after the look with which it has this many moves or more. */
    static final int MOVES_MAX = 64;
    /**
     * How many groups that have nothing to look at a step skips at most, such as those of other
     * directories.
     */
    static final int PASSED_MAX = 10_000;

    /** A planned move, and the place of the block's column. */
    static final class Found {
      final BlockMove move;
      final SpreadPlace place;

      private Found(BlockMove move, SpreadPlace place) {
        this.move = move;
        this.place = place;
      }
    }

    /** The result of a step. */
    static final class Step {
      final List<Found> found = new ArrayList<>();
      final Map<String, Long> staying = new TreeMap<>();
      private long columns;
      private long together;
      private SpreadPlace next;

      long columns() {
        return columns;
      }

      long together() {
        return together;
      }

      /** Returns the place at which the next step begins; null if this was the last step. */
      SpreadPlace next() {
        return next;
      }

      private void add(SpreadPlan plan, SpreadPlace place) {
        together += plan.together;
        plan.moves.forEach(move -> found.add(new Found(move, place)));
        plan.staying.forEach((wait, number) ->
            staying.merge(wait.word(), (long) number, Long::sum));
      }
    }

    private final SpreadView view;

    Spreader(SpreadView view) {
      this.view = view;
    }

    /**
     * @param shelf all groups
     * @param directory inode id of a protected directory, to look only at its groups; empty for all
     * @param from the place at which the step begins
     */
    Step step(CoreGroupRegistry shelf, OptionalLong directory, SpreadPlace from) {
      Step step = new Step();
      SpreadPlanner planner = new SpreadPlanner(view::nodes);
      int looks = 0;
      int passed = 0;
      SpreadPlace place = from;
      CoreGroupRegistry.Item item = shelf.from(place.coreGroup);
      while (item != null) {
        CoreGroup group = item.group;
        int index = group.id() == place.coreGroup ? place.index : 0;
        boolean isPassed = directory.isPresent() && directory.getAsLong() != item.directory()
            || index >= group.parity().blockGroups;
        place = new SpreadPlace(group.id(), index);
        if (isPassed ? passed >= PASSED_MAX
            : looks >= LOOKS_MAX || step.found.size() >= MOVES_MAX) {
          step.next = place;
          return step;
        }
        if (isPassed) {
          passed++;
          place = new SpreadPlace(group.id() + 1, 0);
        } else {
          looks++;
          step.columns += group.policy.dataUnits + group.policy.parityUnits;
          step.add(planner.plan(view.rows(ids(group, index))), place);
          place = new SpreadPlace(group.id(), index + 1);
        }
        item = shelf.from(place.coreGroup);
      }
      return step;
    }

    /**
     * Returns the recorded block groups at one index of a group, without those whose identity is
     * unknown.
     */
    private static List<GroupId> ids(CoreGroup group, int index) {
      List<GroupId> ids = new ArrayList<>();
      for (int row = 0; row < group.rows.size(); row++) {
        GroupIdentity identity = group.identity(row, index);
        if (identity != null) {
          ids.add(new GroupId(group.poolId, identity.groupId, identity.generationStamp));
        }
      }
      return ids;
    }
  }
}
