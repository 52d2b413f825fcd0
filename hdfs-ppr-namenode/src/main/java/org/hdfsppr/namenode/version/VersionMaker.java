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
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.ipc.StandbyException;
import org.hdfsppr.namenode.model.GroupPolicy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes one version, from the request to the outcome. One thread runs this once:
 *
 * <pre>
 *   rules -> record -> work file -> for each group: add it, link, make -> close -> check -> publish
 * </pre>
 *
 * <p>If a step fails, the {@link VersionJanitor} decides by what is where: as after a crash.
 */
@InterfaceAudience.Private
final class VersionMaker {
  private static final Logger LOG = LoggerFactory.getLogger(VersionMaker.class);
  /** The longest that a version may take, ms: as long as the longest order. */
  static final long VERSION_MS_MAX = 86_400_000;
  /** How long a version waits for the NameNode between two looks, ms, if no result comes. */
  private static final long LOOK_MS = 100;
  /**
   * The most groups of a version with units that are not done. More would only wait: each group
   * has about ten nodes at work.
   */
  private static final int GROUPS_MAX = 16;
  /**
   * How long stock may take to see a file complete all of whose units are reported, ms. Units that
   * are lost just then are missing until the version is made anew.
   */
  private static final long COMPLETE_MS_MAX = 60_000;

  private final EngineParts parts;
  private final VersionRequest request;
  private final VersionJanitor janitor;
  private final VersionRules rules;
  private final String leaseHolder;
  private final long term;
  private final BooleanSupplier isStopped;
  private final BooleanSupplier isCancelled;
  private final long startMs;

  private final VersionNews news = new VersionNews();

  private TargetFile file;
  private WorkFile work;
  private VersionContext context;
  private boolean isForGood;
  private final List<GroupMaking> groups = new ArrayList<>();

  /**
   * @param leaseHolder who holds the leases of this engine's work files
   * @param term the term of the repair manager
   * @param isStopped whether this engine has ended, or is not the active one of this term any more
   * @param isCancelled whether the job was cancelled
   */
  VersionMaker(EngineParts parts, VersionRequest request, VersionJanitor janitor,
      VersionRules rules, String leaseHolder, long term, BooleanSupplier isStopped,
      BooleanSupplier isCancelled) {
    this.parts = parts;
    this.request = request;
    this.janitor = janitor;
    this.rules = rules;
    this.leaseHolder = leaseHolder;
    this.term = term;
    this.isStopped = isStopped;
    this.isCancelled = isCancelled;
    this.startMs = parts.clockMs.getAsLong();
  }

  /**
   * Makes the version.
   *
   * @throws InterruptedException never in production: the engine's threads are not interrupted,
   *     because they write to the NameNode's edit log
   */
  VersionOutcome run() throws InterruptedException {
    VersionOutcome outcome;
    VersionRecord record = null;
    try {
      check();
      awaitRepairs();
      record = VersionRecord.begin(request, file, term);
      if (!parts.store.begin(record)) {
        throw new VersionStopException(RefusalReason.BUSY, request.path() + " has a version that"
            + " is being made, or was left by an earlier try; try again in some minutes");
      }
      parts.hook.reached(VersionPoint.RECORDED, request.path());
      make();
      verify();
      outcome = publish(record);
    } catch (VersionStopException e) {
      isForGood = e.isForGood();
      outcome = e.outcome(spent());
      // Without the file, no storage of a DataNode suits its units.
      outcome = outcome.end() == VersionEnd.FAILED || outcome.reason() == RefusalReason.NO_NODES
          ? unlessElsewhere(outcome) : outcome;
    } catch (IOException | RuntimeException | AssertionError e) {
      // The repair manager notices a failover only in its next cycle.
      outcome = isStopped.getAsBoolean() || e instanceof StandbyException ? stopped() : failed(e);
    } finally {
      groups.forEach(GroupMaking::cancel);
    }
    return record == null || outcome.reason() == RefusalReason.BUSY ? outcome
        : settle(record, outcome);
  }

  /** Lets others look after what is left: the file is published, or the janitor deletes it. */
  void release() {
    if (work != null) {
      work.groups().forEach(group -> parts.made.remove(group.id()));
    }
  }

  /** Returns whether a version that has failed may succeed if it is made anew. */
  boolean isWorthAnotherTry() {
    return !isForGood;
  }

  private VersionOutcome stopped() {
    return VersionOutcome.notPublished(VersionEnd.STOPPED,
        "this NameNode stops, or is not active any more", spent());
  }

