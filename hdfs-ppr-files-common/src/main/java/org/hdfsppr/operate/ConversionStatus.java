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
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.operate.proto.ClientProtos.ConversionStatusProto;
import org.hdfsppr.wire.MalformedRequestException;

/** The status of a conversion job, as the NameNode shows it to users. Immutable. */
@InterfaceAudience.Private
public final class ConversionStatus {
  /** The value of a time at which the event has not happened yet. */
  public static final long NEVER = 0;
  /** How many failures a status has at most: the latest ones. */
  public static final int FAILURES_MAX = 16;

  /** The job's id */
  public final String id;
  /** The job's state */
  public final ConversionState state;
  /** What the job does */
  public final ConversionOptions options;
  /**
   * Why the job is in its state, or what it waits for; may be empty. The text names no file, so
   * that every user may see it
   */
  public final String why;
  /** When the job was submitted, ms since 1970 (UTC) */
  public final long submittedMs;
  /** When the job began to run, ms since 1970 (UTC), or {@link #NEVER} */
  public final long startedMs;
  /** When the job ended, ms since 1970 (UTC), or {@link #NEVER} */
  public final long endedMs;
  /** What the job has done */
  public final ConversionCounts counts;
  /**
   * How many files were below the paths when the job began; empty while the NameNode has not
   * counted them
   */
  public final OptionalLong totalFiles;
  /** How many bytes of data these files had; empty while the NameNode has not counted them */
  public final OptionalLong totalBytes;
  /** How many bytes of file data per second the job finishes; empty if it does not run */
  public final OptionalDouble bytesPerSecond;
  /** The estimated time until the job ends, ms; empty while there is no estimate */
  public final OptionalLong leftMs;
  /** How many files the job is converting now */
  public final int runningFiles;
  /** The short name of the user that has submitted the job; empty if the caller may not see it */
  public final String user;
  /** The paths of the job; empty if the caller may not see them */
  public final List<String> paths;
  /**
   * The last {@link #FAILURES_MAX} files that were not converted, the latest last; empty if the
   * caller may not see them
   */
  public final List<ConversionFailure> failures;
  /** How many DataNodes cannot report reads of old versions; null if that is not known. */
  private final UnseenReads unseenReads;

  private ConversionStatus(ConversionStatusProto proto, ConversionOptions options) {
    id = proto.getJobId();
    state = ConversionState.ofNumber(proto.getState());
    this.options = options;
    why = proto.getWhy();
    submittedMs = proto.getSubmittedMs();
    startedMs = proto.getStartedMs();
    endedMs = proto.getEndedMs();
    counts = ConversionCounts.parse(proto.getCounts());
    totalFiles = proto.hasTotalFiles() ? OptionalLong.of(proto.getTotalFiles())
        : OptionalLong.empty();
    totalBytes = proto.hasTotalBytes() ? OptionalLong.of(proto.getTotalBytes())
        : OptionalLong.empty();
    bytesPerSecond = proto.hasBytesPerS() ? OptionalDouble.of(proto.getBytesPerS())
        : OptionalDouble.empty();
    leftMs = proto.hasLeftMs() ? OptionalLong.of(proto.getLeftMs()) : OptionalLong.empty();
    runningFiles = proto.getRunningFiles();
    user = proto.getUser();
    paths = List.copyOf(proto.getPathsList());
    failures = proto.getFailuresList().stream().map(ConversionFailure::parse)
        .collect(Collectors.toUnmodifiableList());
    unseenReads = proto.hasDataNodes() && proto.hasReadsUnseen()
        ? new UnseenReads(proto.getReadsUnseen(), proto.getDataNodes()) : null;
  }

  /**
   * Makes the status of a job that has done nothing yet.
   *
   * @param id the job's id
   * @param state the job's state
   * @param options what the job does
   * @return the status
   */
  public static ConversionStatus of(String id, ConversionState state, ConversionOptions options) {
    return new ConversionStatus(ConversionStatusProto.newBuilder().setJobId(id)
        .setState(state.number).setOptions(options.toProto())
        .setCounts(ConversionCounts.NONE.toProto()).build(), options);
  }

  /**
   * Parses a message that this node has received.
   *
   * @throws MalformedRequestException whose message names the wrong field
   */
  static ConversionStatus parse(ConversionStatusProto proto) throws MalformedRequestException {
    try {
      ConversionRequest.checkedId(proto.getJobId());
      return new ConversionStatus(proto, ConversionOptions.parse(proto.getOptions()));
    } catch (IllegalArgumentException e) {
      throw new MalformedRequestException("The NameNode's answer contradicts itself: "
          + e.getMessage(), e);
    }
  }

  ConversionStatusProto toProto() {
    ConversionStatusProto.Builder proto = ConversionStatusProto.newBuilder()
        .setJobId(id)
        .setState(state.number)
        .setOptions(options.toProto())
        .setWhy(why)
        .setSubmittedMs(submittedMs)
        .setStartedMs(startedMs)
        .setEndedMs(endedMs)
        .setCounts(counts.toProto())
        .setRunningFiles(runningFiles)
        .setUser(user)
        .addAllPaths(paths);
    totalFiles.ifPresent(proto::setTotalFiles);
    totalBytes.ifPresent(proto::setTotalBytes);
    bytesPerSecond.ifPresent(proto::setBytesPerS);
    leftMs.ifPresent(proto::setLeftMs);
    failures.forEach(failure -> proto.addFailures(failure.toProto()));
    unseenReads().ifPresent(reads ->
        proto.setDataNodes(reads.dataNodes).setReadsUnseen(reads.blind));
    return proto.build();
  }

  /**
   * @param change changes fields of the message, except the options
   * @return this status with the changed fields
   */
  public ConversionStatus with(Consumer<ConversionStatusProto.Builder> change) {
    ConversionStatusProto.Builder proto = toProto().toBuilder();
    change.accept(proto);
    return new ConversionStatus(proto.build(), options);
  }

  /**
   * @return this status without the user, the paths and the failures, which only the owner and
   *     superusers may see
   */
  public ConversionStatus forOthers() {
    return with(status -> status.clearUser().clearPaths().clearFailures());
  }

  /** @return this status without {@link #failures} */
  public ConversionStatus withoutFailures() {
    return failures.isEmpty() ? this : with(ConversionStatusProto.Builder::clearFailures);
  }

  /**
   * @param known how many DataNodes cannot report reads of old versions
   * @return this status with these numbers
   */
  public ConversionStatus withUnseenReads(UnseenReads known) {
    return with(status -> status.setDataNodes(known.dataNodes).setReadsUnseen(known.blind));
  }

  /** @return how many DataNodes cannot report reads of old versions; empty if that is not known */
  public Optional<UnseenReads> unseenReads() {
    return Optional.ofNullable(unseenReads);
  }

  @Override
  public String toString() {
    return id + " is " + state.word() + (why.isEmpty() ? "" : " (" + why + ")") + ", " + counts;
  }
}
