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
package org.hdfsppr.client.verify;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.hdfsppr.client.read.LocatedUnits;
import org.hdfsppr.coder.code.LinearCode;
import org.hdfsppr.plan.NoPlanException;
import org.hdfsppr.plan.SliceGeometry;
import org.hdfsppr.plan.UnitHolder;
import org.hdfsppr.plan.ZeroSumPlan;
import org.hdfsppr.plan.ZeroSumPlanner;
import org.hdfsppr.verify.WrongSlices;
import org.hdfsppr.verify.WrongUnitEvidence;
import org.hdfsppr.wire.FailureCause;
import org.hdfsppr.wire.PeerText;
import org.hdfsppr.wire.RepairException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks groups, each by itself. It reports a contradiction only after two readings of a group: in
 * the first the DataNodes add up, in the second the client adds up. It also compares how the
 * NameNode describes the group before and after both readings, and reports a contradiction only if
 * nothing has changed. Thread-safe.
 */
@InterfaceAudience.Private
public final class GroupVerification {
  private static final Logger LOG = LoggerFactory.getLogger(GroupVerification.class);
  /**
   * How many attempts a group gets at most. After an attempt has failed, the next one does without
   * the node that has failed, or waits for a busy node. A group has at most 16 nodes, and a node is
   * left out after two failures.
   */
  private static final int ATTEMPTS_MOST = 24;
  /** A node that has failed this many times is left out of the check. */
  private static final int STRIKES_MOST = 2;
  /**
   * How many times a group is checked at most if the sums of the DataNodes are wrong, but the units
   * agree when the client reads them one by one. A DataNode that calculates wrongly can cause this
   * any number of times.
   */
  private static final int TRANSIENTS_MOST = 3;
  /** How many times a group is checked at most if it changes during each check. */
  private static final int CHANGES_MOST = 5;
  /**
   * The wait after the first answer of a busy node, ms. It doubles after each such answer, up to
   * {@link #PAUSE_MS_MOST}.
   */
  private static final long PAUSE_MS_LEAST = 100;
  private static final long PAUSE_MS_MOST = 5_000;

  /** Waits. */
  interface Pause {
    void millis(long millis) throws InterruptedException;
  }

  private final GroupLookup lookup;
  private final Readings readings;
  private final HelperOrder order;
  private final Pause pause;
  private final boolean all;

  /**
   * @param all whether to check each independent equation of a code by itself, instead of one sum
   *     of all
   */
  GroupVerification(GroupLookup lookup, Readings readings, HelperOrder order, Pause pause,
      boolean all) {
    this.lookup = lookup;
    this.readings = readings;
    this.order = order;
    this.pause = pause;
    this.all = all;
  }

  /**
   * Checks one group. If something fails, the finding says so, and this method throws nothing.
   *
   * @param spot where the group was found
   * @return what was found
   */
  public GroupFinding check(GroupSpot spot) {
    try {
      return new OneGroup(spot).check();
    } catch (IOException | RuntimeException e) {
      LOG.debug("{} was not checked", spot, e);
      return GroupFinding.of(spot, Verdict.NOT_CHECKED, Sentences.of(e));
    }
  }

  /** The check of one group, over all of its attempts. */
  private final class OneGroup {
    private final GroupSpot spot;
    /** Why units cannot be read, by the index of the unit. */
    private final Map<Integer, String> unreadable = new TreeMap<>();
    /**
     * UUIDs of the nodes that serve no sums. Other nodes read the units of these nodes, as stock
     * reads blocks.
     */
    private final Set<String> withoutPort = new HashSet<>();
    private final Map<String, Integer> strikes = new HashMap<>();
    private long clientBytes;
    private int transients;
    private int changes;
    private long pauseMs = PAUSE_MS_LEAST;

    OneGroup(GroupSpot spot) {
      this.spot = spot;
    }

