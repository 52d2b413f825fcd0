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

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.operate.ConversionCounts;
import org.hdfsppr.operate.ConversionFailure;
import org.hdfsppr.operate.ConversionRequest;
import org.hdfsppr.operate.ConversionState;
import org.hdfsppr.operate.ConversionStatus;

/**
 * What is kept of a job: what its user wants, its state, the last file before which all files are
 * done, and what was counted up to that file. Immutable.
 */
@InterfaceAudience.Private
final class JobRecord {
  /** The number of files or bytes while it is not known. */
  static final long UNKNOWN = -1;

  final ConversionRequest request;
  /** The short name of the user whose job it is, and whose rights count. */
  final String user;
  final ConversionState state;
  /** Why the job is in its state; empty if there is nothing to say. Names no file. */
  final String why;
  final long submittedMs;
  final long startedMs;
  final long endedMs;
  /** The index of the path that the job has got to. */
  final int pathIndex;
  /** The last file of the path before which all are done; null if none is. */
  final String cursor;
  final ConversionCounts counts;
  final List<ConversionFailure> failures;
  final long totalFiles;
  final long totalBytes;
  /** The term of the repair manager that has written the record. */
  final long term;
  /** How often the record was written before. */
  final long revision;

  private JobRecord(Builder builder) {
    request = Objects.requireNonNull(builder.request, "request");
    user = Objects.requireNonNull(builder.user, "user");
    state = Objects.requireNonNull(builder.state, "state");
    why = Objects.requireNonNull(builder.why, "why");
    submittedMs = builder.submittedMs;
    startedMs = builder.startedMs;
    endedMs = builder.endedMs;
    pathIndex = builder.pathIndex;
    cursor = builder.cursor;
    counts = Objects.requireNonNull(builder.counts, "counts");
    failures = List.copyOf(builder.failures);
    totalFiles = builder.totalFiles;
    totalBytes = builder.totalBytes;
    term = builder.term;
    revision = builder.revision;
  }

  /** Begins the record of a new job, which is queued. */
  static Builder of(ConversionRequest request, String user, long submittedMs) {
    Builder builder = new Builder();
    builder.request = request;
    builder.user = user;
    builder.submittedMs = submittedMs;
    return builder;
  }

  Builder toBuilder() {
    Builder builder = new Builder();
    builder.request = request;
    builder.user = user;
    builder.submittedMs = submittedMs;
    builder.state = state;
    builder.why = why;
    builder.startedMs = startedMs;
    builder.endedMs = endedMs;
    builder.pathIndex = pathIndex;
    builder.cursor = cursor;
    builder.counts = counts;
    builder.failures = failures;
    builder.totalFiles = totalFiles;
    builder.totalBytes = totalBytes;
    builder.term = term;
    builder.revision = revision;
    return builder;
  }

  /**
   * Goes to another state.
   *
   * @throws IllegalStateException if the table of states does not allow that
   */
  JobRecord become(ConversionState next, String reason, long nowMs) {
    if (!state.mayBecome(next)) {
      throw new IllegalStateException("Job " + id() + " cannot go from " + state + " to " + next);
    }
    Builder builder = toBuilder();
    builder.state = next;
    builder.why = reason;
    if (next == ConversionState.RUNNING && startedMs == ConversionStatus.NEVER) {
      builder.startedMs = nowMs;
    }
    if (next.isEnd()) {
      builder.endedMs = nowMs;
    }
    return builder.build();
  }

  /** Takes note of a file that is done: it, and all files before it. */
  JobRecord advanced(int index, String file, ConversionCounts more, ConversionFailure failure) {
    Builder builder = toBuilder();
    builder.pathIndex = index;
    builder.cursor = file;
    return builder.counted(more, failure).build();
  }

  /** Takes note of something that has no place in the order of files. */
  JobRecord noted(ConversionCounts more, ConversionFailure failure) {
    return toBuilder().counted(more, failure).build();
  }

  String id() {
    return request.id;
  }

  @Override
  public String toString() {
    return id() + " of " + user + " is " + state.word() + " at " + pathIndex + ", revision "
        + revision;
  }

  /** Collects the parts of a record. */
  static final class Builder {
    private ConversionRequest request;
    private String user;
    private ConversionState state = ConversionState.QUEUED;
    private String why = "";
    private long submittedMs;
    private long startedMs = ConversionStatus.NEVER;
    private long endedMs = ConversionStatus.NEVER;
    private int pathIndex;
    private String cursor;
    private ConversionCounts counts = ConversionCounts.NONE;
    private List<ConversionFailure> failures = List.of();
    private long totalFiles = UNKNOWN;
    private long totalBytes = UNKNOWN;
    private long term;
    private long revision;

    private Builder() {
    }

    Builder state(ConversionState value, String reason) {
      state = value;
      why = reason;
      return this;
    }

    Builder times(long started, long ended) {
      startedMs = started;
      endedMs = ended;
      return this;
    }

    Builder cursor(int index, String file) {
      pathIndex = index;
      cursor = file;
      return this;
    }

    Builder counts(ConversionCounts value) {
      counts = value;
      return this;
    }

    Builder failures(List<ConversionFailure> value) {
      failures = value;
      return this;
    }

    Builder totals(long files, long bytes) {
      totalFiles = files;
      totalBytes = bytes;
      return this;
    }

    Builder written(long byTerm, long number) {
      term = byTerm;
      revision = number;
      return this;
    }

    private Builder counted(ConversionCounts more, ConversionFailure failure) {
      counts = counts.plus(more);
      if (failure != null) {
        List<ConversionFailure> all = new ArrayList<>(failures);
        all.add(failure);
        failures = all.subList(Math.max(0, all.size() - ConversionStatus.FAILURES_MAX),
            all.size());
      }
      return this;
    }

    JobRecord build() {
      return new JobRecord(this);
    }
  }
}
