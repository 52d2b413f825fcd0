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

import java.util.Collections;
import java.util.List;
import org.hdfsppr.operate.ConversionCounts.Number;
import org.hdfsppr.operate.proto.ClientProtos.ConversionCountsProto;
import org.hdfsppr.operate.proto.ClientProtos.ConversionStatusProto;
import org.hdfsppr.operate.proto.ClientProtos.SubmitConversionRequestProto;
import org.hdfsppr.wire.MalformedRequestException;
import org.junit.jupiter.api.Test;

/** Tests that messages of conversions keep all they carry, and what callers may send. */
class TestConversionMessages {
  private static ConversionRequest request() {
    return new ConversionRequest("j-1", ConversionOptions.of("P").with(o -> o.setForce(true)
        .setFullCheck(true).setFilesOnly(true).setDryRun(true).setIdleMs(0).setGraceMs(7)
        .setConcurrency(3).setBytesPerS(1 << 20)), List.of("/a", "/b c"));
  }

  @Test
  void aRequestKeepsAllItCarries() throws Exception {
    SubmitConversionRequestProto proto = request().toProto();
    ConversionRequest read = ConversionRequest.parse(proto);
    assertEquals(proto, read.toProto());
    assertEquals(0, read.options.idleMs);
    assertEquals(List.of("/a", "/b c"), read.paths);
    ConversionRequest bare = ConversionRequest.parse(
        new ConversionRequest("j", ConversionOptions.of("P"), List.of("/")).toProto());
    assertEquals(ConversionOptions.UNSET, bare.options.idleMs);
    assertEquals(ConversionOptions.UNSET, bare.options.concurrency);
  }

  private static void assertRefused(SubmitConversionRequestProto.Builder wrong) {
    assertThrows(MalformedRequestException.class,
        () -> ConversionRequest.parse(wrong.build()), wrong::toString);
  }

  @Test
  void whatMakesNoSenseIsRefused() {
    for (String id : new String[] {"", "a/b", "..", "-a", "a".repeat(65), "a\nb"}) {
      assertRefused(request().toProto().toBuilder().setJobId(id));
    }
    SubmitConversionRequestProto good = request().toProto();
    assertRefused(good.toBuilder().clearPaths());
    assertRefused(good.toBuilder().addPaths("relative"));
    assertRefused(good.toBuilder().addPaths("/a\0b"));
    assertRefused(good.toBuilder().addPaths("/" + "x".repeat(ConversionRequest.PATH_BYTES_MAX)));
    assertRefused(good.toBuilder().addAllPaths(
        Collections.nCopies(ConversionRequest.PATHS_MAX, "/a")));
    assertRefused(good.toBuilder().setOptions(good.getOptions().toBuilder().setPolicy("")));
    assertRefused(good.toBuilder().setOptions(
        good.getOptions().toBuilder().setPolicy("x".repeat(129))));
    assertRefused(good.toBuilder().setOptions(good.getOptions().toBuilder().setIdleMs(-1)));
    assertRefused(good.toBuilder().setOptions(good.getOptions().toBuilder().setConcurrency(0)));
    assertRefused(good.toBuilder().setOptions(good.getOptions().toBuilder().setBytesPerS(1)));
  }

  @Test
  void aStatusKeepsAllItCarries() throws Exception {
    ConversionCounts counts = ConversionCounts.NONE.plusRefused("open", 4);
    for (Number number : Number.values()) {
      counts = counts.plus(number, 100 + number.ordinal());
    }
    ConversionCountsProto all = counts.toProto();
    ConversionStatus status = ConversionStatus.of("j-1", ConversionState.RUNNING,
        request().options).with(s -> s.setWhy("why").setSubmittedMs(1).setStartedMs(2).setEndedMs(3)
            .setCounts(all).setTotalFiles(5).setTotalBytes(6).setBytesPerS(7.5).setLeftMs(8)
            .setRunningFiles(9).setUser("alice").addAllPaths(List.of("/a"))
            .addFailures(new ConversionFailure("/a/b", "failed", "", "no").toProto()));
    ConversionStatus read = ConversionStatus.parse(status.toProto());
    assertEquals(status.toProto(), read.toProto());
    assertEquals(status.counts.toString(), read.counts.toString());
    assertEquals(status.toString(), read.toString());
    String others = status.forOthers().toProto().toString();
    assertFalse(others.contains("/a"), others);
    assertFalse(others.contains("alice"), others);
    assertEquals("why", status.forOthers().why);
  }

  @Test
  void aStatusOfADryRunSaysHowManyNodesSeeNoReads() throws Exception {
    ConversionStatus bare =
        ConversionStatus.of("j-1", ConversionState.DONE, request().options).with(s -> s
            .setUser("alice"));
    ConversionStatusProto old = bare.toProto();
    assertTrue(ConversionStatus.parse(old).unseenReads().isEmpty(), "an older NameNode");
    ConversionStatusProto proto = bare.withUnseenReads(new UnseenReads(3, 18)).toProto();
    assertEquals(old, proto.toBuilder().clearDataNodes().clearReadsUnseen().build());
    ConversionStatus read = ConversionStatus.parse(proto);
    for (ConversionStatus each : List.of(read, read.forOthers(), read.withoutFailures())) {
      assertEquals(3, each.unseenReads().orElseThrow().blind);
      assertEquals(18, each.unseenReads().orElseThrow().dataNodes);
    }
    assertThrows(MalformedRequestException.class,
        () -> ConversionStatus.parse(proto.toBuilder().setReadsUnseen(19).build()));
    assertThrows(MalformedRequestException.class,
        () -> ConversionStatus.parse(proto.toBuilder().setReadsUnseen(-1).build()));
  }

  @Test
  void statesFollowTheTable() {
    for (ConversionState state : ConversionState.values()) {
      assertEquals(state, ConversionState.ofNumber(state.number));
      assertEquals(state, ConversionState.ofWord(state.word()));
      assertFalse(state.mayBecome(state));
      if (state.isEnd()) {
        assertFalse(state.mayBecome(ConversionState.QUEUED));
      } else {
        assertTrue(state.mayBecome(ConversionState.CANCELLED));
      }
    }
    assertFalse(ConversionState.PAUSED.mayBecome(ConversionState.DONE));
    assertThrows(IllegalArgumentException.class, () -> ConversionState.ofNumber(7));
  }

  @Test
  void countsStayAtTheGreatestNumberAndReasonsAreBounded() {
    ConversionCounts much = ConversionCounts.NONE.plus(Number.BYTES_PASSED, Long.MAX_VALUE);
    assertEquals(Long.MAX_VALUE, much.plus(much).get(Number.BYTES_PASSED));
    ConversionCounts many = ConversionCounts.NONE;
    for (int i = 0; i < 1_000; i++) {
      many = many.plusRefused("reason" + i, 1);
    }
    assertTrue(many.refused.size() <= ConversionCounts.REASONS_MAX);
    assertEquals(1_000, many.refusedInAll());
  }
}
