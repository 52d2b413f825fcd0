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
 * Makes versions of files, and parity files. Either a version is published, or the file stays as it
 * was. Thread-safe.
 */
@InterfaceAudience.Private
public interface VersionEngine extends Closeable {
  /**
   * How many commits the engine makes at a time. They have places of their own, because conversions
   * may keep theirs for hours while repairs go first, and threads of their own, so that they do not
   * wait for steps of conversions.
   */
  int COMMITS_MAX = 2;
  /** Id of the job to which all commits belong. */
  String COMMITS_JOB = "commits";

  /**
   * @return whether this NameNode makes versions now: it is active, and the engine has cleared up
   *     what an earlier NameNode left behind
   */
  boolean isActive();

  /**
   * @return for how long this engine has been active in its present term, ms; 0 if it is not active
   */
  long activeMs();

  /**
   * @return why no commit may begin now, as a sentence without a full stop; empty if one may. While
   *     there is a reason, the engine refuses commits
   */
  Optional<String> whyNoCommit();

  /**
   * Takes a request, and returns at once. A conversion waits for repairs; until it begins, its file
   * can be committed. The future completes when the request has ended, and never with an exception.
   * It completes on a thread of the engine, so that its dependent actions must not block.
   *
   * @param request which version is wanted
   * @return the future outcome; empty if the engine has as many requests of this kind as it may
   *     have, or is not active. Then the caller has to submit the request again later
   */
  Optional<CompletableFuture<VersionOutcome>> submit(VersionRequest request);

  /**
   * Like {@link #submit(VersionRequest)}, but for a parity file. It waits for repairs as well. From
   * its beginning to its end, no version of its member files is made.
   *
   * @param request which parity file is wanted
   * @return the future outcome; empty if the caller has to submit the request again later
   */
  Optional<CompletableFuture<ParityOutcome>> submit(ParityRequest request);

  /**
   * Cancels all requests of a job that are not published yet. They end soon, with {@link
   * VersionEnd#CANCELLED}.
   *
   * @param jobId id of the job
   */
  void cancel(String jobId);

  /**
   * Reads the facts of a path.
   *
   * @param path absolute path
   * @param user short name of the user whose permissions count
   * @return the facts of what there is at the path
   * @throws IOException if the NameNode does not answer this, for instance as a standby
   */
  FileFacts facts(String path, String user) throws IOException;

  /**
   * @param name name of an erasure coding policy
   * @return the policy; empty if the NameNode does not have it
   * @throws IOException if the NameNode does not answer this
   */
  Optional<PolicyFacts> policy(String name) throws IOException;

  /** @return the rules that decide whether a file gets a new version */
  VersionRules rules();

  /**
   * Calculates what a version would cost if all nodes were healthy.
   *
   * @param facts a file for which the rules allow a version under the policy
   * @param target the new policy
   * @return the cost
   */
  VersionBytes price(FileFacts facts, PolicyFacts target);

  /**
   * Looks at the directories of all versions, including those that another engine has made.
   *
   * @param left gets an item for each directory that is left after the look
   * @param isCleared whether to delete first the directories that may be deleted
   * @param msMax how long it may take, ms; if that is too short, {@code left} says so
   * @throws IOException if the NameNode does not answer this, for instance as a standby
   */
  void survey(Leftovers.Builder left, boolean isCleared, long msMax) throws IOException;

  /** @return what the engine is doing, and has done since the NameNode's start */
  EngineStatus status();

  /** Cancels all versions that are not published yet, and ends the engine's threads. */
  @Override
  void close();
}
