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
package org.hdfsppr.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.apache.hadoop.thirdparty.protobuf.UnknownFieldSet;
import org.hdfsppr.wire.RequestBounds;
import org.hdfsppr.wire.proto.PprProtos.NodeProgressProto;
import org.hdfsppr.wire.proto.PprProtos.ProgressProto;
import org.junit.jupiter.api.Test;

/** What a node keeps of what its children say is bounded, and so is what it passes on. */
@InterfaceAudience.Private
class TestProgressBoard {
  private static final long MS = 1_000_000;
  private static final long SECOND = 1_000 * MS;

  /** What a {@code SliceReader} accepts of a message. */
  private static final int MESSAGE_BYTES_MAX = 64 << 10;

  private long now = 1_000;
  private final ProgressBoard board = new ProgressBoard(() -> now);

  private static NodeProgressProto of(String uuid, int slices) {
    return NodeProgressProto.newBuilder().setUuid(uuid).setSlicesDone(slices).setChildWaitMs(1)
        .setParentWaitMs(2).setLocalMs(3).build();
  }

  private static ProgressProto note(NodeProgressProto... nodes) {
    ProgressProto.Builder builder = ProgressProto.newBuilder();
    for (NodeProgressProto node : nodes) {
      builder.addNodes(node);
    }
    return builder.build();
  }

  @Test
  void theLastNoteCounts() {
    board.note(note(of("a", 1), of("b", 2)));
    now += 500;
    board.note(note(of("a", 7)));
    assertEquals(7, board.of("a").progress.getSlicesDone());
    assertEquals(1_500, board.of("a").atNanos);
    assertEquals(1_000, board.of("b").atNanos);
    assertNull(board.of("c"));
    ProgressProto all = board.with(of("self", 9));
    assertEquals(3, all.getNodesCount());
    assertEquals("self", all.getNodes(0).getUuid());
  }

  @Test
  void noMoreNodesThanATreeHas() {
    for (int i = 0; i < 10_000; i++) {
      board.note(note(of("node-" + i, i)));
    }
    assertTrue(board.with(of("self", 0)).getNodesCount() <= RequestBounds.UNITS_MAX + 1);
    // Those that were there first are still heard.
    board.note(note(of("node-0", 77)));
    assertEquals(77, board.of("node-0").progress.getSlicesDone());
  }

  /**
   * Otherwise the grandparent refuses the message and blames the parent, although the parent is
   * innocent.
   */
  @Test
  void aChildCannotMakeItsParentTalkTooMuch() {
    for (int i = 0; i < 20; i++) {
      board.note(note(of(i + "x".repeat(60_000), i)));
      board.note(note(of("short-" + i, i).toBuilder().setUnknownFields(
          UnknownFieldSet.newBuilder().addField(99, UnknownFieldSet.Field.newBuilder()
              .addLengthDelimited(ByteString.copyFrom(new byte[60_000])).build()).build())
          .build()));
    }
    int bytes = board.with(of("self", 0)).getSerializedSize();
    assertTrue(bytes <= MESSAGE_BYTES_MAX, bytes + " bytes");
  }

  @Test
  void ratesFadeButTheBestCounts() {
    RateMemory memory = new RateMemory();
    assertEquals(0, memory.best());
    memory.saw(100, SECOND);
    memory.saw(50, SECOND);
    assertEquals(100, memory.best());
    memory.fade();
    assertEquals(90, memory.best(), 1e-9);
    memory.saw(95, SECOND);
    assertEquals(95, memory.best());
    for (int i = 0; i < 100; i++) {
      memory.fade();
    }
    assertTrue(memory.best() < 0.01);
  }

  /** Small repairs run out of buffers, as fast as memory. */
  @Test
  void whatIsOverAtOnceTellsNothing() {
    RateMemory memory = new RateMemory();
    memory.saw(1 << 20, SECOND / 1_000);
    assertEquals(0, memory.best());
    memory.saw(1 << 20, 2 * SECOND);
    assertEquals(1 << 19, memory.best());
    memory.saw(64 << 20, SECOND / 10);
    assertEquals(640L << 20, memory.best(), 1);
  }

  /** A parent passes the same note on again and again, which does not make it newer. */
  @Test
  void onlyWhatIsNewIsHeard() {
    board.note(note(of("a", 1)));
    now += 500;
    board.note(note(of("a", 1), of("b", 2)));
    assertEquals(1_000, board.of("a").atNanos);
    assertEquals(1_500, board.of("b").atNanos);
  }

  /** A node's clock runs as ours does, but began elsewhere. */
  @Test
  void datedWordsTellHowLongTheyWereUnderWay() {
    long began = now;
    NodeProgressProto.Builder word = of("a", 0).toBuilder().setAgeMs(0);
    now = began + 3 * MS;
    board.note(note(word.build()));
    assertEquals(now, board.of("a").madeNanos(), "the first one is believed to be fresh");
    now = began + 501 * MS;
    board.note(note(word.setAgeMs(500).build()));
    assertEquals(now, board.of("a").madeNanos(), "one that was faster tells more");
    now = began + 4_000 * MS;
    board.note(note(word.setAgeMs(800).build()));
    assertEquals(began + 801 * MS, board.of("a").madeNanos());
    now = began + 4_100 * MS;
    board.note(note(word.setAgeMs(Long.MAX_VALUE).build(), of("b", 3)));
    assertEquals(now, board.of("b").madeNanos(), "undated");
  }

  @Test
  void timesAddUp() {
    NodeStats stats = new NodeStats();
    stats.sliceDone();
    stats.addChildWait(0, TimeUnit.MILLISECONDS.toNanos(2));
    stats.addChildWait(2, TimeUnit.MILLISECONDS.toNanos(3));
    stats.addParentWait(TimeUnit.MILLISECONDS.toNanos(7));
    stats.addLocal(TimeUnit.MICROSECONDS.toNanos(600));
    stats.addMultiply(TimeUnit.MICROSECONDS.toNanos(600));
    NodeProgressProto proto = stats.toProto("me", 3, 7 * MS);
    assertEquals(1, proto.getSlicesDone());
    assertEquals(7, proto.getAgeMs());
    assertEquals(5, proto.getChildWaitMs());
    assertEquals(Arrays.asList(2L, 0L, 3L), proto.getWaitMsOfChildList());
    assertEquals(7, proto.getParentWaitMs());
    // Both together are more than a millisecond.
    assertEquals(1, proto.getLocalMs());
  }
}
