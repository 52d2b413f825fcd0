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
package org.hdfsppr.namenode.manage.endings;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.conf.Runbook;
import org.hdfsppr.manage.RepairOutcome;
import org.hdfsppr.manage.RepairResult;
import org.hdfsppr.namenode.model.RepairScope;
import org.hdfsppr.namenode.model.UnitPlaces;
import org.hdfsppr.namenode.queue.ReconstructionQueue;
import org.hdfsppr.namenode.track.Doubts;
import org.hdfsppr.namenode.track.FaultyNodes;
import org.hdfsppr.namenode.track.GroupBook;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.wire.FailureCause;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes note of what repairs say about the units of groups, keeps stock from groups of which one
 * may be wrong, and says in the log what follows. Used by the manager's thread.
 */
@InterfaceAudience.Private
public final class DoubtKeeper {
  private static final Logger LOG = LoggerFactory.getLogger(DoubtKeeper.class);

  private final ReconstructionQueue books;
  private final GroupBook groups;
  private final Doubts doubts;
  private final FaultyNodes faulty;

  /**
   * Keeps its arguments and does nothing else.
   *
   * @param books the NameNode's books
   * @param groups the state of each group
   * @param doubts the groups whose units may contradict each other
   * @param faulty the nodes that seem to calculate wrongly
   */
  public DoubtKeeper(ReconstructionQueue books, GroupBook groups, Doubts doubts,
      FaultyNodes faulty) {
    this.books = books;
    this.groups = groups;
    this.doubts = doubts;
    this.faulty = faulty;
  }

  /**
   * A repair of a group has ended, perhaps long ago.
   *
   * @param group the group
   * @param uuid the node that led it, and says so
   * @param scope what it may have read and written
   * @param result what the node that led the repair says of it
   */
  public void heard(GroupId group, String uuid, RepairScope scope, RepairResult result) {
    if (result.cause() != FailureCause.VERIFICATION) {
      return;
    }
    if (result.outcome() == RepairOutcome.REBUILT) {
      if (result.leavesDoubt()) {
        // The others agree without one of them, which is there still.
        leftOut(group, uuid, scope, result);
      } else {
        LOG.warn("The check of {} failed at first although no unit of those that {} has"
            + " read is wrong: they agree after all, so that a node has calculated wrongly; left"
            + " out was {}", group, uuid, result.leftOut());
      }
      noteLeftOut(group, uuid, scope, result);
    } else {
      suspect(group, uuid, scope);
    }
  }

  /** One that is named among several may be innocent, and one without a unit had no part in it. */
  private void noteLeftOut(GroupId group, String uuid, RepairScope scope, RepairResult result) {
    if (result.leftOut().size() == 1 && !result.isUndecided()
        && scope.live().hasNode(result.leftOut().get(0))) {
      blame(result.leftOut().get(0), group, uuid);
    }
  }

  private void suspect(GroupId group, String uuid, RepairScope scope) {
    boolean isNew = !doubts.isOpen(group);
    if (doubts.failedCheck(group, uuid, scope)) {
      sayDoubted(group);
    } else if (isNew) {
      LOG.warn("{} finds that the units of {} contradict each other although their checksums are"
          + " right. Either a unit is wrong, or this node has calculated wrongly: another one"
          + " repairs it next, with all bytes checked, and until then it is not left to stock",
          uuid, group);
    }
    holdBack(group);
  }

  private void leftOut(GroupId group, String uuid, RepairScope scope, RepairResult result) {
    boolean isNew = !doubts.isOpen(group);
    if (doubts.leftOut(group, uuid, scope, scope.read(result.readUnits()), result.leftOut(),
        !result.isUndecided())) {
      sayDoubted(group);
    } else if (isNew) {
      LOG.warn("{} has rebuilt {} from units that agree only without those on {}, and could not"
          + " read these once more. One of them may be wrong, or a node has calculated wrongly:"
          + " until that is known the group is not left to stock", uuid, group, result.leftOut());
    }
    holdBack(group);
  }

