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
package org.hdfsppr.namenode.convert;

import java.io.IOException;
import java.time.Clock;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.hdfsppr.namenode.version.FileFacts;
import org.hdfsppr.namenode.version.PolicyFacts;
import org.hdfsppr.namenode.version.RefusalReason;
import org.hdfsppr.namenode.version.VerificationMode;
import org.hdfsppr.namenode.version.VersionEngine;
import org.hdfsppr.namenode.version.VersionOutcome;
import org.hdfsppr.namenode.version.VersionRefusal;
import org.hdfsppr.namenode.version.VersionRequest;
import org.hdfsppr.operate.ConversionOptions;
import org.hdfsppr.wire.PeerLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Begins the work of a job on one file: has the engine make a version of it or, in a dry run,
 * calculates what this would cost.
 */
final class FileDesk {
  private static final Logger LOG = LoggerFactory.getLogger(FileDesk.class);

  private final PeerLog peerLog = new PeerLog(LOG);
  private final ConvertNamespace namespace;
  private final VersionEngine engine;
  private final CodeWorth worth;
  private final Clock clock;
  private final Runnable wake;

  /** @param wake is called when a version has ended, on any thread */
  FileDesk(ConvertNamespace namespace, VersionEngine engine, CodeWorth worth, Clock clock,
      Runnable wake) {
    this.namespace = namespace;
    this.engine = engine;
    this.worth = worth;
    this.clock = clock;
    this.wake = wake;
  }

  /**
   * Begins the work on a file or, if no version has to be made, sets its result at once.
   *
   * @return false if the engine has no place for the file now
   * @throws IOException if the NameNode does not answer now
   */
  boolean begin(FileWork file, JobRecord job) throws IOException {
    try {
      return look(file, job);
    } catch (RuntimeException | AssertionError e) {
      // Errors are caught so that the job goes on with other files. The NameNode throws an
      // AssertionError for some paths.
      peerLog.error(e.getClass().getName(), "A file of conversion job {} cannot be looked at, and"
          + " counts as failed", job.id(), e);
      file.done(FileResults.failed(file.path, "hdfs-ppr cannot look at it; the NameNode's log"
          + " says why: " + e.getClass().getSimpleName()));
      return true;
    }
  }

  private boolean look(FileWork file, JobRecord job) throws IOException {
    PathStatus status = namespace.status(file.path).orElse(null);
    if (status == null || status.directory) {
      file.done(FileResults.gone(file.path));
      return true;
    }
    ConversionOptions options = job.status.options;
    if (options.policy.equals(status.policy)) {
      file.done(FileResults.already(status.bytes));
      return true;
    }
    if (status.policy == null) {
      file.done(FileResults.refused(file.path, status.bytes, RefusalReason.REPLICATED, ""));
      return true;
    }
    VersionRequest.Builder request = VersionRequest.of(job.id(), file.path, status.inodeId)
        .user(job.status.user).policy(options.policy).idleMs(options.idleMs)
        .graceMs(options.graceMs).force(options.force)
        .check(options.fullCheck ? VerificationMode.FULL : VerificationMode.SAMPLED);
    if (options.bytesPerSecond != ConversionOptions.UNSET) {
      request.bytesPerSecond(options.bytesPerSecond);
    }
    if (options.dryRun) {
      file.done(dry(request.build(), status));
      return true;
    }
    Optional<CompletableFuture<VersionOutcome>> version = engine.submit(request.build());
    version.ifPresent(future -> {
      file.begun(status.bytes, future);
      future.whenComplete((outcome, e) -> wake.run());
    });
    return version.isPresent();
  }

  private FileResult dry(VersionRequest request, PathStatus status) throws IOException {
    FileFacts facts = engine.facts(request.path, request.user);
    Optional<PolicyFacts> target = engine.policy(request.policy);
    Optional<VersionRefusal> refusal =
        engine.rules().check(facts, request, target, clock.millis());
    return refusal.isPresent()
        ? FileResults.refused(request.path, status.bytes, refusal.get())
        : FileResults.wouldBe(status.bytes, engine.price(facts, target.orElseThrow()),
            worth.of(facts, target.orElseThrow().code));
  }
}
