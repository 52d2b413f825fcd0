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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.operate.proto.ClientProtos.GroupAnswerProto;
import org.hdfsppr.operate.proto.ClientProtos.GroupFilesProto;
import org.hdfsppr.operate.proto.ClientProtos.SubmitGroupsRequestProto;
import org.hdfsppr.operate.proto.ClientProtos.SubmitGroupsResponseProto;
import org.hdfsppr.operate.proto.ClientProtos.UnfitFileProto;
import org.hdfsppr.wire.MalformedRequestException;

/** Converts a {@link GroupSubmission}, and its answers, into messages and back. */
@InterfaceAudience.Private
final class GroupSubmissionCodec {
  private GroupSubmissionCodec() {
  }

  static SubmitGroupsRequestProto toProto(GroupSubmission submission) {
    SubmitGroupsRequestProto.Builder builder =
        SubmitGroupsRequestProto.newBuilder().setPath(submission.path);
    submission.groups.forEach(files ->
        builder.addGroups(GroupFilesProto.newBuilder().addAllFileIds(files)));
    return builder.build();
  }

  /** @throws MalformedRequestException naming what is wrong */
  static GroupSubmission parse(SubmitGroupsRequestProto proto) throws MalformedRequestException {
    try {
      if (proto.getGroupsCount() > GroupSubmission.GROUPS_MAX) {
        throw new IllegalArgumentException(proto.getGroupsCount() + " groups, at most "
            + GroupSubmission.GROUPS_MAX + " are allowed");
      }
      List<List<Long>> groups = new ArrayList<>();
      for (GroupFilesProto files : proto.getGroupsList()) {
        groups.add(files.getFileIdsList());
      }
      return new GroupSubmission(proto.getPath(), groups);
    } catch (IllegalArgumentException e) {
      throw new MalformedRequestException("The groups are refused: " + e.getMessage(), e);
    }
  }

  static SubmitGroupsResponseProto toProto(List<GroupAnswer> answers) {
    SubmitGroupsResponseProto.Builder builder = SubmitGroupsResponseProto.newBuilder();
    for (GroupAnswer answer : answers) {
      GroupAnswerProto.Builder one = GroupAnswerProto.newBuilder();
      if (!answer.isTaken()) {
        one.setReason(answer.reason).setLater(answer.later);
      }
      answer.unfit.forEach((file, reason) ->
          one.addUnfit(UnfitFileProto.newBuilder().setFileId(file).setReason(reason)));
      builder.addAnswers(one);
    }
    return builder.build();
  }

  /**
   * @param groups how many groups were submitted
   * @throws MalformedRequestException naming what is wrong
   */
  static List<GroupAnswer> parse(SubmitGroupsResponseProto proto, int groups)
      throws MalformedRequestException {
    if (proto.getAnswersCount() != groups) {
      throw new MalformedRequestException("The answer is refused: it is about "
          + proto.getAnswersCount() + " groups instead of " + groups);
    }
    List<GroupAnswer> answers = new ArrayList<>();
    for (GroupAnswerProto one : proto.getAnswersList()) {
      Map<Long, String> unfit = new LinkedHashMap<>();
      one.getUnfitList().forEach(file -> unfit.put(file.getFileId(), file.getReason()));
      try {
        answers.add(!one.hasReason() ? GroupAnswer.TAKEN
            : !unfit.isEmpty() ? GroupAnswer.unfit(unfit)
            : one.getLater() ? GroupAnswer.later(one.getReason())
            : GroupAnswer.refused(one.getReason()));
      } catch (IllegalArgumentException e) {
        throw new MalformedRequestException("The answer is refused: " + e.getMessage(), e);
      }
    }
    return answers;
  }
}
