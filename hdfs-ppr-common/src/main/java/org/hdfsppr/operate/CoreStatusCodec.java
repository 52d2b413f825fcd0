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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.operate.CoreDirectory.Number;
import org.hdfsppr.operate.proto.ClientProtos.CoreDirectoryProto;
import org.hdfsppr.operate.proto.ClientProtos.CoreStatusProto;
import org.hdfsppr.operate.proto.ClientProtos.ReasonCountProto;
import org.hdfsppr.operate.proto.ClientProtos.UnusedGroupProto;
import org.hdfsppr.wire.MalformedRequestException;

/** Converts a {@link CoreStatus} into a message and back. */
@InterfaceAudience.Private
final class CoreStatusCodec {
  private CoreStatusCodec() {
  }

  static CoreStatusProto toProto(CoreStatus status) {
    CoreStatusProto.Builder builder = CoreStatusProto.newBuilder().setWhy(status.why)
        .setFormed(status.formed).setFailed(status.failed)
        .addAllDissolved(counts(status.dissolved));
    status.directories.forEach(directory -> builder.addDirectories(toProto(directory)));
    status.unused.forEach(group -> builder.addUnused(UnusedGroupProto.newBuilder()
        .setGroupId(group.groupId).setWhy(group.why).setRemedy(group.remedy)));
    builder.setUnusedGroups(status.unusedGroups).setKeptParities(status.keptParities)
        .setRecoverable(status.recoverable).setUnrecoverable(status.unrecoverable);
    return builder.build();
  }

  private static List<ReasonCountProto> counts(Map<String, Long> counts) {
    List<ReasonCountProto> protos = new ArrayList<>();
    counts.forEach((reason, count) ->
        protos.add(ReasonCountProto.newBuilder().setReason(reason).setFiles(count).build()));
    return protos;
  }

  static CoreDirectoryProto toProto(CoreDirectory directory) {
    return CoreDirectoryProto.newBuilder().setPath(directory.path)
        .setFilesPerGroup(directory.files).setRecursive(directory.recursive)
        .setUser(directory.user).setGroups(directory.get(Number.GROUPS))
        .setMembers(directory.get(Number.MEMBERS))
        .setMemberBytes(directory.get(Number.MEMBER_BYTES))
        .setParityBytes(directory.get(Number.PARITY_BYTES))
        .setParitySpaceBytes(directory.get(Number.PARITY_SPACE_BYTES))
        .setForming(directory.get(Number.FORMING)).setQueued(directory.get(Number.QUEUED))
        .setStale(directory.get(Number.STALE))
        .setColumnsTogether(directory.get(Number.COLUMNS_TOGETHER))
        .addAllWaiting(counts(directory.waiting)).setFailure(directory.failure)
        .setWalkedMs(directory.walkedMs).build();
  }

  /** @throws MalformedRequestException naming what is wrong */
  static CoreStatus parse(CoreStatusProto proto) throws MalformedRequestException {
    List<CoreDirectory> directories = new ArrayList<>();
    for (CoreDirectoryProto directory : proto.getDirectoriesList()) {
      directories.add(parse(directory));
    }
    List<UnusedGroup> unused = new ArrayList<>();
    proto.getUnusedList().forEach(one ->
        unused.add(new UnusedGroup(one.getGroupId(), one.getWhy(), one.getRemedy())));
    try {
      return new CoreStatus(proto.getWhy(), directories, proto.getFormed(),
          counts(proto.getDissolvedList()), proto.getFailed())
          .withUnused(unused, proto.getUnusedGroups()).withKept(proto.getKeptParities())
          .withLosses(proto.getRecoverable(), proto.getUnrecoverable());
    } catch (IllegalArgumentException e) {
      throw new MalformedRequestException("The answer is refused: " + e.getMessage(), e);
    }
  }

  private static Map<String, Long> counts(List<ReasonCountProto> protos) {
    Map<String, Long> counts = new HashMap<>();
    protos.forEach(one -> counts.put(one.getReason(), one.getFiles()));
    return counts;
  }

  /** @throws MalformedRequestException naming what is wrong */
  static CoreDirectory parse(CoreDirectoryProto proto) throws MalformedRequestException {
    try {
      return CoreDirectory.of(proto.getPath(), proto.getFilesPerGroup(), proto.getRecursive())
          .user(proto.getUser()).number(Number.GROUPS, proto.getGroups())
          .number(Number.MEMBERS, proto.getMembers())
          .number(Number.MEMBER_BYTES, proto.getMemberBytes())
          .number(Number.PARITY_BYTES, proto.getParityBytes())
          .number(Number.PARITY_SPACE_BYTES, proto.getParitySpaceBytes())
          .number(Number.FORMING, proto.getForming())
          .number(Number.QUEUED, proto.getQueued())
          .number(Number.STALE, proto.getStale())
          .number(Number.COLUMNS_TOGETHER, proto.getColumnsTogether())
          .waiting(counts(proto.getWaitingList())).failure(proto.getFailure())
          .walkedMs(proto.getWalkedMs()).build();
    } catch (IllegalArgumentException e) {
      throw new MalformedRequestException("The answer is refused: " + e.getMessage(), e);
    }
  }
}
