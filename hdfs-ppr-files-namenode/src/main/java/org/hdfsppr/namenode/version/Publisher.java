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

/**
 * Has a version published that was made and checked. Used by one thread at a time, for one version.
 *
 * <p>A try to publish waits on its thread for its turn, for the edit log, and for the namesystem's
 * lock. The first two have bounds, and none is cut into steps: the lock has to be asked for in
 * the moment in which the log has written all edits, because another edit may follow at once. So
 * only few conversions try at a time ({@link PublishLine}), and the other ones wait without a
 * thread.
 */
final class Publisher implements Phase {
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
  private final PublishLine.Place place;
  private PublishOrder order;
  private GroupPolicy code;
  private OldUnits oldUnits;
  private long readsSinceMs;
  private LongSupplier durableInMs;
  /**
   * The reports of reads that DataNodes of the old version have sent since the new version was
   * made; null until they are awaited.
   */
  private OldReaders.AwaitedReports reports;
  private boolean hasBegun;
  private int turns;
  private int holdsInVain;
  private PublishAnswer answer;

  Publisher(EngineParts parts, VersionRequest request, VersionRules rules, MakingGuard guard,
      VersionNews news) {
    this.parts = parts;
    this.request = request;
    this.rules = rules;
    this.guard = guard;
    this.readers = new OldReaders(parts);
    this.place = parts.publishers.place(news);
  }

  /**
   * Sets what the steps publish.
   *
   * @param wanted the order, with {@link PublishOrder#ANY_ATIME}
   * @param to the code of the new version
   * @param old the units of the old version
   * @param sinceMs only reads of the old version since this time count, by the clock of {@link
   *     OldReaders#nowMs}
   * @param durable returns how long it takes until all units survive a power cut, ms
   */
  void begin(PublishOrder wanted, GroupPolicy to, OldUnits old, long sinceMs,
      LongSupplier durable) {
    order = wanted;
    code = to;
    oldUnits = old;
    readsSinceMs = sinceMs;
    durableInMs = durable;
  }

  /** Returns the last answer; after the last step, it is final. */
  PublishAnswer answer() {
    return answer;
  }

  /** Leaves the line of conversions. */
  void cancel() {
    place.leave();
  }

  /**
   * Tries to publish, unless it is too early for that. If the order has to be carried out later,
   * another step tries again.
   *
   * @throws VersionStopException if the version must not be published
   */
  @Override
  public Progress step() throws IOException, VersionStopException {
    guard.checkGoOn();
    if (!hasBegun) {
      hasBegun = true;
      awaitReports();
    }
    boolean isTooEarly = reports != null && !reports.areThere()
        || request.commit().isEmpty() && !place.isFirst();
    if (isTooEarly) {
      return MakingGuard.LOOK;
    }
    try {
      Optional<PublishOrder> checked = check();
      if (checked.isEmpty()) {
        return MakingGuard.LOOK;
      }
      checkUnits();
      answer = parts.namespace.publish(checked.get().durableIn(durableInMs.getAsLong())
          .afterHoldsInVain(holdsInVain));
    } finally {
      place.leave();
    }
    turns += answer.hadTurn() ? 1 : 0;
    holdsInVain += answer.isSlow() ? 1 : 0;
    if (answer.later().isEmpty()) {
      return Progress.DONE;
    }
    // A version survives power cuts without further work after two minutes at the latest.
    boolean isDurable = durableInMs.getAsLong() == 0;
    return Progress.in(isDurable ? Math.min(REST_MS_MAX, (1 + turns) * MakingGuard.LOOK_MS)
        : DURABLE_LOOK_MS);
  }

  /**
   * Begins to await the reports that this conversion will probably need, so that all conversions in
   * the line await theirs at the same time.
   */
  private void awaitReports() throws IOException {
    FileFacts facts = order.file.facts;
    if (request.commit().isEmpty()
        && !readers.mayBeThere(request, order.file, code, lostUnits(facts))) {
      reports = readers.nextReports(oldUnits, facts.groups);
    }
  }

  /**
   * Checks what may have changed since the version began, or since the last try. The tries may go
   * on for minutes. Returns the order for this try; empty if reports of reads are awaited before.
   */
  private Optional<PublishOrder> check() throws IOException, VersionStopException {
    FileFacts facts = order.file.facts;
    refuseIf(rules.checkDoubts(request.path, facts.groups)
        .or(() -> rules.checkDoubts(request.path, order.newGroups)));
    // The answer may change while units are lost: the more units are lost, the more parity units of
    // the old code an open stream needs.
    if (readers.mayBeThere(request, order.file, code, lostUnits(facts))) {
      return Optional.of(order);
    }
    if (request.commit().isEmpty()) {
      if (reports == null) {
        reports = readers.nextReports(oldUnits, facts.groups);
      }
      if (!reports.areThere()) {
        return Optional.empty();
      }
      refuseIf(readers.refusal(request.path, facts.groups, readsSinceMs));
    }
    return Optional.of(order.readBy(facts.atime));
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
  private void checkUnits() throws IOException, VersionStopException {
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
