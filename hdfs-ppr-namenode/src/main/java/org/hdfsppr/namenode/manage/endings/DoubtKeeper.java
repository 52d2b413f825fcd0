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
import org.hdfsppr.namenode.manage.core.DoubtListener;
import org.hdfsppr.namenode.model.LostGroup;
import org.hdfsppr.namenode.model.RepairScope;
import org.hdfsppr.namenode.model.UnitPlaces;
import org.hdfsppr.namenode.queue.ReconstructionQueue;
import org.hdfsppr.namenode.track.Doubts;
import org.hdfsppr.namenode.track.FaultyNodes;
import org.hdfsppr.namenode.track.GroupBook;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.wire.FailureCause;
import org.hdfsppr.wire.PeerLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes note of the findings of repairs about the units of groups, keeps stock from groups with a
 * unit that may be wrong, and logs the consequences. Used by the manager's thread.
 */
@InterfaceAudience.Private
public final class DoubtKeeper {
  private static final Logger LOG = LoggerFactory.getLogger(DoubtKeeper.class);

  /**
   * How many doubted groups one call of {@link #forgetDeleted} looks at, at most. Each look takes
   * the NameNode's lock for some microseconds.
   */
  private static final int LOOKED_AT_MAX = 32;

  private final PeerLog peerLog = new PeerLog(LOG);
  private final ReconstructionQueue books;
  private final GroupBook groups;
  private final Doubts doubts;
  private final FaultyNodes faulty;
  private final DoubtListener listener;

  /**
   * @param books the NameNode's queue of lost groups
   * @param groups the state of each group
   * @param doubts the groups whose units may contradict each other
   * @param faulty the nodes that seem to calculate wrongly
   * @param listener is called when a doubt begins or ends, or a column contradicts a row
   */
  public DoubtKeeper(ReconstructionQueue books, GroupBook groups, Doubts doubts,
      FaultyNodes faulty, DoubtListener listener) {
    this.listener = listener;
    this.books = books;
    this.groups = groups;
    this.doubts = doubts;
    this.faulty = faulty;
  }

  /**
   * Takes note of the findings of a repair that has ended, perhaps long ago.
   *
   * @param scope the repair
   * @param result the report of the repair's destination
   */
  public void heard(RepairScope scope, RepairResult result) {
    if (result.cause != FailureCause.VERIFICATION) {
      return;
    }
    if (result.outcome == RepairOutcome.REBUILT) {
      if (result.leavesDoubt()) {
        // The units agree only without the unit that was left out, and that unit is still there.
        leftOut(scope, result);
      } else {
        peerLog.warn("at first " + scope.destination,
            "The check of {} failed at first although no unit of those that {} has read is wrong:"
            + " they agree after all, so that a node has calculated wrongly; left"
            + " out was {}", scope.group, scope.destination, result.leftOut);
      }
      noteLeftOut(scope, result);
    } else {
      suspect(scope);
    }
  }

  /**
   * Blames the node that was left out, if it is the only one. Of several nodes, some may be
   * innocent. A node without a unit of the group is not blamed, because it took no part.
   */
  private void noteLeftOut(RepairScope scope, RepairResult result) {
    if (result.leftOut.size() == 1 && !result.undecided
        && scope.live.hasNode(result.leftOut.get(0))) {
      blame(result.leftOut.get(0), scope.group, scope.destination);
    }
  }

  private void suspect(RepairScope scope) {
    GroupId group = scope.group;
    String uuid = scope.destination;
    boolean isNew = !doubts.isOpen(group);
    if (doubts.failedCheck(scope)) {
      sayDoubted(group);
    } else if (isNew && scope.isByColumn()) {
      LOG.warn("{} finds that unit {} of {}, as its column of CORE gives it, contradicts the other"
          + " units of its block group although all checksums are right. A unit of either is wrong,"
          + " or this node has calculated wrongly: another node repairs the group from its own"
          + " units next, with all bytes checked, and stock does not get it until then", uuid,
          scope.columnUnit, group);
    } else if (isNew) {
      LOG.warn("{} finds that the units of {} contradict each other although their checksums are"
          + " right. Either a unit is wrong, or this node has calculated wrongly: another node"
          + " repairs the group next, with all bytes checked, and stock does not get it until then",
          uuid, group);
    }
    tell(isNew, group);
    if (scope.isByColumn()) {
      listener.columnContradicts(group, scope.columnUnit);
    }
    holdBack(group);
  }

  private void tell(boolean hasChanged, GroupId group) {
    if (hasChanged) {
      listener.doubtChanged(group);
    }
  }

  private void leftOut(RepairScope scope, RepairResult result) {
    GroupId group = scope.group;
    boolean isNew = !doubts.isOpen(group);
    if (doubts.leftOut(scope, scope.read(result.readUnits), result.leftOut, !result.undecided)) {
      sayDoubted(group);
      tellIfExplained(group);
    } else if (isNew) {
      LOG.warn("{} has rebuilt {} from units that agree only without those on {}, and could not"
          + " read these once more. One of them may be wrong, or a node has calculated wrongly:"
          + " until that is known stock does not get the group", scope.destination, group,
          result.leftOut);
    }
    tell(isNew, group);
    holdBack(group);
  }