  private VersionOutcome failed(Throwable e) {
    return unlessElsewhere(VersionOutcome.notPublished(VersionEnd.FAILED,
        e.toString().split("\n")[0], spent()));
  }

  /** Calls for a file that its users delete or replace fail, which is no failure of the version. */
  private VersionOutcome unlessElsewhere(VersionOutcome outcome) {
    return isElsewhere() ? VersionOutcome.notPublished(VersionEnd.CHANGED, request.path()
        + " was renamed, replaced or deleted (" + outcome.sentence() + ")", spent()) : outcome;
  }

  private boolean isElsewhere() {
    try {
      return file != null && parts.namespace.file(request.path(), request.inodeId(),
          request.user()).isEmpty();
    } catch (IOException e) {
      LOG.debug("{} cannot be looked up after a failure", request.path(), e);
      return false;
    }
  }

  private VersionBytes spent() {
    return groups.stream().map(GroupMaking::bytes).reduce(VersionBytes.NONE, VersionBytes::plus);
  }

  /** Puts in order what is left, and corrects an outcome that the namespace contradicts. */
  private VersionOutcome settle(VersionRecord record, VersionOutcome outcome) {
    if (isStopped.getAsBoolean()) {
      // The janitor of the active NameNode does it.
      return outcome.end() == VersionEnd.PUBLISHED ? outcome : stopped();
    }
    boolean isPublished = janitor.settle(record.inodeId());
    return isPublished && outcome.end() != VersionEnd.PUBLISHED
        ? VersionOutcome.published(spent()) : outcome;
  }

  private void check() throws IOException, VersionStopException {
    file = parts.namespace.file(request.path(), request.inodeId(), request.user()).orElse(null);
    FileFacts facts = file == null ? parts.namespace.facts(request.path(), request.user())
        : file.facts();
    if (file == null && facts.inodeId() != 0 && facts.inodeId() != request.inodeId()) {
      throw new VersionStopException(VersionEnd.CHANGED, request.path()
          + " is another file by now");
    }
    Optional<VersionRefusal> refusal = rules.check(facts, request,
        parts.namespace.policy(request.policy()), parts.wallClockMs.getAsLong());
    if (refusal.isPresent()) {
      throw new VersionStopException(refusal.get().reason(), refusal.get().sentence());
    }
    if (file == null) {
      throw new VersionStopException(VersionEnd.CHANGED, request.path() + " was changed just now");
    }
  }

  /** Waits until repairs are done; nothing of the version exists meanwhile. */
  private void awaitRepairs() throws VersionStopException, InterruptedException {
    while (parts.gate.whyNot().isPresent()) {
      checkGoOn();
      news.await(LOOK_MS);
    }
  }

