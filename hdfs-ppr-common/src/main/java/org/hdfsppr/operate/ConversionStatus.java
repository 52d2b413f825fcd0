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
package org.hdfsppr.operate;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.apache.hadoop.classification.InterfaceAudience;

/** A job as its user sees it. Immutable. */
@InterfaceAudience.Private
public final class ConversionStatus {
  /** The value of a time that has not come. */
  public static final long NEVER = 0;
  /** The most failures that a status has: the last ones. */
  public static final int FAILURES_MAX = 16;

  /** The job's id */
  public final String id;
  /** The job's state */
  public final ConversionState state;
  /** What the job does */
  public final ConversionOptions options;
  /** Why the job is in its state, or what it waits for; may be empty; names no file */
  public final String why;
  /** When the job was submitted, ms since 1970 (UTC) */
  public final long submittedMs;
  /** When the job began to run, ms since 1970 (UTC), or {@link #NEVER} */
  public final long startedMs;
  /** When the job ended, ms since 1970 (UTC), or {@link #NEVER} */
  public final long endedMs;
  /** What the job has done */
  public final ConversionCounts counts;
  /** Files below the paths when the job began; empty while it is not known */
  public final OptionalLong totalFiles;
  /** Bytes of file data below the paths when the job began; empty while not known */
  public final OptionalLong totalBytes;
  /** Bytes of file data that the job gets on in a second; empty if it does not run */
  public final OptionalDouble bytesPerSecond;
  /** The time until the job's end, ms; empty while it is not known */
  public final OptionalLong leftMs;
  /** How many files are under way */
  public final int runningFiles;
  /** Short name of the user that has submitted the job; empty if not for the caller */
  public final String user;
  /** The paths; empty if they are not for the caller */
  public final List<String> paths;
  /** The last files that were not converted, the latest last; empty for other callers */
  public final List<ConversionFailure> failures;
  /** Null if it is not known. */
  private final UnseenReads unseenReads;

  private ConversionStatus(Builder builder) {
    id = Objects.requireNonNull(builder.id, "id");
    state = Objects.requireNonNull(builder.state, "state");
    options = Objects.requireNonNull(builder.options, "options");
    why = Objects.requireNonNull(builder.why, "why");
    submittedMs = builder.submittedMs;
    startedMs = builder.startedMs;
    endedMs = builder.endedMs;
    counts = Objects.requireNonNull(builder.counts, "counts");
    totalFiles = builder.totalFiles;
    totalBytes = builder.totalBytes;
    bytesPerSecond = builder.bytesPerSecond;
    leftMs = builder.leftMs;
    runningFiles = builder.runningFiles;
    user = Objects.requireNonNull(builder.user, "user");
    paths = List.copyOf(builder.paths);
    failures = List.copyOf(builder.failures);
    unseenReads = builder.unseenReads;
  }

  /**
   * Begins a status.
   *
   * @param id the job's id
   * @param state the job's state
   * @param options what the job does
   * @return a builder
   */
  public static Builder of(String id, ConversionState state, ConversionOptions options) {
    return new Builder(id, state, options);
  }

  /** @return the status without what only the owner and superusers may see */
  public ConversionStatus forOthers() {
    return toBuilder().user("").paths(List.of()).failures(List.of()).build();
  }

  /** @return this without the files that were not converted, and why */
  public ConversionStatus withoutFailures() {
    return failures.isEmpty() ? this : toBuilder().failures(List.of()).build();
  }

  /**
   * @param known how many DataNodes cannot tell whether clients read old versions of files
   * @return this with that
   */
  public ConversionStatus withUnseenReads(UnseenReads known) {
    Builder builder = toBuilder();
    builder.unseenReads = known;
    return builder.build();
  }

  private Builder toBuilder() {
    Builder builder = new Builder(id, state, options).why(why)
        .times(submittedMs, startedMs, endedMs).counts(counts).totals(totalFiles, totalBytes)
        .pace(bytesPerSecond, leftMs).runningFiles(runningFiles).user(user).paths(paths)
        .failures(failures);
    builder.unseenReads = unseenReads;
    return builder;
  }

  /** @return how many DataNodes see no reads of old versions; empty if that is not known */
  public Optional<UnseenReads> unseenReads() {
    return Optional.ofNullable(unseenReads);
  }

  @Override
  public String toString() {
    return id + " is " + state.word() + (why.isEmpty() ? "" : " (" + why + ")") + ", " + counts;
  }

  /** Collects the parts of a status. */
  @InterfaceAudience.Private
  public static final class Builder {
    private final String id;
    private final ConversionState state;
    private final ConversionOptions options;
    private String why = "";
    private long submittedMs;
    private long startedMs;
    private long endedMs;
    private ConversionCounts counts = ConversionCounts.NONE;
    private OptionalLong totalFiles = OptionalLong.empty();
    private OptionalLong totalBytes = OptionalLong.empty();
    private OptionalDouble bytesPerSecond = OptionalDouble.empty();
    private OptionalLong leftMs = OptionalLong.empty();
    private int runningFiles;
    private String user = "";
    private List<String> paths = List.of();
    private List<ConversionFailure> failures = List.of();
    private UnseenReads unseenReads;

    private Builder(String id, ConversionState state, ConversionOptions options) {
      this.id = id;
      this.state = state;
      this.options = options;
    }

    /**
     * @param sentence why the job is in its state, or what it waits for; may be empty
     * @return this builder
     */
    public Builder why(String sentence) {
      why = sentence;
      return this;
    }

    /**
     * @param submitted when the job was submitted, ms since 1970 (UTC)
     * @param started when it began to run, or {@link #NEVER}
     * @param ended when it ended, or {@link #NEVER}
     * @return this builder
     */
    public Builder times(long submitted, long started, long ended) {
      submittedMs = submitted;
      startedMs = started;
      endedMs = ended;
      return this;
    }

    /**
     * @param done what the job has done
     * @return this builder
     */
    public Builder counts(ConversionCounts done) {
      counts = done;
      return this;
    }

    /**
     * @param files files below the paths; empty while not known
     * @param bytes bytes of file data below the paths; empty while not known
     * @return this builder
     */
    public Builder totals(OptionalLong files, OptionalLong bytes) {
      totalFiles = files;
      totalBytes = bytes;
      return this;
    }

    /**
     * @param rate bytes of file data that the job gets on in a second; empty if it does not run
     * @param left the time until the job's end, ms; empty while not known
     * @return this builder
     */
    public Builder pace(OptionalDouble rate, OptionalLong left) {
      bytesPerSecond = rate;
      leftMs = left;
      return this;
    }

    /**
     * @param files how many files are under way
     * @return this builder
     */
    public Builder runningFiles(int files) {
      runningFiles = files;
      return this;
    }

    /**
     * @param name short name of the user that has submitted the job
     * @return this builder
     */
    public Builder user(String name) {
      user = name;
      return this;
    }

    /**
     * @param all the paths
     * @return this builder
     */
    public Builder paths(List<String> all) {
      paths = all;
      return this;
    }

    /**
     * @param last the last files that were not converted, the latest last
     * @return this builder
     */
    public Builder failures(List<ConversionFailure> last) {
      failures = last;
      return this;
    }

    /** @return the status */
    public ConversionStatus build() {
      return new ConversionStatus(this);
    }
  }
}
