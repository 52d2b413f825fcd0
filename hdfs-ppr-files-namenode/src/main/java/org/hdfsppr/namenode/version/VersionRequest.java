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

import java.util.Objects;
import java.util.Optional;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.wire.PeerText;

/**
 * Asks for a new version of one file: under another erasure coding policy, or with updates under
 * the same policy. Immutable.
 */
@InterfaceAudience.Private
public final class VersionRequest {
  /** The job that makes the request */
  public final String jobId;
  /** Absolute path of the file */
  public final String path;
  /** Id of the file's inode */
  public final long inodeId;
  /** Short name of the user whose permissions are checked, as the NameNode knows it */
  public final String user;
  /** Name of the new policy */
  public final String policy;
  /** How much is checked before the version is published */
  public final VerificationMode check;
  /** The version is made only if the file was not read or written for this time, ms */
  public final long idleMs;
  /** How long the old version is kept after the new one is published, ms */
  public final long graceMs;
  private final boolean force;
  /**
   * Whether nodes read and compare all units of the old version in a full check, even if digests
   * could show that the units agree
   */
  final boolean readsOld;
  /** How many bytes the whole job may move, bytes/s; 0 if only the NameNode's settings limit it */
  public final long bytesPerSecond;
  /** Null if the request asks for another policy. */
  private final CommitPlan commit;

  private VersionRequest(Builder builder) {
    commit = builder.commit;
    jobId = Objects.requireNonNull(builder.jobId, "jobId");
    path = Objects.requireNonNull(builder.path, "path");
    inodeId = builder.inodeId;
    user = Objects.requireNonNull(builder.user, "user");
    policy = Objects.requireNonNull(builder.policy, "policy");
    check = Objects.requireNonNull(builder.check, "check");
    idleMs = builder.idleMs;
    graceMs = builder.graceMs;
    force = builder.force;
    readsOld = builder.readsOld;
    bytesPerSecond = builder.bytesPerSecond;
    if (!path.startsWith("/")) {
      throw new IllegalArgumentException("'" + path + "' is no absolute path");
    }
    if (inodeId <= 0) {
      throw new IllegalArgumentException(path + ": " + inodeId + " is no inode id");
    }
    if (idleMs < 0 || graceMs < 0 || bytesPerSecond < 0) {
      throw new IllegalArgumentException(path + ": times and rates are at least 0");
    }
  }

  /**
   * Begins a request. By default, samples are checked, the file need not have been idle, there is
   * no grace, files in use are refused, and the job has no rate of its own.
   *
   * @param jobId the job that makes the request; all versions of a job can be cancelled together
   * @param path absolute path of the file
   * @param inodeId id of the file's inode; if another file is at the path, no version is made
   * @return a builder
   */
  public static Builder of(String jobId, String path, long inodeId) {
    return new Builder(jobId, path, inodeId);
  }

  /** @return whether the file is converted although it may be in use */
  public boolean isForced() {
    return force;
  }

  /** Returns the same request, but nodes read and compare all units of the old version. */
  VersionRequest readingOld() {
    Builder builder = of(jobId, path, inodeId).user(user).policy(policy).check(check)
        .idleMs(idleMs).graceMs(graceMs).force(force).bytesPerSecond(bytesPerSecond)
        .commit(commit);
    builder.readsOld = true;
    return builder.build();
  }

  /**
   * @return the updates that the version has to have; empty if the request asks for another policy
   */
  public Optional<CommitPlan> commit() {
    return Optional.ofNullable(commit);
  }

  @Override
  public String toString() {
    return (commit == null ? "version of " : "commit of ")
        + PeerText.oneLine(path) + " (inode " + inodeId + ") under " + policy + " for job " + jobId;
  }

  /** Collects the parts of a request. */
  public static final class Builder {
    private final String jobId;
    private final String path;
    private final long inodeId;
    private String user;
    private String policy;
    private VerificationMode check = VerificationMode.SAMPLED;
    private long idleMs;
    private long graceMs;
    private boolean force;
    private boolean readsOld;
    private long bytesPerSecond;
    private CommitPlan commit;

    private Builder(String jobId, String path, long inodeId) {
      this.jobId = jobId;
      this.path = path;
      this.inodeId = inodeId;
    }

    /**
     * @param name short name of the user whose permissions are checked
     * @return this builder
     */
    public Builder user(String name) {
      user = name;
      return this;
    }

    /**
     * @param name name of the new policy
     * @return this builder
     */
    public Builder policy(String name) {
      policy = name;
      return this;
    }

    /**
     * @param mode how much is checked before the version is published
     * @return this builder
     */
    public Builder check(VerificationMode mode) {
      check = mode;
      return this;
    }

    /**
     * @param ms the version is made only if the file was not read or written for this time, ms
     * @return this builder
     */
    public Builder idleMs(long ms) {
      idleMs = ms;
      return this;
    }

    /**
     * @param ms for how long the old version is kept after the new one is published, ms
     * @return this builder
     */
    public Builder graceMs(long ms) {
      graceMs = ms;
      return this;
    }

    /**
     * @param isForced whether the file is converted although it may be in use
     * @return this builder
     */
    public Builder force(boolean isForced) {
      force = isForced;
      return this;
    }

    /**
     * @param rate how many bytes the whole job may move, bytes/s; 0 for no limit of its own
     * @return this builder
     */
    public Builder bytesPerSecond(long rate) {
      bytesPerSecond = rate;
      return this;
    }

    /**
     * @param plan the updates that the version has to have; its policy is that of the file
     * @return this builder
     */
    public Builder commit(CommitPlan plan) {
      commit = plan;
      return this;
    }

    /**
     * @return the request
     * @throws IllegalArgumentException if a value is out of its bounds, or values contradict each
     *     other
     * @throws NullPointerException if the user or the policy is missing
     */
    public VersionRequest build() {
      return new VersionRequest(this);
    }
  }
}
