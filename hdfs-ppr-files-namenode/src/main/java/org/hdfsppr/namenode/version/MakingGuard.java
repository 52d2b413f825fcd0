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
package org.hdfsppr.namenode.version;

import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.hdfsppr.namenode.schedule.LinkLoads;
import org.hdfsppr.plan.GroupId;

/** Says whether the making of a file may go on. Used by one thread. */
final class MakingGuard {
  /** The longest that the making of a file may take, ms: as long as the longest order. */
  static final long VERSION_MS_MAX = 86_400_000;
  /** How long the thread of a making waits between two looks, ms, if no result comes. */
  static final long LOOK_MS = 100;
  /** How long it waits between two looks at repairs, each of which asks where the units are, ms. */
  private static final long REPAIRS_LOOK_MS = 1_000;
  /** How long it waits between two looks at a file that has lost units, ms. */
  private static final long DEGRADED_LOOK_MS = 5_000;
  /**
   * The longest that a file with lost units waits for their repair, ms. With fewer nodes than units
   * no repair ever comes, although others are under way.
   */
  static final long DEGRADED_MS_MAX = 600_000;

  private final EngineParts parts;
  private final Supplier<Optional<String>> gate;
  private final BooleanSupplier isStopped;
  private final BooleanSupplier isCancelled;
  private final long askedMs;
  /** When the making began, or began to wait, monotonic ms. */
  private long startMs;

  /**
   * @param gate says why the making has to wait; empty if it need not
   * @param isStopped whether this engine has ended, or is not the active one of its term any more
   * @param isCancelled whether the job was cancelled
   */
  MakingGuard(EngineParts parts, Supplier<Optional<String>> gate, BooleanSupplier isStopped,
      BooleanSupplier isCancelled) {
    this(parts, gate, isStopped, isCancelled, parts.clockMs.getAsLong());
  }

  /** @param askedMs when the file was to be made first, monotonic ms; this may be a later try */
  MakingGuard(EngineParts parts, Supplier<Optional<String>> gate, BooleanSupplier isStopped,
      BooleanSupplier isCancelled, long askedMs) {
    this.askedMs = askedMs;
    this.parts = parts;
    this.gate = gate;
    this.isStopped = isStopped;
    this.isCancelled = isCancelled;
    this.startMs = parts.clockMs.getAsLong();
  }

  /** Returns when the making began, or began to wait, monotonic ms. */
  long startMs() {
    return startMs;
  }

  boolean isStopped() {
    return isStopped.getAsBoolean();
  }

  /** Returns the outcome of a making that another NameNode, or a later try, has to repeat. */
  static VersionOutcome stopped(VersionBytes spent) {
    return VersionOutcome.notPublished(VersionEnd.STOPPED,
        "this NameNode stops, or is not active any more", spent);
  }

  void checkGoOn() throws VersionStopException {
    if (isStopped.getAsBoolean()) {
      throw new VersionStopException(VersionEnd.STOPPED,
          "this NameNode stops, or is not active any more");
    }
    if (isCancelled.getAsBoolean()) {
      throw new VersionStopException(VersionEnd.CANCELLED, "the job was cancelled");
    }
    if (parts.clockMs.getAsLong() - startMs > VERSION_MS_MAX) {
      throw VersionStopException.forGood("it was not done within "
          + VERSION_MS_MAX / 3_600_000 + " hours"
          + gate.get().or(() -> parts.links.whyNot(LinkLoads.Work.MAKING,
              parts.clockMs.getAsLong())).map(why -> ", because " + why)
          .orElse("; the limits of rates are"
              + " too low, or DataNodes too busy"));
    }
  }

  /**
   * Waits until the making may begin. Nothing of the file exists meanwhile, and a commit can have
   * it. While repairs use the nodes of the first groups, the making would begin in vain; the nodes
   * of further groups may be free when their turn comes. The time for the making begins when this
   * returns.
   *
   * @param files the file, or the files of which a parity file is made
   * @return whether this has waited, so that the files may have changed
   */
  boolean await(VersionNews news, List<TargetFile> files) throws VersionStopException,
      InterruptedException {
    List<GroupId> first = files.stream().filter(file -> !file.groups.isEmpty())
        .map(file -> file.groups.get(0).id).collect(Collectors.toList());
    boolean hasWaited = false;
    while (true) {
      checkGoOn();
      boolean isOpen = gate.get().isEmpty();
      if (isOpen && !isBesideRepairs(first)) {
        startMs = parts.clockMs.getAsLong();
        return hasWaited;
      }
      hasWaited = true;
      news.await(isOpen ? REPAIRS_LOOK_MS : LOOK_MS);
    }
  }

  private boolean isBesideRepairs(List<GroupId> groups) {
    return !parts.links.areAllQuiet() && parts.links.isHeldUp(LinkLoads.Work.MAKING,
        parts.gate.nodes(groups), parts.clockMs.getAsLong());
  }

  /**
   * Waits for a moment if a file has lost units that repairs rebuild soon: after that, the new
   * version shares them with the old one, and less has to be read.
   *
   * @return whether this has waited, so that the file may have changed
   */
  boolean awaitRepair(VersionNews news, TargetFile file)
      throws VersionStopException, InterruptedException {
    if (file.facts.lostUnitsMax() == 0 || parts.links.areAllQuiet()
        || parts.clockMs.getAsLong() - askedMs >= DEGRADED_MS_MAX) {
      return false;
    }
    checkGoOn();
    news.await(DEGRADED_LOOK_MS);
    return true;
  }
}
