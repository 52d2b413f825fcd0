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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.hdfsppr.operate.proto.ClientProtos.GroupAnswerProto;
import org.hdfsppr.operate.proto.ClientProtos.GroupFilesProto;
import org.hdfsppr.operate.proto.ClientProtos.SubmissionTermsProto;
import org.hdfsppr.operate.proto.ClientProtos.SubmitGroupsRequestProto;
import org.hdfsppr.operate.proto.ClientProtos.SubmitGroupsResponseProto;
import org.hdfsppr.wire.MalformedRequestException;
import org.junit.jupiter.api.Test;

/** Tests the messages of submitted groups, and what callers may send. */
class TestSubmissionMessages {
  private static SubmissionTerms terms() {
    return new SubmissionTerms(CoreDirectory.of("/warm", 7, true).with(d -> d.setUser("alice")), 25,
        600_000, 1_000, List.of(CoreDirectory.of("/warm/a b", 3, false)));
  }

  @Test
  void termsKeepAllTheyCarry() throws Exception {
    SubmissionTermsProto proto = terms().toProto();
    assertEquals(proto, SubmissionTerms.parse(proto).toProto());
    SubmissionTerms read = SubmissionTerms.parse(terms().toText());
    assertEquals(proto, read.toProto());
    assertEquals(0.25, read.slack());
    assertEquals(600_000, read.settleMs);
    assertEquals(1_000, read.blockGroupsMax);
    assertEquals(7, read.directory.files);
    assertEquals("/warm/a b", read.inner.get(0).path);
    assertFalse(read.inner.get(0).recursive);
    assertEquals(List.of(), read.withInner(List.of()).inner);
    assertThrows(MalformedRequestException.class, () -> SubmissionTerms.parse(
        proto.toBuilder().setBlockGroupsMax(0).build()));
    for (String text : new String[] {"", "%", "AAAA"}) {
      assertThrows(MalformedRequestException.class, () -> SubmissionTerms.parse(text), text);
    }
  }

  private static void assertRefused(SubmitGroupsRequestProto.Builder wrong) {
    assertThrows(MalformedRequestException.class,
        () -> GroupSubmission.parse(wrong.build()), wrong::toString);
  }

  private static GroupFilesProto group(Long... files) {
    return GroupFilesProto.newBuilder().addAllFileIds(List.of(files)).build();
  }

  @Test
  void groupsThatMakeNoSenseAreRefused() throws Exception {
    GroupSubmission submission =
        new GroupSubmission("/warm", List.of(List.of(5L, 3L), List.of(7L, 1L << 60, 2L)));
    SubmitGroupsRequestProto good = submission.toProto();
    GroupSubmission read = GroupSubmission.parse(good);
    assertEquals("/warm", read.path);
    assertEquals(submission.groups, read.groups);
    assertRefused(good.toBuilder().setPath("warm"));
    assertRefused(good.toBuilder().clearGroups());
    assertRefused(good.toBuilder().addGroups(group()));
    assertRefused(good.toBuilder().addGroups(group(1L)));
    assertRefused(good.toBuilder().addGroups(group(1L, 1L)));
    assertRefused(good.toBuilder().addGroups(group(1L, 0L)));
    assertRefused(good.toBuilder().addGroups(group(1L, -4L)));
    List<Long> many = new ArrayList<>();
    for (long i = 1; i <= CoreDirectory.FILES_MAX + 1; i++) {
      many.add(i);
    }
    assertRefused(good.toBuilder().addGroups(group(many.toArray(new Long[0]))));
    assertRefused(good.toBuilder().addAllGroups(
        Collections.nCopies(GroupSubmission.GROUPS_MAX - 1, group(1L, 2L))));
    assertEquals(GroupSubmission.GROUPS_MAX, GroupSubmission.parse(good.toBuilder()
        .addAllGroups(Collections.nCopies(GroupSubmission.GROUPS_MAX - 2, group(1L, 2L)))
        .build()).groups.size());
  }

  @Test
  void answersKeepAllTheyCarry() throws Exception {
    List<GroupAnswer> answers = List.of(GroupAnswer.TAKEN, GroupAnswer.later("queue_full"),
        GroupAnswer.refused("no_like_files"), GroupAnswer.unfit(Map.of(5L, "open")));
    SubmitGroupsResponseProto proto = GroupAnswer.toProto(answers);
    List<GroupAnswer> read = GroupAnswer.parse(proto, 4);
    assertEquals(proto, GroupAnswer.toProto(read));
    assertTrue(read.get(0).isTaken());
    assertTrue(read.get(1).later && !read.get(1).isTaken());
    assertEquals("no_like_files", read.get(2).reason);
    assertFalse(read.get(2).later);
    assertEquals(Map.of(5L, "open"), read.get(3).unfit);
    assertEquals("open", read.get(3).reason);
    assertThrows(MalformedRequestException.class, () -> GroupAnswer.parse(proto, 3));
    assertThrows(MalformedRequestException.class, () -> GroupAnswer.parse(
        SubmitGroupsResponseProto.newBuilder()
            .addAnswers(GroupAnswerProto.newBuilder().setReason("")).build(), 1));
  }
}
