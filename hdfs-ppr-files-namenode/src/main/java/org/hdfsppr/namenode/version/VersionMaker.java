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
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.ipc.StandbyException;
import org.hdfsppr.coder.code.LinearCode;
import org.hdfsppr.namenode.model.GroupPolicy;
import org.hdfsppr.wire.PeerText;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes one version, from the request to the outcome. One thread runs this once:
 *
 * <pre>
 *   rules -> record -> work file -> for each group: add it, link, make -> close -> check -> publish
 * </pre>
 *
 * <p>If a step fails, the {@link VersionJanitor} clears up as after a crash: it decides by where
 * the files are.
 */
final class VersionMaker {
  private static final Logger LOG = LoggerFactory.getLogger(VersionMaker.class);

  private final EngineParts parts;
  private final VersionRequest request;
  private final VersionJanitor janitor;
  private final String leaseHolder;
  private final long term;
  private final BooleanSupplier isOwner;
  private final MakingGuard guard;
  private final OldReaders readers;
  private final VersionNews news = new VersionNews();

  private TargetFile file;
  private WorkFile work;
  /** Null until there is a work file. */
  private FileMaking making;
  /** The code of the new version; null until there is a work file. */
  private GroupPolicy code;
  /** Null until the old units are located. */
  private OldUnits oldUnits;
  /**
   * Only reads of the old version since this time count, by the clock of {@link OldReaders#nowMs}.
   */
  private long readsSinceMs;
  private boolean isForGood;
  /** Whether a try to publish may have renamed something. */
  private boolean hasRenames;

