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
package org.hdfsppr.namenode.track;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.namenode.model.Assignment;
import org.hdfsppr.namenode.model.CommandStep;
import org.hdfsppr.namenode.queue.Grant;
import org.hdfsppr.namenode.schedule.RepairLoad;
import org.hdfsppr.plan.Holder;

/**
 * One grant of the NameNode's books and the commands under it; most grants have one command. A
 * command is ordered when those that it depends on have reported; the block report, which comes
 * later, ends the grant with all of them. If one command fails, the grant has failed. Guarded by
 * its {@link RepairTracker}.
 */
@InterfaceAudience.Private
public final class GrantRecord {
  private final Grant grant;
  private final Assignment assignment;
  private final RepairLoad load;
  private final long startedMs;
  private final long patienceMs;
  private final List<CommandStep> steps;
  /** By the step's index; null as long as the step waits for others. */
  private final Repair[] commands;

  GrantRecord(Grant grant, Assignment assignment, RepairLoad load, long startedMs,
      long patienceMs) {
    this.grant = Objects.requireNonNull(grant, "grant");
    this.assignment = Objects.requireNonNull(assignment, "assignment");
    this.load = Objects.requireNonNull(load, "load");
    this.startedMs = startedMs;
    this.patienceMs = patienceMs;
    this.steps = assignment.steps();
    this.commands = new Repair[steps.size()];
  }

  /** @return the repair, as the books know it */
  public Grant grant() {
    return grant;
  }

  /** @return what all commands together rebuild */
  public Assignment assignment() {
    return assignment;
  }

  /** @return what the fleet counts for all commands together */
  public RepairLoad load() {
    return load;
  }

  /** @return when the grant was given, monotonic milliseconds */
  public long startedMs() {
    return startedMs;
  }

  /** Time that a command has from its order on, unless it advances, ms. */
  long patienceMs() {
    return patienceMs;
  }

  /** @return whether one command orders all */
  public boolean isSingle() {
    return commands.length == 1;
  }

  /** The indices of the steps that may be ordered now and have not been. */
  List<Integer> ready() {
    List<Integer> ready = new ArrayList<>();
    for (int i = 0; i < commands.length; i++) {
      if (commands[i] == null
          && steps.get(i).after().stream().allMatch(before -> isReported(before))) {
        ready.add(i);
      }
    }
    return ready;
  }

  private boolean isReported(int step) {
    return commands[step] != null && commands[step].isReported();
  }

  /** The part of the assignment that a step's command orders. */
  Assignment part(int index) {
    return assignment.part(index);
  }

  void setCommand(int index, Repair repair) {
    commands[index] = repair;
  }

  /** The name of a step's command, which no other command of this NameNode's life has. */
  String id(int index) {
    String id = grant.term() + "-" + grant.number();
    return isSingle() ? id : id + "-" + (index + 1);
  }

  /** The units that are rebuilt by those steps that a step comes after. */
  Set<Integer> rebuiltBefore(int index) {
    Set<Integer> units = new HashSet<>();
    for (int before : steps.get(index).after()) {
      steps.get(before).targets().stream().map(Holder::unit).forEach(units::add);
    }
    return units;
  }

  /** The commands that have been ordered, or are about to be. */
  List<Repair> commands() {
    List<Repair> ordered = new ArrayList<>(commands.length);
    for (Repair command : commands) {
      if (command != null) {
        ordered.add(command);
      }
    }
    return ordered;
  }

  /**
   * How long ago the last destination reported its units as rebuilt, so that only block reports
   * are missing, ms; 0 if a command has not reported.
   */
  long reportedForMs(long nowMs) {
    long waited = Long.MAX_VALUE;
    for (int i = 0; i < commands.length; i++) {
      waited = Math.min(waited, isReported(i) ? nowMs - commands[i].stateSinceMs() : 0);
    }
    return waited;
  }

  /** How much of all is done, 0 to 1; a command that reported has done its part. */
  double doneShare() {
    double percent = 0;
    for (Repair command : commands) {
      percent += command == null ? 0
          : command.isReported() && !isSingle() ? 100 : command.donePercent();
    }
    return percent / (100 * commands.length);
  }

  @Override
  public String toString() {
    return grant + ", " + commands().size() + " of " + commands.length + " commands ordered";
  }
}