  /** A group is doubted: nothing is going to decide soon whether one of its units is wrong. */
  private void doubt(GroupId group) {
    if (doubts.doubt(group)) {
      sayDoubted(group);
    }
    holdBack(group);
  }

  /**
   * What is only suspected is doubted, because no other node's repair is to be expected soon.
   *
   * @param group the group
   */
  public void undecided(GroupId group) {
    if (doubts.isSuspected(group)) {
      doubt(group);
    }
  }

  private static void sayDoubted(GroupId group) {
    LOG.error("The units of {} contradict each other although their checksums are right, so that"
        + " one of them is wrong. It is not left to stock, which would decode it without notice,"
        + " and is tried again from time to time. Compare the file with a copy, or run "
        + Runbook.VERIFY_FILE + "; " + Runbook.CONTRADICTING_UNITS + " says more", group);
  }

  private void holdBack(GroupId group) {
    groups.takeBack(group);
    // Each time: the first one may have come while the group was being written to.
    if (!books.holdBack(group)) {
      LOG.error("{} is not held back from stock: it is gone, or too many are", group);
    }
  }

  /**
   * A repair that was ordered as doubted has been done only if every byte that it read agreed with
   * the others, of one unit more than it needs at least. The doubt stays as long as the group has a
   * unit that may be wrong and that no such repair has read: one that was left out, or one of those
   * that the node could read which found the contradiction. One that was ordered before
   * the doubt arose has checked samples, and of what came back by itself, or what another repair
   * wrote, nothing has been checked.
   *
   * @param group the group
   * @param uuid the node that led it
   * @param scope what it may have read and written
   * @param readUnits what it says it has read
   */
  public void repaired(GroupId group, String uuid, RepairScope scope, List<Integer> readUnits) {
    if (!doubts.isOpen(group)) {
      return;
    }
    if (doubts.isOnlyFinder(group, uuid) || faulty.isQuarantined(uuid)) {
      LOG.warn("{} is repaired, and {} finds no contradiction between its units any more, but it is"
          + " the node that found one: its word alone does not end the doubt. Run "
          + Runbook.VERIFY_FILE + ", and if that finds the units right 'hdfs ppr -undoubt'", group,
          uuid);
      undecided(group);
      return;
    }
    UnitPlaces read = scope.read(readUnits);
    Optional<String> refuted = doubts.refuted(group, scope, read);
    if (!doubts.isEndedBy(group, uuid, scope, read)) {
      LOG.warn("{} is repaired by {} from units that agree in every byte, but a unit is there that"
          + " it has not read, and that one may be wrong: the doubt stays. Run "
          + Runbook.VERIFY_FILE + ", and if that finds the units right 'hdfs ppr -undoubt'", group,
          uuid);
      undecided(group);
      return;
    }
    if (refuted.isPresent()) {
      LOG.warn("{} is repaired by {}, and its units agree in every byte: {}, which found that they"
          + " contradict each other, has calculated wrongly", group, uuid, refuted.get());
      blame(refuted.get(), group, uuid);
    } else {
      LOG.warn("{}, whose units contradicted each other, is repaired from units that agree in every"
          + " byte, and each of those that were in doubt has been read or written anew", group);
    }
    end(group);
  }

  private void blame(String uuid, GroupId group, String witness) {
    Optional<Set<GroupId>> why = faulty.mark(uuid, group, witness);
    if (why.isPresent()) {
      LOG.error("The memory or the processor of DataNode {} seems to be bad: checks of {} groups"
          + " failed with it, and the repairs of other nodes succeed without it: {}. For {} hours"
          + " it leads no repair and adds nothing up, unless a group cannot do without it; what it"
          + " stores is read as stock reads it. Test the machine's memory. 'hdfs ppr -readmit {}'"
          + " lets it take part again at once",
          uuid, why.get().size(), why.get(), FaultyNodes.QUARANTINE_MS / 3_600_000, uuid);
    }
  }

  /**
   * Ends a doubt: the group is no more, or somebody has looked.
   *
   * @param group the group
   * @return whether there was one
   */
  public boolean end(GroupId group) {
    boolean was = doubts.end(group);
    return books.letGo(group) || was;
  }
}
