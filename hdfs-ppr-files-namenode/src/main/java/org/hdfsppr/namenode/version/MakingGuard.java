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

/** Decides whether the making of a file may begin or go on. Used by one thread at a time. */
final class MakingGuard {
  /** How long the making of a file may take at most, ms: as long as the longest order. */
  static final long VERSION_MS_MAX = 86_400_000;
  /** After how long a making looks again, ms, if no result comes. */
  static final long LOOK_MS = 100;
  /** The pause until a making looks again, if no result comes. */
  static final Progress LOOK = Progress.in(LOOK_MS);
  /**
   * The pause between two looks at repairs, ms. Each look asks the NameNode where the units are.
   */
  private static final long REPAIRS_LOOK_MS = 1_000;
  /** The pause between two looks at a file that has lost units, ms. */
  private static final long DEGRADED_LOOK_MS = 5_000;
  /**
   * How long a file with lost units waits for their repair at most, ms. If there are fewer nodes
   * than units, no repair of this file ever comes, although repairs of other files go on.
   */
  static final long DEGRADED_MS_MAX = 600_000;

  private final EngineParts parts;
  private final Supplier<Optional<String>> gate;
  private final BooleanSupplier isStopped;
  private final BooleanSupplier isCancelled;
  private final long askedMs;
  /** When the making began, monotonic ms; before that, when it began to wait. */
  private long startMs;

  /**
   * @param gate says why the making has to wait; empty if it need not
   * @param isStopped returns whether this engine has ended, or has lost the term in which the
   *     making began
   * @param isCancelled returns whether the job was cancelled
   */
  MakingGuard(EngineParts parts, Supplier<Optional<String>> gate, BooleanSupplier isStopped,
      BooleanSupplier isCancelled) {
    this(parts, gate, isStopped, isCancelled, parts.clockMs.getAsLong());
  }

  /** @param askedMs when the first try to make this file began, monotonic ms */
  MakingGuard(EngineParts parts, Supplier<Optional<String>> gate, BooleanSupplier isStopped,
      BooleanSupplier isCancelled, long askedMs) {
    this.askedMs = askedMs;
    this.parts = parts;
    this.gate = gate;
    this.isStopped = isStopped;
    this.isCancelled = isCancelled;
    this.startMs = parts.clockMs.getAsLong();
  }

  /** Returns when the making began, monotonic ms; before that, when it began to wait. */
  long startMs() {
    return startMs;
  }

  boolean isStopped() {
    return isStopped.getAsBoolean();
  }

  /**
   * Returns the outcome of a making that this NameNode ends because it stops or is not active any
   * more.
   */
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
   * Looks whether the making may begin. Until then, nothing of the new file exists, and a commit
   * can use the old one. The making does not begin while repairs use nodes of the first groups,
   * because it would only wait. The nodes of further groups may be free when these groups are made.
   * The time for the making begins when it may begin.
   *
   * @param files the file, or the files from which a parity file is made
   */
  Progress mayBegin(List<TargetFile> files) throws VersionStopException {
    checkGoOn();
    List<GroupId> first = files.stream().filter(file -> !file.groups.isEmpty())
        .map(file -> file.groups.get(0).id).collect(Collectors.toList());
    if (gate.get().isPresent()) {
      return LOOK;
    }
    if (isBesideRepairs(first)) {
      return Progress.in(REPAIRS_LOOK_MS);
    }
    startMs = parts.clockMs.getAsLong();
    return Progress.DONE;
  }

  private boolean isBesideRepairs(List<GroupId> groups) {
    return !parts.links.areAllQuiet() && parts.links.isHeldUp(LinkLoads.Work.MAKING,
        parts.gate.nodes(groups), parts.clockMs.getAsLong());
  }

  /**
   * Looks whether a file has lost units that repairs will rebuild soon. After the repair, the new
   * version can link these units, so that fewer units are read.
   */
  Progress isRepaired(TargetFile file) throws VersionStopException {
    if (file.facts.lostUnitsMax() == 0 || parts.links.areAllQuiet()
        || parts.clockMs.getAsLong() - askedMs >= DEGRADED_MS_MAX) {
      return Progress.DONE;
    }
    checkGoOn();
    return Progress.in(DEGRADED_LOOK_MS);
  }
}