    GroupFinding check() throws IOException {
      IOException last = null;
      for (int attempt = 0; attempt < ATTEMPTS_MOST; attempt++) {
        SeenGroup view = lookup.find(spot);
        if (view.state == SeenGroup.State.GONE) {
          return GroupFinding.of(spot, Verdict.GONE, "it was deleted before it was checked");
        }
        if (view.state == SeenGroup.State.OPEN) {
          return GroupFinding.of(spot, Verdict.OPEN, "a writer has it open");
        }
        try {
          GroupFinding finding = attempt(view);
          if (finding != null) {
            return finding;
          }
        } catch (RepairException e) {
          LOG.debug("{} is tried again", spot, e);
          last = e;
          note(view.group, e);
        }
      }
      throw last == null ? new IOException("it changed while it was read, each time") : last;
    }

    /** Returns a finding, or null if the group has to be checked once more. */
    private GroupFinding attempt(SeenGroup view) throws IOException {
      LocatedUnits group = view.group;
      LinearCode code = view.code;
      ZeroSumPlanner planner = new ZeroSumPlanner(group.layout(), code, HelperOrder.READER,
          Math.max(SliceGeometry.SLICE_BYTES_MIN,
              SliceGeometry.SLICE_BYTES / code.subChunks()));
      List<UnitHolder> live = live(group, code);
      ZeroSumPlan plan;
      try {
        plan = planner.plan(live, all);
      } catch (NoPlanException e) {
        Set<Integer> absent = new HashSet<>(planner.units());
        live.forEach(holder -> absent.remove(holder.unit));
        return finding(unreadable.isEmpty() ? Verdict.NOT_CHECKED : Verdict.UNREADABLE,
            PeerText.firstLine(e) + reasons(group), absent, 0);
      }
      WrongSlices wrong = readings.sums(group, plan);
      clientBytes += wrong.bytesReceived();
      long unitBytes = live.stream().mapToLong(holder -> group.unitBytes(holder.unit)).sum();
      if (wrong.count() == 0) {
        return agreement(group, plan, unitBytes);
      }
      WrongUnitEvidence evidence = readings.oneByOne(group, planner, live, wrong.some());
      if (!view.isSame(lookup.find(spot))) {
        return ++changes < CHANGES_MOST ? null : finding(Verdict.NOT_CHECKED,
            "it changed while it was read, each time", plan.missing, unitBytes);
      }
      if (evidence.isClean()) {
        return ++transients < TRANSIENTS_MOST ? null : finding(Verdict.NOT_CHECKED,
            "the sums of its DataNodes were wrong " + transients + " times, but its units agree"
                + " when they are read one by one: one of " + nodes(live) + " seems to calculate"
                + " wrongly; test the memory of these machines", plan.missing, unitBytes);
      }
      return contradiction(group, plan, evidence, wrong, unitBytes);
    }

    private GroupFinding agreement(LocatedUnits group, ZeroSumPlan plan, long unitBytes) {
      if (!unreadable.isEmpty()) {
        return finding(Verdict.UNREADABLE, "the other units agree" + reasons(group),
            plan.missing, unitBytes);
      }
      if (!plan.uncovered.isEmpty()) {
        return finding(Verdict.NOT_CHECKED, "without its units " + plan.missing
            + ", nothing shows whether units " + plan.uncovered + " are right; the others agree",
            plan.missing, unitBytes);
      }
      return finding(Verdict.AGREES, plan.missing.isEmpty() ? ""
          : "units " + plan.missing + " are missing; the others agree",
          plan.missing, unitBytes);
    }