  /**
   * If columns have contradicted the group, tells the listener that a wrong unit of the group
   * explains it.
   */
  private void tellIfExplained(GroupId group) {
    if (doubts.isByColumn(group)) {
      listener.rowIsWrong(group);
    }
  }

  /**
   * Makes a group doubted, because no repair is going to decide soon whether one of its units is
   * wrong.
   */
  private void doubt(GroupId group) {
    boolean isNew = !doubts.isOpen(group);
    if (doubts.doubt(group)) {
      sayDoubted(group);
    }
    tell(isNew, group);
    holdBack(group);
  }

  /**
   * Begins the doubt of a group, because a check outside a repair has found that its units
   * contradict each other. The caller must have excluded an error of calculation and a change of
   * the group during the check. The doubt ends as every other doubt.
   *
   * @param group the group, as the NameNode describes it now
   * @param wrongUnit index of the unit that is wrong; -1 if any may be
   * @return whether stock is kept from the group now; if not, the group is gone, or too many groups
   *     are kept from stock already
   */
  public boolean contradiction(LostGroup group, int wrongUnit) {
    RepairScope scope = RepairScope.ofCheck(group);
    UnitPlaces wrong = scope.live.ofUnits(List.of(wrongUnit));
    groups.takeBack(group.id);
    if (!books.holdBack(group.id)) {
      return false;
    }
    boolean isNew = !doubts.isOpen(group.id);
    if (doubts.contradiction(scope, wrong.isEmpty() ? scope.live : wrong)) {
      sayDoubted(group.id);
    }
    tell(isNew, group.id);
    tellIfExplained(group.id);
    return true;
  }

  /**
   * Ends the doubts of some groups that are deleted. A group that is whole when its file is deleted
   * was in no queue, so that nothing else reports its end.
   */
  public void forgetDeleted() {
    int all = doubts.doubted() + doubts.suspected();
    if (all == 0 || all <= books.counts().heldBack) {
      return;
    }
    List<GroupId> some = doubts.takeSome(LOOKED_AT_MAX);
    some.removeIf(this::mayExist);
    some.forEach(this::end);
  }

  private boolean mayExist(GroupId group) {
    try {
      return books.find(group.groupId).isPresent();
    } catch (RuntimeException e) {
      // The doubt stays, and the cycle of the repairs goes on.
      peerLog.error("find", "The NameNode cannot describe {}, which is doubted", group, e);
      return true;
    }
  }

  /**
   * Makes a suspected group doubted, because no repair by another node is going to decide soon.
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
    // This call is repeated with each finding, because it may have failed at the first finding if
    // the group was being written to.
    if (!books.holdBack(group)) {
      peerLog.error("not held", "{} is not held back from stock: it is gone, or too many are",
          group);
    }
  }

  /**
   * Takes note that a repair of a doubted group has succeeded. Every byte that the repair read
   * agreed with the others, and the repair read at least one unit more than it needs.
   *
   * <p>The doubt stays if the group has a unit that may be wrong and that no such repair has read.
   * This is a unit that was left out, or a unit that the finder of the contradiction could read.
   * Repairs that were ordered before the doubt arose do not count, because they checked only
   * samples. Units that came back by themselves, or that another repair wrote, are not checked at
   * all.
   *
   * @param scope the repair
   * @param readUnits the units that the destination reports as read
   */
  public void repaired(RepairScope scope, List<Integer> readUnits) {
    GroupId group = scope.group;
    String uuid = scope.destination;
    if (!doubts.isOpen(group)) {
      return;
    }
    if (doubts.isOnlyFinder(group, uuid) || faulty.isQuarantined(uuid)) {
      peerLog.warn("word " + group,
          "{} is repaired, and {} finds no contradiction between its units any more, but it is the"
          + " node that found one: its word alone does not end the doubt. Run "
          + Runbook.VERIFY_FILE + ", and if that finds the units right 'hdfs ppr -undoubt'", group,
          uuid);
      undecided(group);
      return;
    }
    UnitPlaces read = scope.read(readUnits);
    Optional<String> refuted = doubts.refuted(scope, read);
    if (!doubts.isEndedBy(scope, read)) {
      peerLog.warn("unread " + group,
          "{} is repaired by {} from units that agree in every byte, but a unit is there that"
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
          + " it leads no repair and sums nothing up, unless a group cannot do without it; its"
          + " units are read as stock reads them. Test the machine's memory. 'hdfs ppr -readmit {}'"
          + " lets it take part again at once",
          uuid, why.get().size(), why.get(), FaultyNodes.QUARANTINE_MS / 3_600_000, uuid);
    }
  }

  /**
   * Ends a doubt, because the group is gone or a superuser has found its units right.
   *
   * @param group the group
   * @return whether there was a doubt
   */
  public boolean end(GroupId group) {
    boolean was = doubts.end(group);
    tell(was, group);
    return books.letGo(group) || was;
  }
}
