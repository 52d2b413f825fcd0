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
import org.hdfsppr.namenode.queue.RepairGrant;
import org.hdfsppr.namenode.schedule.RepairLoad;

/**
 * One grant of the NameNode and the commands under it; most grants have one command. A command is
 * ordered when the commands that it depends on have been reported as done. The block report, which
 * comes later, ends the grant with all its commands. If one command fails, the whole grant has
 * failed. Guarded by its {@link RepairTracker}.
 */
@InterfaceAudience.Private
public final class GrantRecord {
  /** The grant, which identifies the repair in the NameNode */
  public final RepairGrant grant;
  /** The units that all commands together rebuild, with their nodes */
  public final Assignment assignment;
  /** The bytes that all commands together move over each link and disk */
  public final RepairLoad load;
  /** When the grant was given, monotonic milliseconds */
  public final long startedMs;
  /**
   * How long a command may run before the manager gives it up, ms. A command that advances fast
   * enough may run longer.
   */
  final long patienceMs;
  /** Bytes of the units that all commands together rebuild */
  public final long bytes;
  private final List<Assignment> parts;
  /** The command of each part, by the part's index; null while the part waits for other parts. */
  private final TrackedRepair[] commands;

  GrantRecord(RepairGrant grant, Assignment assignment, RepairLoad load, long startedMs,
      long patienceMs) {
    this.grant = Objects.requireNonNull(grant, "grant");
    this.assignment = Objects.requireNonNull(assignment, "assignment");
    this.load = Objects.requireNonNull(load, "load");
    this.startedMs = startedMs;
    this.patienceMs = patienceMs;
    this.bytes = assignment.targets.stream()
        .mapToLong(target -> assignment.group.unitBytes(target.unit)).sum();
    this.parts = assignment.parts();
    this.commands = new TrackedRepair[parts.size()];
  }

  /** @return whether one command orders the whole repair */
  public boolean isSingle() {
    return commands.length == 1;
  }

  /** Returns the indices of the parts that may be ordered now and have not been ordered yet. */
  List<Integer> ready() {
    List<Integer> ready = new ArrayList<>();
    for (int i = 0; i < commands.length; i++) {
      if (commands[i] == null
          && parts.get(i).after.stream().allMatch(before -> isReported(before))) {
        ready.add(i);
      }
    }
    return ready;
  }

  private boolean isReported(int part) {
    return commands[part] != null && commands[part].isReported();
  }

  /** Returns a part of the assignment, which one command orders. */
  Assignment part(int index) {
    return parts.get(index);
  }

  void setCommand(int index, TrackedRepair repair) {
    commands[index] = repair;
  }

  /**
   * Returns the id of a part's command. This NameNode process gives no other command the same id.
   */
  String id(int index) {
    String id = grant.term + "-" + grant.number;
    return isSingle() ? id : id + "-" + (index + 1);
  }

  /** Returns the units that are rebuilt by the parts for which this part waits. */
  Set<Integer> rebuiltBefore(int index) {
    Set<Integer> units = new HashSet<>();
    for (int before : parts.get(index).after) {
      parts.get(before).targets.stream().map(holder -> holder.unit).forEach(units::add);
    }
    return units;
  }

  /** Returns the commands that have been ordered, or are about to be. */
  List<TrackedRepair> commands() {
    List<TrackedRepair> ordered = new ArrayList<>(commands.length);
    for (TrackedRepair command : commands) {
      if (command != null) {
        ordered.add(command);
      }
    }
    return ordered;
  }

  /**
   * Returns for how long all commands have been reported as done, ms. During this time only block
   * reports are missing. Returns 0 if a command has not been reported as done.
   */
  long reportedForMs(long nowMs) {
    long waited = Long.MAX_VALUE;
    for (int i = 0; i < commands.length; i++) {
      waited = Math.min(waited, isReported(i) ? nowMs - commands[i].stateSinceMs() : 0);
    }
    return waited;
  }

  /**
   * Returns the share of the whole repair that is done, 0 to 1. If there are several commands, each
   * command that has been reported as done counts fully.
   */
  double doneShare() {
    double percent = 0;
    for (TrackedRepair command : commands) {
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