    private GroupFinding contradiction(LocatedUnits group, ZeroSumPlan plan,
        WrongUnitEvidence evidence,
        WrongSlices wrong, long unitBytes) {
      List<GroupFinding.UnitPlace> suspects = new ArrayList<>();
      evidence.suspects().forEach(unit -> suspects.add(place(group, unit)));
      StringBuilder text = new StringBuilder("its units contradict each other");
      String next = "See 'Contradicting units' in the documentation";
      if (suspects.size() == 1) {
        GroupFinding.UnitPlace place = suspects.get(0);
        boolean isAll = evidence.isComplete() && wrong.count() == wrong.some().size();
        text.append(": ").append(place).append(" is wrong, as it alone explains all wrong bytes")
            .append(isAll ? "" : " that were looked at");
        next = "Take " + place + " away: move its files " + place.block + " and "
            + place.block + "_" + group.layout().block(place.unit).generationStamp
            + ".meta out of the DataNode's data folder, keep them, and wait until the unit is"
            + " rebuilt from the others; "
            + (isAll ? "" : "then verify the file again, as another unit may be wrong as well; ")
            + "see 'Contradicting units' in the documentation";
      } else if (suspects.isEmpty()) {
        text.append(": more than one unit is wrong");
      } else {
        text.append(": the others do not show which one is wrong");
      }
      text.append("; ").append(wrong.count()).append(" of ").append(plan.geometry.slices())
          .append(plan.geometry.slices() == 1 ? " slice " : " slices ")
          .append(wrong.count() == 1 ? "is" : "are").append(" wrong, the first at byte ")
          .append(evidence.firstOffset())
          .append(plan.geometry.subChunks() == 1 ? " of the units" : " of the units, or in the"
              + " same cell").append(reasons(group));
      return finding(Verdict.CONTRADICTION, text.toString(), plan.missing, unitBytes)
          .withSuspects(suspects, next);
    }

    private GroupFinding finding(Verdict verdict, String text, Collection<Integer> missing,
        long unitBytes) {
      return GroupFinding.of(spot, verdict, text, missing, unitBytes, clientBytes);
    }

    /**
     * Says for each unreadable unit on which DataNode it lies, and why it could not be read.
     */
    private String reasons(LocatedUnits group) {
      StringBuilder text = new StringBuilder();
      unreadable.forEach((unit, why) -> text.append("; ").append(place(group, unit))
          .append(" could not be read: ").append(why));
      return text.toString();
    }

    private List<UnitHolder> live(LocatedUnits group, LinearCode code) {
      List<UnitHolder> live = new ArrayList<>();
      for (UnitHolder holder : order.of(group, withoutPort)) {
        if (!holder.node.runsExtension() && code.subChunks() > 1) {
          unreadable.putIfAbsent(holder.unit, "its DataNode does not serve sums, which needs the"
              + " plugin there, and its port open");
        }
        if (!unreadable.containsKey(holder.unit)) {
          live.add(holder);
        }
      }
      return live;
    }

    /** Decides what the next attempt does without, or waits for, after a failure. */
    private void note(LocatedUnits group, RepairException e) throws IOException {
      String uuid = e.node.uuid;
      FailureCause cause = e.failureCause;
      if (cause == FailureCause.OVERLOADED || e.node.equals(HelperOrder.READER)) {
        rest();
        return;
      }
      boolean noPort = cause == FailureCause.UNREACHABLE || cause == FailureCause.UNSUPPORTED
          || cause == FailureCause.PROTOCOL;
      if (noPort && withoutPort.add(uuid)) {
        return;
      }
      // Tokens expire and replicas move. The next attempt asks the NameNode again, and a node is
      // left out only if it then fails once more.
      if (noPort || strikes.merge(uuid, 1, Integer::sum) >= STRIKES_MOST) {
        boolean known = false;
        for (int unit = 0; unit < group.units(); unit++) {
          DatanodeInfo holder = group.holder(unit);
          if (holder != null && holder.getDatanodeUuid().equals(uuid)
              && group.unitBytes(unit) > 0) {
            unreadable.putIfAbsent(unit, PeerText.firstLine(e));
            known = true;
          }
        }
        if (!known) {
          throw e;
        }
      }
    }

    private void rest() throws IOException {
      try {
        pause.millis(pauseMs);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw (IOException) new InterruptedIOException("the check was interrupted").initCause(e);
      }
      pauseMs = Math.min(2 * pauseMs, PAUSE_MS_MOST);
    }
  }

  private static GroupFinding.UnitPlace place(LocatedUnits group, int unit) {
    DatanodeInfo holder = group.holder(unit);
    return new GroupFinding.UnitPlace(unit, "blk_" + group.layout().block(unit).blockId,
        holder == null ? "no DataNode" : holder.getHostName() + ":" + holder.getXferPort());
  }

  private static Collection<String> nodes(List<UnitHolder> live) {
    Set<String> nodes = new TreeSet<>();
    live.forEach(holder -> nodes.add(holder.node.toString()));
    return Collections.unmodifiableSet(nodes);
  }
}
