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

import java.io.Closeable;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.operate.Leftovers;

/**
 * Makes versions of files, and parity files. A version ends as published, or the file is as it
 * was. Thread-safe.
 */
@InterfaceAudience.Private
public interface VersionEngine extends Closeable {
  /**
   * The most commits under way. They have threads of their own, because conversions may hold theirs
   * for hours while repairs go first.
   */
  int COMMITS_MAX = 2;
  /** The job of all commits. */
  String COMMITS_JOB = "commits";

  /**
   * @return whether versions are made at this NameNode now: it is active, and what an earlier
   *     NameNode has left is cleared up
   */
  boolean isActive();

  /** @return for how long this engine has been active in its present term, ms; 0 if it is not */
  long activeMs();

  /**
   * @return why no commit may begin now, as a sentence without a full stop; empty if one may. The
   *     engine refuses commits meanwhile
   */
  Optional<String> whyNoCommit();

  /**
   * Takes a request, without waiting. A conversion waits for repairs, and its file is free for
   * commits until it begins. The future completes when the request has ended, never exceptionally,
   * and on a thread of the engine: what that triggers must not block.
   *
   * @param request what is wanted
   * @return the future outcome; empty if as many requests of its kind are under way as may be, or
   *     if this engine is not active: the caller has to ask again later
   */
  Optional<CompletableFuture<VersionOutcome>> submit(VersionRequest request);

  /**
   * Takes a request for a parity file, as {@link #submit(VersionRequest)}. It waits for repairs as
   * well. From its begin to its end, no version of its files is made.
   *
   * @param request what is wanted
   * @return the future outcome; empty if the caller has to ask again later
   */
  Optional<CompletableFuture<ParityOutcome>> submit(ParityRequest request);

  /**
   * Gives up all versions of a job that are not published yet. Their requests end soon, as {@link
   * VersionEnd#CANCELLED}.
   *
   * @param jobId the job
   */
  void cancel(String jobId);

  /**
   * Looks at a path.
   *
   * @param path absolute path
   * @param user short name of the user whose permissions count
   * @return what there is
   * @throws IOException if the NameNode does not answer this, for instance as a standby
   */
  FileFacts facts(String path, String user) throws IOException;

  /**
   * @param name name of an erasure coding policy
   * @return the policy; empty if the NameNode does not have it
   * @throws IOException if the NameNode does not answer this
   */
  Optional<PolicyFacts> policy(String name) throws IOException;

  /** @return what decides of which files a version is made */
  VersionRules rules();

  /**
   * Says what a version would cost if all nodes were as they should be.
   *
   * @param facts a file for which the rules allow a version under the policy
   * @param target the new policy
   * @return the cost
   */
  VersionBytes price(FileFacts facts, PolicyFacts target);

  /**
   * Looks at the directories of versions, also those that this engine has not made.
   *
   * @param left is filled with what is left
   * @param isCleared whether to delete first what may go
   * @param msMax how long it may take, ms; if that is too short, the leftovers say so
   * @throws IOException if the NameNode does not answer this, for instance as a standby
   */
  void survey(Leftovers.Builder left, boolean isCleared, long msMax) throws IOException;

  /** @return what the engine is doing and has done */
  EngineStatus status();

  /** Gives up all versions that are not published yet, and ends the engine's threads. */
  @Override
  void close();
}
