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

/** Has a version published that is made and checked. One thread uses it once. */
final class Publisher {
  private static final Logger LOG = LoggerFactory.getLogger(Publisher.class);

  /**
   * The longest rest between two tries, ms. A slow edit log does not end the tries, because the
   * version would only be made once more; {@link MakingGuard} bounds them.
   */
  static final long REST_MS_MAX = 10_000;
  /** The rest between two tries if the version is not durable yet, ms. */
  private static final long DURABLE_LOOK_MS = 1_000;

  private final EngineParts parts;
  private final VersionRequest request;
  private final VersionRules rules;
  private final MakingGuard guard;
  private final OldReaders readers;
  private final VersionNews news;
  /** Whether the nodes of the old version have reported since the version was made. */
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
   * Has an order carried out, and tries again if it has to wait.
   *
   * @param order the order, which allows any access time of the file
   * @param code the code of the new version
   * @param oldUnits the units of the old version
   * @param readsSinceMs from when on reads of the old version count, by the clock of its readers
   * @param durableInMs how long it takes until all units survive a power cut, ms
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
      // A version becomes durable by itself, after two minutes at the latest.
      boolean isDurable = durableInMs.getAsLong() == 0;
      if (answer.later().isEmpty()) {
        return answer;
      }
      news.await(isDurable ? Math.min(REST_MS_MAX, (1 + turns) * MakingGuard.LOOK_MS)
          : DURABLE_LOOK_MS);
    }
  }

  /**
   * Checks what may have changed since the version began, or since the last try: the tries may go
   * on for minutes.
   */
  private PublishOrder check(PublishOrder order, GroupPolicy code, OldUnits oldUnits,
      long readsSinceMs) throws IOException, VersionStopException, InterruptedException {
    guard.checkGoOn();
    FileFacts facts = order.file.facts;
    refuseIf(rules.checkDoubts(request.path, facts.groups)
        .or(() -> rules.checkDoubts(request.path, order.newGroups)));
    // When more units are lost, an open stream needs more parity units of the old code.
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
   * Checks that the new version has lost no unit. The old version may still have it, and the logs
   * of a commit drop its updates as soon as it is published. No repair brings units of a version
   * under way back. The NameNode counts the units of a dead DataNode as lost. A DataNode that
   * restarts is silent for less time, so that it ends no version here.
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

  /** Returns the facts of one of the two versions as they are now; empty if it is gone. */
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
