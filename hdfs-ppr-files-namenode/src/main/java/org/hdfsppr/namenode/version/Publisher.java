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

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.hdfsppr.namenode.model.GroupPolicy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Has a version published that was made and checked. Used by one thread, for one version. */
final class Publisher {
  private static final Logger LOG = LoggerFactory.getLogger(Publisher.class);

  /**
   * The longest pause between two tries, ms. If the edit log is slow, the tries go on, because the
   * version would only have to be made once more; {@link MakingGuard} ends them at last.
   */
  static final long REST_MS_MAX = 10_000;
  /** The pause between two tries if the version does not survive a power cut yet, ms. */
  private static final long DURABLE_LOOK_MS = 1_000;

  private final EngineParts parts;
  private final VersionRequest request;
  private final VersionRules rules;
  private final MakingGuard guard;
  private final OldReaders readers;
  private final VersionNews news;
  /**
   * Whether the DataNodes of the old version have sent reports of reads since the new version was
   * made.
   */
  private boolean hasReports;

  Publisher(EngineParts parts, VersionRequest request, VersionRules rules, MakingGuard guard,
      VersionNews news) {
    this.parts = parts;
    this.request = request;
    this.rules = rules;
    this.guard = guard;
    this.readers = new OldReaders(parts);
    this.news = news;
  }

  /**
   * Has an order carried out. If it has to wait, tries again.
   *
   * @param order the order, with {@link PublishOrder#ANY_ATIME}
   * @param code the code of the new version
   * @param oldUnits the units of the old version
   * @param readsSinceMs only reads of the old version since this time count, by the clock of {@link
   *     OldReaders#nowMs}
   * @param durableInMs returns how long it takes until all units survive a power cut, ms
   * @throws VersionStopException if the version must not be published
   */
  PublishAnswer publish(PublishOrder order, GroupPolicy code, OldUnits oldUnits,
      long readsSinceMs, LongSupplier durableInMs)
      throws IOException, VersionStopException, InterruptedException {
    int turns = 0;
    int holdsInVain = 0;
    while (true) {
      PublishOrder checked = check(order, code, oldUnits, readsSinceMs);
      checkUnits(order, code);
      PublishAnswer answer = parts.namespace.publish(
          checked.durableIn(durableInMs.getAsLong()).afterHoldsInVain(holdsInVain));
      turns += answer.hadTurn() ? 1 : 0;
      holdsInVain += answer.isSlow() ? 1 : 0;
      // A version survives power cuts without further work after two minutes at the latest.
      boolean isDurable = durableInMs.getAsLong() == 0;
      if (answer.later().isEmpty()) {
        return answer;
      }
      news.await(isDurable ? Math.min(REST_MS_MAX, (1 + turns) * MakingGuard.LOOK_MS)
          : DURABLE_LOOK_MS);
    }
  }

  /**
   * Checks what may have changed since the version began, or since the last try. The tries may go
   * on for minutes.
   */
  private PublishOrder check(PublishOrder order, GroupPolicy code, OldUnits oldUnits,
      long readsSinceMs) throws IOException, VersionStopException, InterruptedException {
    guard.checkGoOn();
    FileFacts facts = order.file.facts;
    refuseIf(rules.checkDoubts(request.path, facts.groups)
        .or(() -> rules.checkDoubts(request.path, order.newGroups)));
    // The answer may change while units are lost: the more units are lost, the more parity units of
    // the old code an open stream needs.
    if (readers.mayBeThere(request, order.file, code, lostUnits(facts))) {
      return order;
    }
    if (request.commit().isEmpty()) {
      if (!hasReports) {
        readers.awaitReports(oldUnits, facts.groups, guard, news);
        hasReports = true;
      }
      refuseIf(readers.refusal(request.path, facts.groups, readsSinceMs));
    }
    return order.readBy(facts.atime);
  }

  private int lostUnits(FileFacts before) throws IOException {
    return now(request.inodeId).orElse(before).lostUnitsMax();
  }

  /**
   * Checks that the new version has lost no unit. Otherwise data could be lost: the old version may
   * still have the unit, and after a commit, the logs drop the updates as soon as it is published.
   * No repair rebuilds units of a version that is not published. The NameNode counts the units of a
   * dead DataNode as lost. A DataNode that restarts is not dead yet, so that it does not end a
   * version here.
   */
  private void checkUnits(PublishOrder order, GroupPolicy code)
      throws IOException, VersionStopException {
    List<FileGroup> groups =
        now(order.newInodeId).map(facts -> facts.groups).orElse(List.of());
    for (FileGroup group : groups) {
      if (group.lostUnits > 0) {
        throw new VersionStopException(VersionEnd.FAILED, "the new version of " + request.path
            + " has lost " + group.lostUnits + " of the "
            + GroupMaking.units(group.bytes, code) + " units of " + group.id
            + " before it was published");
      }
    }
  }

  /**
   * Returns the present facts of one of the two versions; empty if its file does not exist any
   * more.
   */
  private Optional<FileFacts> now(long inodeId) throws IOException {
    try {
      return parts.namespace.file("/.reserved/.inodes/" + inodeId, inodeId, request.user)
          .map(file -> file.facts);
    } catch (FileNotFoundException e) {
      LOG.debug("A version of {} is gone, so that nothing will be published", request.path, e);
      return Optional.empty();
    }
  }

  private static void refuseIf(Optional<VersionRefusal> refusal) throws VersionStopException {
    if (refusal.isPresent()) {
      throw new VersionStopException(refusal.get());
    }
  }
}
