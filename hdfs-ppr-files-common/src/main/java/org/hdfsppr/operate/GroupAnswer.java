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

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.operate.proto.ClientProtos.GroupAnswerProto;
import org.hdfsppr.operate.proto.ClientProtos.SubmitGroupsResponseProto;
import org.hdfsppr.operate.proto.ClientProtos.UnfitFileProto;
import org.hdfsppr.wire.MalformedRequestException;

/**
 * The NameNode's answer about one group that a caller has submitted: accepted, or why not.
 * Immutable.
 */
@InterfaceAudience.Private
public final class GroupAnswer {
  /** The NameNode has accepted the group, and will make it. */
  public static final GroupAnswer TAKEN = new GroupAnswer("", false, Map.of());

  /** Why the NameNode does not accept the group, in one word; empty if it does */
  public final String reason;
  /** Whether the NameNode may accept the same group later */
  public final boolean later;
  /**
   * The inode ids of files that cannot be in any new group, each with the reason; empty if each
   * file could be in a group, but not these together
   */
  public final Map<Long, String> unfit;

  private GroupAnswer(String reason, boolean later, Map<Long, String> unfit) {
    this.reason = Objects.requireNonNull(reason, "reason");
    this.later = later;
    this.unfit = Collections.unmodifiableMap(new LinkedHashMap<>(unfit));
  }

  /**
   * @param reason why the files do not form a group together, in one word
   * @return the answer
   */
  public static GroupAnswer refused(String reason) {
    return new GroupAnswer(word(reason), false, Map.of());
  }

  /**
   * @param reason why the NameNode accepts no group at the moment, in one word
   * @return the answer, with which the caller may submit the same group again later
   */
  public static GroupAnswer later(String reason) {
    return new GroupAnswer(word(reason), true, Map.of());
  }

  /**
   * @param unfit the inode ids of the files that cannot be in a new group, each with the reason in
   *     one word
   * @return the answer, with which the caller may submit the other files in other groups
   */
  public static GroupAnswer unfit(Map<Long, String> unfit) {
    return new GroupAnswer(word(unfit.values().iterator().next()), false, unfit);
  }

  private static String word(String reason) {
    if (reason.isEmpty()) {
      throw new IllegalArgumentException("A group is refused for a reason");
    }
    return reason;
  }

  /**
   * Parses an answer that this node has received.
   *
   * @param groups how many groups were submitted
   * @throws MalformedRequestException whose message says what is wrong
   */
  static List<GroupAnswer> parse(SubmitGroupsResponseProto proto, int groups)
      throws MalformedRequestException {
    if (proto.getAnswersCount() != groups) {
      throw new MalformedRequestException("The answer is refused: it is about "
          + proto.getAnswersCount() + " groups instead of " + groups);
    }
    try {
      return proto.getAnswersList().stream().map(GroupAnswer::parse)
          .collect(Collectors.toList());
    } catch (IllegalArgumentException e) {
      throw new MalformedRequestException("The answer is refused: " + e.getMessage(), e);
    }
  }

  private static GroupAnswer parse(GroupAnswerProto proto) {
    if (!proto.hasReason()) {
      return TAKEN;
    }
    Map<Long, String> unfit = new LinkedHashMap<>();
    proto.getUnfitList().forEach(file -> unfit.put(file.getFileId(), file.getReason()));
    return !unfit.isEmpty() ? unfit(unfit)
        : proto.getLater() ? later(proto.getReason()) : refused(proto.getReason());
  }

  static SubmitGroupsResponseProto toProto(List<GroupAnswer> answers) {
    SubmitGroupsResponseProto.Builder proto = SubmitGroupsResponseProto.newBuilder();
    for (GroupAnswer answer : answers) {
      GroupAnswerProto.Builder one = proto.addAnswersBuilder();
      if (!answer.isTaken()) {
        one.setReason(answer.reason).setLater(answer.later);
      }
      answer.unfit.forEach((file, reason) ->
          one.addUnfit(UnfitFileProto.newBuilder().setFileId(file).setReason(reason)));
    }
    return proto.build();
  }

  /** @return whether the NameNode has accepted the group */
  public boolean isTaken() {
    return reason.isEmpty();
  }

  @Override
  public String toString() {
    return isTaken() ? "taken" : reason + (later ? ", later" : "") + " " + unfit;
  }
}
