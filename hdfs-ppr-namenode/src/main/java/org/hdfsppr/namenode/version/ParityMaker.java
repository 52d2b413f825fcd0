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
import java.util.List;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.ipc.StandbyException;
import org.apache.hadoop.security.UserGroupInformation;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes one parity file, from the request to the closed and checked file. One thread runs this
 * once. A column has one relation and none to spare, so that no making can check itself: the
 * relations of the parity file's own code check all units together.
 */
@InterfaceAudience.Private
final class ParityMaker {
  private static final Logger LOG = LoggerFactory.getLogger(ParityMaker.class);
  private static final FsPermission OWN = new FsPermission((short) 0600);
  /** Parity files have no rate of their own, only the limits of all makings. */
  private static final long NO_RATE = 0;

  private final EngineParts parts;
  private final ParityRequest request;
  private final String leaseHolder;
  private final long term;
  private final BooleanSupplier isOwner;
  private final MakingGuard guard;
  private final VersionNews news = new VersionNews();
  /** Null until there is a work file. */
  private FileMaking making;
  private WorkFile work;
  private boolean isDeleted;

  /**
   * @param leaseHolder the name of the holder of the leases of this engine's work files
   * @param term the term of the repair manager
   * @param isOwner takes the files, unless a version of one of them is being made
   * @param isStopped whether this engine has ended, or is not the active one of this term any more
   * @param isCancelled whether the job was cancelled
   */
  ParityMaker(EngineParts parts, ParityRequest request, String leaseHolder, long term,
      BooleanSupplier isOwner, BooleanSupplier isStopped, BooleanSupplier isCancelled) {
    this.parts = parts;
    this.isOwner = isOwner;
    this.request = request;
    this.leaseHolder = leaseHolder;
    this.term = term;
    this.guard = new MakingGuard(parts, parts.gate::whyNot, isStopped, isCancelled);
  }

  /**
   * Makes the file.
   *
   * @throws InterruptedException never in production, see {@link VersionMaker#run}
   */
  ParityOutcome run() throws InterruptedException {
    ParityOutcome outcome;
    try {
      guard.await(news);
      if (!isOwner.getAsBoolean()) {
        throw new VersionStopException(RefusalReason.BUSY, "a version of one of the files is"
            + " being made or cleared up; wait for it");
      }
      // From now on, the next term waits for this.
      guard.checkGoOn();
      make();
      guard.checkGoOn();
      outcome = ParityOutcome.made(work.inodeId, work.groups(), making.spent());
    } catch (VersionStopException e) {
      outcome = ParityOutcome.notMade(e.outcome(spent()));
    } catch (IOException | RuntimeException | AssertionError e) {
      outcome = ParityOutcome.notMade(guard.isStopped() || e instanceof StandbyException
          ? MakingGuard.stopped(spent())
          : VersionOutcome.notPublished(VersionEnd.FAILED, e.toString().split("\n")[0], spent()));
    } finally {
      if (making != null) {
        making.cancel();
      }
    }
    if (!outcome.isMade() && work != null && !guard.isStopped()) {
      delete();
    }
    return outcome.isMade() ? outcome : ParityOutcome.notMade(outcome.outcome, left());
  }

  /** Returns the inode id of the file, unless there is none or it is deleted. */
  OptionalLong left() {
    return work == null || isDeleted ? OptionalLong.empty() : OptionalLong.of(work.inodeId);
  }

  /** Lets repairs look after the file, if there is one. */
  void release() {
    if (making != null) {
      making.release();
    }
  }

  private VersionBytes spent() {
    return making == null ? VersionBytes.NONE : making.spent();
  }

  private void make() throws IOException, VersionStopException, InterruptedException {
    List<TargetFile> files = request.files;
    for (TargetFile file : files) {
      for (FileGroup group : file.groups) {
        if (parts.gate.isDoubted(group.id)) {
          throw new VersionStopException(RefusalReason.DOUBTED, "units of " + group.id
              + " contradict each other; the repair manager finds out which one is wrong");
        }
      }
    }
    List<TargetFile> located = new ArrayList<>(files);
    located.addAll(request.beside);
    MemberUnits units = new MemberUnits(parts, located);
    units.locate();
    work = WorkFile.of(parts.store, request.place.create(new ParityPlace.Form(OWN,
        files.get(0).blockBytes, files.get(0).storagePolicy, request.policy.name),
        leaseHolder), leaseHolder);
    VersionContext context = new VersionContext(parts, request.jobId, NO_RATE, work.path,
        work.inodeId, request.policy.code, term, news, guard.startMs);
    making = new FileMaking(context, work, guard, "the parity file " + work.path);
    parts.hook.reached(VersionPoint.CREATED, work.path);
    making.make(new FileMaking.Recipes() {
      @Override
      public int count() {
        return request.groups();
      }

      @Override
      public long bytes(int index) {
        return request.bytes(index);
      }

      @Override
      public GroupWork of(int index, FileGroup made) {
        return new GroupMaking(context, new ColumnRecipe(context, at(index, files),
            at(index, request.beside), made, units), made);
      }
    });
    making.compare(parts.namespace.facts(work.path,
        UserGroupInformation.getLoginUser().getShortUserName()), request.policy.name);
    making.checkAll(false);
    parts.hook.reached(VersionPoint.VERIFIED, work.path);
  }

  private static List<FileGroup> at(int index, List<TargetFile> files) {
    return files.stream().filter(file -> index < file.groups.size())
        .map(file -> file.groups.get(index)).collect(Collectors.toList());
  }

  /**
   * Deletes what this attempt has made. If that fails, the requester deletes it. No snapshot can
   * prevent that, because the file was never renamed.
   */
  private void delete() {
    try {
      HdfsFileStatus there = parts.store.namenode().getFileInfo(work.path);
      if (there != null && there.getFileId() == work.inodeId) {
        parts.store.namenode().delete(work.path, false);
      }
      isDeleted = true;
    } catch (IOException | RuntimeException | AssertionError e) {
      LOG.info("The unfinished {} is left for later: {}", work.path, e.toString());
    }
  }
}