  private void checkGoOn() throws VersionStopException {
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
          + parts.gate.whyNot().map(why -> ", because " + why).orElse("; the limits of rates are"
              + " too low, or DataNodes too busy"));
    }
  }

  private void make() throws IOException, VersionStopException, InterruptedException {
    context = new VersionContext(parts, request, file, code(), term, news);
    work = WorkFile.create(parts.store, file, leaseHolder, request.policy());
    parts.hook.reached(VersionPoint.CREATED, request.path());
    OldUnits units = OldUnits.locate(parts.store, parts.door, file.inodeId());
    List<FileGroup> old = file.groups();
    boolean isMade = old.isEmpty();
    while (!isMade) {
      checkGoOn();
      List<BitSet> reported = parts.namespace.reported(work.inodeId());
      int open = 0;
      for (int i = 0; i < groups.size(); i++) {
        groups.get(i).advance(reported.get(i));
        open += groups.get(i).isDone(reported.get(i)) ? 0 : 1;
      }
      boolean isAdded = groups.size() < old.size() && open < GROUPS_MAX && mayAdd(reported)
          && work.add(old.get(groups.size()).bytes());
      if (isAdded) {
        parts.hook.reached(VersionPoint.GROUP_ADDED, request.path());
        int next = groups.size();
        GroupMaking group = new GroupMaking(context, old.get(next), work.groups().get(next));
        parts.made.add(work.groups().get(next).id());
        groups.add(group);
        group.begin(units);
      }
      isMade = groups.size() == old.size() && open == 0 && !isAdded;
      if (!isMade && !isAdded) {
        news.await(LOOK_MS);
      }
    }
    parts.hook.reached(VersionPoint.MADE, request.path());
    long madeMs = parts.clockMs.getAsLong();
    while (!work.complete()) {
      checkGoOn();
      if (parts.clockMs.getAsLong() - madeMs > COMPLETE_MS_MAX) {
        throw new VersionStopException(VersionEnd.FAILED, "the new version of " + request.path()
            + " did not become complete within " + COMPLETE_MS_MAX / 1_000 + " s");
      }
      news.await(LOOK_MS);
    }
    parts.hook.reached(VersionPoint.COMPLETED, request.path());
  }

  private GroupPolicy code() throws VersionStopException {
    return parts.namespace.policy(request.policy()).orElseThrow(() ->
        new VersionStopException(RefusalReason.POLICY_UNKNOWN, "the policy " + request.policy()
            + " was removed just now")).code();
  }

  /**
   * Returns whether the last group may be committed, which stock does when the next one is added.
   * A NameNode that starts from the edit log takes a committed group for complete, and stays in
   * safe mode until its units are reported. A version that dies with its NameNode makes no further
   * units, so that those that stock wants must be there before.
   */
  private boolean mayAdd(List<BitSet> reported) {
    int last = groups.size() - 1;
    boolean may = last < 0
        || reported.get(last).cardinality() >= groups.get(last).unitsForCompletion();
    if (may && last >= 0) {
      parts.hook.reached(VersionPoint.LINKED, request.path());
    }
    return may;
  }

  /** Compares the closed work file with what was ordered. */
  private void verify() throws IOException, VersionStopException, InterruptedException {
    FileFacts facts = parts.namespace.facts(work.path(), request.user());
    List<FileGroup> made = facts.groups();
    boolean isRight = facts.inodeId() == work.inodeId() && facts.open() == null
        && facts.policy() != null && facts.policy().name().equalsIgnoreCase(request.policy())
        && made.size() == work.groups().size();
    for (int i = 0; isRight && i < made.size(); i++) {
      FileGroup wanted = work.groups().get(i);
      isRight = made.get(i).id().equals(wanted.id()) && made.get(i).bytes() == wanted.bytes();
    }
    if (!isRight) {
      throw new VersionStopException(VersionEnd.FAILED,
          "the new version of " + request.path() + " is not what was ordered: " + made);
    }
    FileGroup lost = made.stream().max(Comparator.comparingInt(FileGroup::lostUnits))
        .orElse(null);
    if (lost != null && lost.lostUnits() > 0) {
      throw new VersionStopException(VersionEnd.FAILED, "the new version of " + request.path()
          + " has lost a unit of " + lost.id() + " already");
    }
    if (request.check() == VersionCheckMode.FULL) {
      checkAll();
    }
    parts.hook.reached(VersionPoint.VERIFIED, request.path());
  }

  private void checkAll() throws IOException, VersionStopException, InterruptedException {
    FullCheck check = new FullCheck(context);
    OldUnits units = OldUnits.locate(parts.store, parts.door, work.inodeId());
    for (FileGroup group : work.groups()) {
      if (group.bytes() > 0) {
        check.begin(group, units.of(group.id()));
        try {
          while (!check.isDone()) {
            checkGoOn();
            news.await(LOOK_MS);
          }
        } finally {
          check.cancel();
        }
      }
    }
  }

  private VersionOutcome publish(VersionRecord record) throws IOException,
      VersionStopException {
    checkGoOn();
    FileFacts facts = file.facts();
    // A contradiction may have been found since the version began.
    Optional<VersionRefusal> doubt = rules.checkDoubts(request.path(), facts.groups())
        .or(() -> rules.checkDoubts(request.path(), work.groups()));
    if (doubt.isPresent()) {
      return VersionOutcome.refused(doubt.get());
    }
    // Units may have been lost since the version began. A stream then needs further parities.
    int lost = parts.namespace.file("/.reserved/.inodes/" + request.inodeId(), request.inodeId(),
        request.user()).map(now -> now.facts().lostUnitsMax()).orElse(facts.lostUnitsMax());
    boolean mayBeRead = request.isForced() || request.idleMs() == 0
        || lost <= 1 && parts.codes.keepsFirstParity(facts.policy().code(), code());
    PublishAnswer answer = parts.namespace.publish(new PublishOrder(record, file, work.inodeId(),
        work.groups(), mayBeRead ? PublishOrder.ANY_ATIME : facts.atime()));
    if (answer.refusal().isPresent()) {
      return VersionOutcome.refused(answer.refusal().get());
    }
    if (answer.change().isPresent()) {
      return VersionOutcome.notPublished(VersionEnd.CHANGED, answer.change().get(), spent());
    }
    parts.hook.reached(VersionPoint.PUBLISHED, request.path());
    return VersionOutcome.published(spent());
  }
}
