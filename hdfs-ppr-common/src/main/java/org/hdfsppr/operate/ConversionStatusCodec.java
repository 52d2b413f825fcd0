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

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.operate.ConversionCounts.Number;
import org.hdfsppr.operate.proto.ClientProtos.ConversionCountsProto;
import org.hdfsppr.operate.proto.ClientProtos.ConversionFailureProto;
import org.hdfsppr.operate.proto.ClientProtos.ConversionStatusProto;
import org.hdfsppr.operate.proto.ClientProtos.ReasonCountProto;
import org.hdfsppr.wire.MalformedRequestException;

/** Converts a {@link ConversionStatus} into a message and back. */
@InterfaceAudience.Private
final class ConversionStatusCodec {
  private ConversionStatusCodec() {
  }

  static ConversionStatusProto toProto(ConversionStatus status) {
    ConversionStatusProto.Builder builder = ConversionStatusProto.newBuilder()
        .setJobId(status.id)
        .setState(status.state.number)
        .setOptions(ConversionOptionsCodec.toProto(status.options))
        .setWhy(status.why)
        .setSubmittedMs(status.submittedMs)
        .setStartedMs(status.startedMs)
        .setEndedMs(status.endedMs)
        .setCounts(toProto(status.counts))
        .setRunningFiles(status.runningFiles)
        .setUser(status.user)
        .addAllPaths(status.paths);
    status.totalFiles.ifPresent(builder::setTotalFiles);
    status.totalBytes.ifPresent(builder::setTotalBytes);
    status.bytesPerSecond.ifPresent(builder::setBytesPerS);
    status.leftMs.ifPresent(builder::setLeftMs);
    status.unseenReads().ifPresent(reads ->
        builder.setDataNodes(reads.dataNodes).setReadsUnseen(reads.blind));
    for (ConversionFailure failure : status.failures) {
      builder.addFailures(ConversionFailureProto.newBuilder().setPath(failure.path)
          .setOutcome(failure.outcome).setReason(failure.reason)
          .setSentence(failure.sentence));
    }
    return builder.build();
  }

  private static ConversionCountsProto toProto(ConversionCounts counts) {
    ConversionCountsProto.Builder builder = ConversionCountsProto.newBuilder()
        .setConverted(counts.get(Number.CONVERTED))
        .setAlready(counts.get(Number.ALREADY))
        .setChanged(counts.get(Number.CHANGED))
        .setFailed(counts.get(Number.FAILED))
        .setDirectories(counts.get(Number.DIRECTORIES))
        .setBytesPassed(counts.get(Number.BYTES_PASSED))
        .setBytesConverted(counts.get(Number.BYTES_CONVERTED))
        .setGroups(counts.get(Number.GROUPS))
        .setBytesLinked(counts.get(Number.BYTES_LINKED))
        .setBytesCopied(counts.get(Number.BYTES_COPIED))
        .setBytesMade(counts.get(Number.BYTES_MADE))
        .setBytesMoved(counts.get(Number.BYTES_MOVED))
        .setSpaceBefore(counts.get(Number.SPACE_BEFORE))
        .setSpaceAfter(counts.get(Number.SPACE_AFTER))
        .setRepairBefore(counts.get(Number.REPAIR_BEFORE))
        .setRepairAfter(counts.get(Number.REPAIR_AFTER));
    for (Map.Entry<String, Long> one : counts.refused.entrySet()) {
      builder.addRefused(ReasonCountProto.newBuilder().setReason(one.getKey())
          .setFiles(one.getValue()));
    }
    return builder.build();
  }

  /** @throws MalformedRequestException naming the field that is wrong */
  static ConversionStatus parse(ConversionStatusProto proto) throws MalformedRequestException {
    try {
      List<ConversionFailure> failures = new ArrayList<>();
      for (ConversionFailureProto one : proto.getFailuresList()) {
        failures.add(new ConversionFailure(one.getPath(), one.getOutcome(), one.getReason(),
            one.getSentence()));
      }
      ConversionStatus status = ConversionStatus.of(ConversionRequest.checkedId(proto.getJobId()),
          ConversionState.ofNumber(proto.getState()),
          ConversionOptionsCodec.parse(proto.getOptions()))
          .why(proto.getWhy())
          .times(proto.getSubmittedMs(), proto.getStartedMs(), proto.getEndedMs())
          .counts(parse(proto.getCounts()))
          .totals(proto.hasTotalFiles() ? OptionalLong.of(proto.getTotalFiles())
              : OptionalLong.empty(),
              proto.hasTotalBytes() ? OptionalLong.of(proto.getTotalBytes())
                  : OptionalLong.empty())
          .pace(proto.hasBytesPerS() ? OptionalDouble.of(proto.getBytesPerS())
              : OptionalDouble.empty(),
              proto.hasLeftMs() ? OptionalLong.of(proto.getLeftMs()) : OptionalLong.empty())
          .runningFiles(proto.getRunningFiles())
          .user(proto.getUser())
          .paths(proto.getPathsList())
          .failures(failures)
          .build();
      return proto.hasDataNodes() && proto.hasReadsUnseen() ? status.withUnseenReads(
          new UnseenReads(proto.getReadsUnseen(), proto.getDataNodes())) : status;
    } catch (IllegalArgumentException e) {
      throw new MalformedRequestException("The NameNode's answer contradicts itself: "
          + e.getMessage(), e);
    }
  }

  private static ConversionCounts parse(ConversionCountsProto proto) {
    ConversionCounts.Builder builder = new ConversionCounts.Builder()
        .add(Number.CONVERTED, proto.getConverted())
        .add(Number.ALREADY, proto.getAlready())
        .add(Number.CHANGED, proto.getChanged())
        .add(Number.FAILED, proto.getFailed())
        .add(Number.DIRECTORIES, proto.getDirectories())
        .add(Number.BYTES_PASSED, proto.getBytesPassed())
        .add(Number.BYTES_CONVERTED, proto.getBytesConverted())
        .add(Number.GROUPS, proto.getGroups())
        .add(Number.BYTES_LINKED, proto.getBytesLinked())
        .add(Number.BYTES_COPIED, proto.getBytesCopied())
        .add(Number.BYTES_MADE, proto.getBytesMade())
        .add(Number.BYTES_MOVED, proto.getBytesMoved())
        .add(Number.SPACE_BEFORE, proto.getSpaceBefore())
        .add(Number.SPACE_AFTER, proto.getSpaceAfter())
        .add(Number.REPAIR_BEFORE, proto.getRepairBefore())
        .add(Number.REPAIR_AFTER, proto.getRepairAfter());
    for (ReasonCountProto one : proto.getRefusedList()) {
      builder.refused(one.getReason(), one.getFiles());
    }
    return builder.build();
  }
}
