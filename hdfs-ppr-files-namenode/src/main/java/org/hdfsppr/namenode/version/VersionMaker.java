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
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.ipc.StandbyException;
import org.hdfsppr.coder.code.LinearCode;
import org.hdfsppr.namenode.model.GroupPolicy;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.wire.PeerText;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes one version once, in steps, from the request to the outcome. If a step fails, the {@link
 * VersionJanitor} clears up as after a crash: it decides by where the files are. Used by one thread
 * at a time.
 */
final class VersionMaker {
  private static final Logger LOG = LoggerFactory.getLogger(VersionMaker.class);

  private final EngineParts parts;
  private final VersionRequest request;
  private final VersionJanitor janitor;
  private final MakingTerm term;
  private final MakingGuard guard;
  private final OldReaders readers;
  private final Publisher publisher;
  private final Phase phases;

  private TargetFile file;
  /** Whether the file may have changed since it was checked, because the making has waited. */
  private boolean isStale;
  /** The record of the version; null until its directory is there. */
  private VersionRecord record;
  private WorkFile work;
  /** Null until there is a work file. */
  private FileMaking making;
  /** How the groups of the work file are made. */
  private FileMaking.Recipes recipes;
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
  /** Null until the last step. */
  private VersionOutcome outcome;

  /** @param guard decides whether the making may begin and go on */
  VersionMaker(EngineParts parts, VersionRequest request, VersionJanitor janitor,
      MakingTerm term, MakingGuard guard) {
    this.parts = parts;
    this.request = request;
    this.janitor = janitor;
    this.term = term;
    this.readers = new OldReaders(parts);
    this.guard = guard;
    this.publisher = new Publisher(parts, request, parts.rules(), guard, term.news);
    this.phases = Phase.inOrder(
        Phase.once(this::check),
        this::awaitRepairs,
        Phase.once(this::claim),
        Phase.once(this::record),
        Phase.once(this::create),
        () -> making.makeGroups(recipes),
        () -> making.complete(),
        Phase.once(this::compare),
        this::checkBytes,
        Phase.once(this::beginPublishing),
        publisher);
  }

  /** Takes a step. The last one also clears up, unless it throws an Error. */
  Progress step() {
    VersionOutcome end;
    try {
      Progress progress = phases.step();
      if (!progress.isDone()) {
        return progress;
      }
      end = published(publisher.answer());
    } catch (VersionStopException e) {
      isForGood = e.isForGood;
      end = e.outcome(spent());
      // If the file is gone, no storage of a DataNode fits its units. So a lack of nodes may also
      // come from that.
      end = end.end == VersionEnd.FAILED || end.reason == RefusalReason.NO_NODES
          ? unlessElsewhere(end) : end;
    } catch (IOException | RuntimeException | AssertionError e) {
      // The NameNode may have lost its role already; the repair manager notices a failover only in
      // its next cycle.
      hasRenames = true;
      end = guard.isStopped() || e instanceof StandbyException ? stopped() : failed(e);
    }
    cancel();
    outcome = record == null || end.reason == RefusalReason.FULL ? end : settle(end);
    return Progress.DONE;
  }

  /** Returns the outcome, after the last step. */
  VersionOutcome outcome() {
    return outcome;
  }

  private void cancel() {
    publisher.cancel();
    if (making != null) {
      making.cancel();
    }
  }

  /** Looks whether the version may be made. Checks the file once more if it had to wait. */
  private Progress awaitRepairs() throws IOException, VersionStopException {
    if (request.commit().isPresent()) {
      // The caller has already waited until commits may be made, before it had writers wait for new
      // terms of their logs.
      return Progress.DONE;
    }
    Progress turn = guard.mayBegin(List.of(file));
    if (!turn.isDone()) {
      isStale = true;
      return turn;
    }
    if (isStale) {
      check();
    }
    Progress repaired = guard.isRepaired(file);
    isStale = !repaired.isDone();
    return repaired;
  }