  /**
   * @param leaseHolder the name under which this engine holds the leases of the files that it makes
   * @param term the term of the repair manager
   * @param isOwner claims the file; returns false if another version of it is being made
   * @param guard decides whether the making may begin and go on
   */
  VersionMaker(EngineParts parts, VersionRequest request, VersionJanitor janitor,
      String leaseHolder, long term, BooleanSupplier isOwner, MakingGuard guard) {
    this.parts = parts;
    this.request = request;
    this.janitor = janitor;
    this.leaseHolder = leaseHolder;
    this.term = term;
    this.isOwner = isOwner;
    this.readers = new OldReaders(parts);
    this.guard = guard;
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
      begin();
      record = VersionRecord.begin(request, file, term)
          .at(parts.store.home(request.commit().isPresent()));
      if (!parts.store.begin(record)) {
        // The directory belongs to another version, so that this worker must not clear it up.
        record = null;
        throw new VersionStopException(RefusalReason.BUSY, request.path + " has a version that"
            + " is being made, or was left by an earlier try; try again in some minutes");
      }
      parts.hook.reached(VersionPoint.RECORDED, request.path);
      make(record);
      verify();
      outcome = publish(record);
    } catch (VersionStopException e) {
      isForGood = e.isForGood;
      outcome = e.outcome(spent());
      // If the file is gone, no storage of a DataNode fits its units. So a lack of nodes may also
      // come from that.
      outcome = outcome.end == VersionEnd.FAILED || outcome.reason == RefusalReason.NO_NODES
          ? unlessElsewhere(outcome) : outcome;
    } catch (IOException | RuntimeException | AssertionError e) {
      // The NameNode may have lost its role already; the repair manager notices a failover only in
      // its next cycle.
      hasRenames = true;
      outcome = guard.isStopped() || e instanceof StandbyException ? stopped() : failed(e);
    } finally {
      if (making != null) {
        making.cancel();
      }
    }
    return record == null || outcome.reason == RefusalReason.FULL ? outcome
        : settle(record, outcome);
  }

  /** Waits until the version may be made, and claims the file. */
  private void begin() throws IOException, VersionStopException, InterruptedException {
    if (request.commit().isPresent()) {
      // The caller has already waited until commits may be made, before it had writers wait for new
      // terms of their logs. So this does not wait again.
      Optional<String> why = parts.gate.whyNoCommit();
      if (why.isPresent()) {
        throw new VersionStopException(RefusalReason.NOT_IN_CHARGE, why.get());
      }
    } else {
      boolean hasWaited;
      do {
        hasWaited = guard.awaitRepair(news, file);
        hasWaited |= guard.await(news, List.of(file));
        if (hasWaited) {
          check();
        }
      } while (hasWaited);
    }
    if (!isOwner.getAsBoolean()) {
      throw new VersionStopException(RefusalReason.BUSY, "a version of " + request.path
          + " is being made or cleared up already; wait for it");
    }
    // From here on, this NameNode begins its next term only after this version has ended.
    guard.checkGoOn();
  }

  /**
   * Lets the repair manager repair the new version's groups: either it is published, or the janitor
   * deletes it.
   */
  void release() {
    if (making != null) {
      making.release();
    }
  }

  /** Returns whether a version that has failed may succeed if it is made once more. */
  boolean isWorthAnotherTry() {
    return !isForGood;
  }

  private VersionOutcome stopped() {
    return MakingGuard.stopped(spent());
  }

  private VersionOutcome failed(Throwable e) {
    return unlessElsewhere(VersionOutcome.notPublished(VersionEnd.FAILED,
        e.toString().split("\n")[0], spent()));
  }

  /**
   * Corrects the outcome if users have renamed, deleted or replaced the file: then the NameNode
   * refuses calls for it, but the version has not failed.
   */
  private VersionOutcome unlessElsewhere(VersionOutcome outcome) {
    return isElsewhere() ? VersionOutcome.notPublished(VersionEnd.CHANGED, request.path
        + " was renamed, replaced or deleted (" + outcome.sentence + ")", spent()) : outcome;
  }

  private boolean isElsewhere() {
    try {
      return file != null && parts.namespace.file(request.path, request.inodeId,
          request.user).isEmpty();
    } catch (IOException | RuntimeException | AssertionError e) {
      LOG.debug("The {} cannot be looked up after a failure", request, PeerText.oneLine(e));
      return false;
    }
  }

  private VersionOutcome published() {
    return VersionOutcome.published(spent()).durableIn(making.durableInMs());
  }

  private VersionBytes spent() {
    return making == null ? VersionBytes.NONE : making.spent();
  }

  /**
   * Clears up what is left of the version, and corrects an outcome that contradicts the namespace.
   */
  private VersionOutcome settle(VersionRecord record, VersionOutcome outcome) {
    if (guard.isStopped()) {
      // The janitor of the active NameNode clears up.
      return outcome.end == VersionEnd.PUBLISHED ? outcome
          : stopped().durableIn(PowerCutDurability.UNSAID_MS);
    }
    boolean isPublished = janitor.settle(record, hasRenames);
    if (outcome.end == VersionEnd.PUBLISHED) {
      return outcome;
    }
    // The janitor may not have found out whether the version is published. So the outcome assumes
    // that it may be.
    return isPublished ? published()
        : hasRenames ? outcome.durableIn(PowerCutDurability.UNSAID_MS) : outcome;
  }

  private void check() throws IOException, VersionStopException {
    file = parts.namespace.file(request.path, request.inodeId, request.user).orElse(null);
    FileFacts facts = file == null ? parts.namespace.facts(request.path, request.user)
        : file.facts;
    if (file == null && facts.inodeId != 0 && facts.inodeId != request.inodeId) {
      throw new VersionStopException(VersionEnd.CHANGED, request.path
          + " is another file by now");
    }
    Optional<VersionRefusal> refusal = parts.rules().check(facts, request,
        parts.namespace.policy(request.policy), parts.wallClockMs.getAsLong());
    if (refusal.isPresent()) {
      throw new VersionStopException(refusal.get());
    }
    if (file == null) {
      throw new VersionStopException(VersionEnd.CHANGED, request.path + " was changed just now");
    }
    // An earlier try may have had DataNodes watch these units, so that reads are already known.
    Optional<VersionRefusal> read = request.commit().isPresent()
        || readers.mayBeThere(request, file, code(), facts.lostUnitsMax()) ? Optional.empty()
        : readers.refusal(request.path, facts.groups, readers.nowMs() - request.idleMs);
    if (read.isPresent()) {
      throw new VersionStopException(read.get());
    }
  }

  private void make(VersionRecord record) throws IOException, VersionStopException,
      InterruptedException {
    code = code();
    VersionContext context = new VersionContext(parts, new VersionContext.Job(request.jobId,
        request.bytesPerSecond), new VersionContext.MadeFile(request.path, file.inodeId(), code),
        term, news, guard.startMs());
    work = WorkFile.create(parts.store, file, record.directory(), leaseHolder,
        request.policy);
    making = new FileMaking(context, work, guard, "the new version of " + request.path);
    parts.hook.reached(VersionPoint.CREATED, request.path);
    readsSinceMs = readers.nowMs();
    OldUnits units = OldUnits.locate(parts.store, parts.door, file.inodeId());
    oldUnits = units;
    List<FileGroup> old = file.groups;
    LinearCode linear = parts.codes.code(context.code);
    making.make(new FileMaking.Recipes() {
      @Override
      public int count() {
        return old.size();
      }

      @Override
      public long bytes(int index) {
        return old.get(index).bytes;
      }

      @Override
      public GroupWork of(int index, FileGroup made) throws IOException {
        return request.commit().isPresent()
            ? new PatchMaking(context, linear, request.commit().get().strategy,
                request.commit().get().group(index),
                new PatchMaking.Groups(file.inodeId(), old.get(index), made), units)
            : ProvenMaking.of(context, new VersionRecipe(context, linear, request, file,
                old.get(index), made, units), made);
      }
    });
  }

  private long firstGroup() {
    return work.groups().isEmpty() ? 0 : work.groups().get(0).id.groupId;
  }

  private GroupPolicy code() throws VersionStopException {
    return parts.namespace.policy(request.policy).orElseThrow(() ->
        new VersionStopException(RefusalReason.POLICY_UNKNOWN, "the policy " + request.policy
            + " was removed just now")).code;
  }

  /** Checks that the closed work file is what was ordered. */
  private void verify() throws IOException, VersionStopException, InterruptedException {
    making.compare(parts.namespace.facts(work.path, request.user), request.policy);
    if (request.check == VerificationMode.FULL) {
      making.checkAll(request.commit().isPresent());
    }
    parts.hook.reached(VersionPoint.VERIFIED, request.path);
  }

  private VersionOutcome publish(VersionRecord record) throws IOException, VersionStopException,
      InterruptedException {
    PublishAnswer answer = new Publisher(parts, request, parts.rules(), guard, news)
        .publish(new PublishOrder(
            record.made(work.inodeId, firstGroup()).keptAtLeast(making.durableInMs()), file,
            work.inodeId, work.groups(), PublishOrder.ANY_ATIME,
            request.commit().orElse(null)), code, oldUnits, readsSinceMs, making::durableInMs);
    hasRenames = answer.isPublished() || answer.broken().isPresent();
    if (answer.refusal().isPresent()) {
      return VersionOutcome.refused(answer.refusal().get());
    }
    if (answer.change().isPresent()) {
      return VersionOutcome.notPublished(VersionEnd.CHANGED, answer.change().get(), spent());
    }
    if (answer.again().isPresent()) {
      return VersionOutcome.again(RefusalReason.BUSY, answer.again().get(), spent());
    }
    if (answer.broken().isPresent()) {
      isForGood = true;
      return VersionOutcome.notPublished(VersionEnd.FAILED, answer.broken().get(), spent());
    }
    parts.hook.reached(VersionPoint.PUBLISHED, request.path);
    return published();
  }

  /**
   * Makes a group of a new version, with an {@link OldProof} that the old group was right. Used by
   * one thread.
   */
  static final class ProvenMaking implements GroupWork {
    private final GroupMaking making;
    private final VersionRecipe recipe;
    private final OldProof proof;

    private ProvenMaking(GroupMaking making, VersionRecipe recipe, OldProof proof) {
      this.making = making;
      this.recipe = recipe;
      this.proof = proof;
    }

    /** Returns the making of a group, with a proof if the recipe has one. */
    static GroupWork of(VersionContext context, VersionRecipe recipe, FileGroup made) {
      GroupMaking making = new GroupMaking(context, recipe, made);
      return recipe.proof().<GroupWork>map(proof -> new ProvenMaking(making, recipe, proof))
          .orElse(making);
    }

    @Override
    public void begin() throws VersionStopException {
      making.begin();
      // No making begins before the next call of advance(), so that the proof can still be decided
      // on here.
      proof.begin(making.digests());
    }

    @Override
    public void advance(BitSet reported) throws VersionStopException, IOException {
      proof.advance();
      making.advance(reported);
      proof.checkAllMayCome(making.digests());
    }

    @Override
    public boolean isDone(BitSet reported) {
      return making.isDone(reported) && proof.isDone();
    }

    @Override
    public int unitsForCompletion() {
      return making.unitsForCompletion();
    }

    @Override
    public long durableInMs() {
      return making.durableInMs();
    }

    @Override
    public VersionBytes bytes() {
      return making.bytes();
    }

    @Override
    public boolean hasDigests() {
      return making.hasDigests();
    }

    @Override
    public BitSet made() {
      return making.made();
    }

    @Override
    public GroupDigests digests() {
      return making.digests();
    }

    @Override
    public void checkOld() throws VersionStopException {
      if (proof.isUsed() && !proof.agree(making.digests())) {
        throw recipe.contradiction("by the digests of all of them");
      }
    }

    @Override
    public void checkedByReading(LinearCode code) throws VersionStopException {
      if (proof.isUsed() && !making.digests().agree(code)) {
        // The proof is valid only for the bytes from which these digests were computed, and other
        // bytes were read now.
        throw new VersionStopException(VersionEnd.FAILED, "the digests of units of " + recipe.what()
            + " contradict each other, and the units, read once more, do not");
      }
    }

    @Override
    public void cancel() {
      proof.cancel();
      making.cancel();
    }
  }
}
