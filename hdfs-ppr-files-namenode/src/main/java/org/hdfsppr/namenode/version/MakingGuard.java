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

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.hdfsppr.namenode.schedule.LinkLoads;

/** Says whether the making of a file may go on. Used by one thread. */
final class MakingGuard {
  /** The longest that the making of a file may take, ms: as long as the longest order. */
  static final long VERSION_MS_MAX = 86_400_000;
  /** How long the thread of a making waits between two looks, ms, if no result comes. */
  static final long LOOK_MS = 100;
  /** How long it waits between two looks at repairs, each of which asks where the units are, ms. */
  private static final long REPAIRS_LOOK_MS = 1_000;

  private final EngineParts parts;
  private final Supplier<Optional<String>> gate;
  private final BooleanSupplier isStopped;
  private final BooleanSupplier isCancelled;
  /** When the making began, or began to wait, monotonic ms. */
  final long startMs;

  /**
   * @param gate says why the making has to wait; empty if it need not
   * @param isStopped whether this engine has ended, or is not the active one of its term any more
   * @param isCancelled whether the job was cancelled
   */
  MakingGuard(EngineParts parts, Supplier<Optional<String>> gate, BooleanSupplier isStopped,
      BooleanSupplier isCancelled) {
    this.parts = parts;
    this.gate = gate;
    this.isStopped = isStopped;
    this.isCancelled = isCancelled;
    this.startMs = parts.clockMs.getAsLong();
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
          + gate.get().map(why -> ", because " + why).orElse("; the limits of rates are"
              + " too low, or DataNodes too busy"));
    }
  }

  /**
   * Waits until the making may begin. Nothing of the file exists meanwhile, and a commit can have
   * it. While repairs use the nodes of the first group, the making would begin in vain; the nodes
   * of further groups may be free when their turn comes.
   *
   * @param file the file, or the first one of several
   * @return whether this has waited, so that the file may have changed
   * @throws IOException if the NameNode does not say where the file's units are
   */
  boolean await(VersionNews news, TargetFile file) throws IOException, VersionStopException,
      InterruptedException {
    boolean hasWaited = false;
    while (true) {
      checkGoOn();
      boolean isOpen = gate.get().isEmpty();
      if (isOpen && !isBesideRepairs(file)) {
        return hasWaited;
      }
      hasWaited = true;
      news.await(isOpen ? REPAIRS_LOOK_MS : LOOK_MS);
    }
  }

  private boolean isBesideRepairs(TargetFile file) throws IOException {
    if (parts.links.areAllQuiet() || file.groups.isEmpty()) {
      return false;
    }
    List<String> nodes = OldUnits.locate(parts.store, parts.door, file.inodeId())
        .of(file.groups.get(0).id).stream().map(holder -> holder.node.uuid)
        .collect(Collectors.toList());
    return parts.links.isHeldUp(LinkLoads.Work.MAKING, nodes, parts.clockMs.getAsLong());
  }
}
