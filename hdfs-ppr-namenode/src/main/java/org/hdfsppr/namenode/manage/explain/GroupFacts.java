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
package org.hdfsppr.namenode.manage.explain;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.hdfsppr.namenode.manage.status.RepairPause;
import org.hdfsppr.namenode.model.LostGroup;
import org.hdfsppr.namenode.queue.BeginResult;
import org.hdfsppr.namenode.schedule.NoPlanReason;
import org.hdfsppr.namenode.schedule.QueuedGroup;
import org.hdfsppr.namenode.track.FailedTry;
import org.hdfsppr.namenode.track.GroupNotes;
import org.hdfsppr.namenode.track.GroupState;
import org.hdfsppr.namenode.track.RelaxedRule;
import org.hdfsppr.namenode.track.RepairProgress;

/**
 * What the manager knows of one group at one moment. {@link FactCollector} sets the fields, and
 * {@link Explainer} reads them. All times are monotonic, ms.
 */
final class GroupFacts {
  /** The facts that concern all groups. */
  static final class OfCluster {
    boolean isActive;
    boolean isInSafeMode;
    /** Whether the groups of known policies are claimed. */
    boolean isInCharge;
    boolean isAllowed;
    boolean isListening;
    /** For how long stock schedules all groups because cycles have failed, ms. */
    long closedForMs;
    /** Why this NameNode schedules repairs, or why not. */
    String why = "";
    Optional<RepairPause> pause = Optional.empty();
    /** For how long an operator has left all repairs to stock. */
    Optional<RepairPause> leftToStock = Optional.empty();
    int waiting;
    int inFlight;
    int inFlightMax;
  }

  final long number;
  final long nowMs;
  final OfCluster cluster = new OfCluster();
  GroupState state = GroupState.GONE;
  /** The group in the queue; empty if it is not there. */
  Optional<QueuedGroup> queued = Optional.empty();
  /** The node or rack whose load keeps the group from being planned now; empty if there is none. */
  String parkedAt = "";
  /** The end of the wait for lost nodes to come back; in the past if there is none. */
  long delayUntilMs = Long.MIN_VALUE;
  /** The end of the pause after a failure; in the past if there is none. */
  long retryAtMs = Long.MIN_VALUE;
  /** A sentence which says that the group belongs to a version of a file; empty if it does not. */
  String version = "";
  int failures;
  boolean isDoubtOpen;
  boolean isSuspected;
  Set<RelaxedRule> concessions = Set.of();
  List<FailedTry> tries = List.of();
  /** The tries in words. */
  List<String> tried = List.of();
  /** The node that the last failure names, as HOST:PORT. */
  String lastNode = "";
  Optional<NoPlanReason> noPlan = Optional.empty();
  Optional<BeginResult.Refusal> notBegun = Optional.empty();
  String whyNotBegun = "";
  DestinationCensus destinations = new DestinationCensus();
  /** Nodes with readable units that are kept out of repairs, as HOST:PORT. */
  List<String> keptOutHolders = List.of();
  Optional<GroupNotes.End> end = Optional.empty();
  Optional<RepairProgress> repair = Optional.empty();
  String topology = "";

  GroupFacts(long number, long nowMs) {
    this.number = number;
    this.nowMs = nowMs;
  }

  /** Returns the NameNode's view of the group; empty if the group is not in the queue. */
  Optional<LostGroup> view() {
    return queued.map(group -> group.group);
  }
}