  private void claim() throws VersionStopException {
    Optional<String> why =
        request.commit().isPresent() ? parts.gate.whyNoCommit() : Optional.empty();
    if (why.isPresent()) {
      throw new VersionStopException(RefusalReason.NOT_IN_CHARGE, why.get());
    }
    if (!term.claim.take()) {
      throw new VersionStopException(RefusalReason.BUSY, "a version of " + request.path
          + " is being made or cleared up already; wait for it");
    }
    // From here on, this NameNode begins its next term only after this version has ended.
    guard.checkGoOn();
  }

  private void record() throws IOException, VersionStopException {
    VersionRecord begun = VersionRecord.begin(request, file, term.number)
        .at(parts.store.home(request.commit().isPresent()));
    record = begun;
    if (!parts.store.begin(begun)) {
      // The directory belongs to another version, so that this maker must not clear it up.
      record = null;
      throw new VersionStopException(RefusalReason.BUSY, request.path + " has a version that"
          + " is being made, or was left by an earlier try; try again in some minutes");
    }
    parts.hook.reached(VersionPoint.RECORDED, request.path);
  }

  /**
   * Takes back what has not ended, and lets the repair manager repair the new version's groups:
   * either it is published, or the janitor deletes it.
   */
  void release() {
    try {
      cancel();
    } finally {
      if (making != null) {
        making.release();
      }
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
  private VersionOutcome unlessElsewhere(VersionOutcome end) {
    return isElsewhere() ? VersionOutcome.notPublished(VersionEnd.CHANGED, request.path
        + " was renamed, replaced or deleted (" + end.sentence + ")", spent()) : end;
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
  private VersionOutcome settle(VersionOutcome end) {
    if (guard.isStopped()) {
      // The janitor of the active NameNode clears up.
      return end.end == VersionEnd.PUBLISHED ? end
          : stopped().durableIn(PowerCutDurability.UNSAID_MS);
    }
    boolean isPublished = janitor.settle(record, hasRenames);
    if (end.end == VersionEnd.PUBLISHED) {
      return end;
    }
    // The janitor may not have found out whether the version is published. So the outcome assumes
    // that it may be.
    return isPublished ? published()
        : hasRenames ? end.durableIn(PowerCutDurability.UNSAID_MS) : end;
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

  private void create() throws IOException, VersionStopException {
    code = code();
    VersionContext context = new VersionContext(parts, new VersionContext.Job(request.jobId,
        request.bytesPerSecond), new VersionContext.MadeFile(request.path, file.inodeId(), code),
        term.number, term.news, guard.startMs());
    work = WorkFile.create(parts.store, file, record.directory(), term.leaseHolder,
        request.policy);
    making = new FileMaking(context, work, guard, "the new version of " + request.path);
    parts.hook.reached(VersionPoint.CREATED, request.path);
    readsSinceMs = readers.nowMs();
    OldUnits units = OldUnits.locate(parts.store, parts.door, file.inodeId());
    oldUnits = units;
    List<FileGroup> old = file.groups;
    LinearCode linear = parts.codes.code(context.code);
    recipes = new FileMaking.Recipes() {
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
    };
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
  private void compare() throws IOException, VersionStopException {
    making.compare(parts.namespace.facts(work.path, request.user), request.policy);
  }

  private Progress checkBytes() throws IOException, VersionStopException {
    Progress progress = request.check == VerificationMode.FULL
        ? making.checkAll(request.commit().isPresent()) : Progress.DONE;
    if (progress.isDone()) {
      parts.hook.reached(VersionPoint.VERIFIED, request.path);
    }
    return progress;
  }

  private void beginPublishing() {
    publisher.begin(new PublishOrder(
        record.made(work.inodeId, firstGroup()).keptAtLeast(making.durableInMs()), file,
        work.inodeId, work.groups(), PublishOrder.ANY_ATIME,
        request.commit().orElse(null)), code, oldUnits, readsSinceMs, making::durableInMs);
  }

  private VersionOutcome published(PublishAnswer answer) {
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
   * one thread at a time.
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
    public Map<Integer, NodeRef> nodes() {
      return making.nodes();
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
