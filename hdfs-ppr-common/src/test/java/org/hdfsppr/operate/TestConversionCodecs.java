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
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.hdfsppr.operate.ConversionCounts.Number;
import org.hdfsppr.operate.proto.ClientProtos.ConversionStatusProto;
import org.hdfsppr.operate.proto.ClientProtos.SubmitConversionRequestProto;
import org.hdfsppr.wire.MalformedRequestException;
import org.junit.jupiter.api.Test;

/** Tests that messages of conversions keep all they carry, and what callers may send. */
class TestConversionCodecs {
  private static ConversionRequest request() {
    return new ConversionRequest("j-1", ConversionOptions.of("P").force(true).fullCheck(true)
        .filesOnly(true).dryRun(true).idleMs(0).graceMs(7).concurrency(3)
        .bytesPerSecond(1 << 20).build(), List.of("/a", "/b c"));
  }

  @Test
  void aRequestKeepsAllItCarries() throws Exception {
    SubmitConversionRequestProto proto = ConversionRequestCodec.toProto(request());
    ConversionRequest read = ConversionRequestCodec.parse(proto);
    assertEquals(proto, ConversionRequestCodec.toProto(read));
    assertEquals(0, read.options.idleMs);
    assertEquals(List.of("/a", "/b c"), read.paths);
    ConversionRequest bare = ConversionRequestCodec.parse(ConversionRequestCodec.toProto(
        new ConversionRequest("j", ConversionOptions.of("P").build(), List.of("/"))));
    assertEquals(ConversionOptions.UNSET, bare.options.idleMs);
    assertEquals(ConversionOptions.UNSET, bare.options.concurrency);
  }

  private static void assertRefused(SubmitConversionRequestProto.Builder wrong) {
    assertThrows(MalformedRequestException.class,
        () -> ConversionRequestCodec.parse(wrong.build()), wrong::toString);
  }

  @Test
  void whatMakesNoSenseIsRefused() {
    for (String id : new String[] {"", "a/b", "..", "-a", "a".repeat(65), "a\nb"}) {
      assertRefused(ConversionRequestCodec.toProto(request()).toBuilder().setJobId(id));
    }
    SubmitConversionRequestProto good = ConversionRequestCodec.toProto(request());
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
    ConversionCounts.Builder counts = new ConversionCounts.Builder();
    for (Number number : Number.values()) {
      counts.add(number, 100 + number.ordinal());
    }
    ConversionStatus status = ConversionStatus.of("j-1", ConversionState.RUNNING,
        request().options).why("why").times(1, 2, 3).counts(counts.refused("open", 4).build())
        .totals(OptionalLong.of(5), OptionalLong.of(6))
        .pace(OptionalDouble.of(7.5), OptionalLong.of(8)).runningFiles(9).user("alice")
        .paths(List.of("/a")).failures(List.of(new ConversionFailure("/a/b", "failed", "", "no")))
        .build();
    ConversionStatus read = ConversionStatusCodec.parse(ConversionStatusCodec.toProto(status));
    assertEquals(ConversionStatusCodec.toProto(status), ConversionStatusCodec.toProto(read));
    assertEquals(status.counts.toString(), read.counts.toString());
    assertEquals(status.toString(), read.toString());
    String others = ConversionStatusCodec.toProto(status.forOthers()).toString();
    assertFalse(others.contains("/a"), others);
    assertFalse(others.contains("alice"), others);
    assertEquals("why", status.forOthers().why);
  }

  @Test
  void aStatusOfADryRunSaysHowManyNodesSeeNoReads() throws Exception {
    ConversionStatus bare =
        ConversionStatus.of("j-1", ConversionState.DONE, request().options).user("alice").build();
    ConversionStatusProto old = ConversionStatusCodec.toProto(bare);
    assertTrue(ConversionStatusCodec.parse(old).unseenReads().isEmpty(), "an older NameNode");
    ConversionStatusProto proto =
        ConversionStatusCodec.toProto(bare.withUnseenReads(new UnseenReads(3, 18)));
    assertEquals(old, proto.toBuilder().clearDataNodes().clearReadsUnseen().build());
    ConversionStatus read = ConversionStatusCodec.parse(proto);
    for (ConversionStatus each : List.of(read, read.forOthers(), read.withoutFailures())) {
      assertEquals(3, each.unseenReads().orElseThrow().blind);
      assertEquals(18, each.unseenReads().orElseThrow().dataNodes);
    }
    assertThrows(MalformedRequestException.class,
        () -> ConversionStatusCodec.parse(proto.toBuilder().setReadsUnseen(19).build()));
    assertThrows(MalformedRequestException.class,
        () -> ConversionStatusCodec.parse(proto.toBuilder().setReadsUnseen(-1).build()));
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
    ConversionCounts much = new ConversionCounts.Builder()
        .add(Number.BYTES_PASSED, Long.MAX_VALUE).build();
    assertEquals(Long.MAX_VALUE, much.plus(much).get(Number.BYTES_PASSED));
    ConversionCounts.Builder many = new ConversionCounts.Builder();
    for (int i = 0; i < 1_000; i++) {
      many.refused("reason" + i, 1);
    }
    assertTrue(many.build().refused.size() <= ConversionCounts.REASONS_MAX);
    assertEquals(1_000, many.build().refusedInAll());
  }
}
