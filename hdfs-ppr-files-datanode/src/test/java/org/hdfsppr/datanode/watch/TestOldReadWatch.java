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
package org.hdfsppr.datanode.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.apache.hadoop.hdfs.ExtendedBlockId;
import org.hdfsppr.datanode.watch.OldReadWatch.OldBlocks;
import org.hdfsppr.manage.OldReads;
import org.junit.jupiter.api.Test;

/** Tests what a DataNode says of its watched blocks. */
class TestOldReadWatch {
  private static final String POOL = "BP-1";
  private static final String OTHER = "BP-2";

  private final FakeTap tap = new FakeTap();
  private final List<String> threads = new ArrayList<>();
  private final List<ExtendedBlockId> slots = new ArrayList<>();
  private final Set<Long> gone = new HashSet<>();
  private long nanos = TimeUnit.HOURS.toNanos(1);
  private final OldReadWatch watch = new OldReadWatch(tap, new OldReadWatch.Moment() {
    @Override
    public List<String> threadNames() {
      return threads;
    }

    @Override
    public List<ExtendedBlockId> slots() {
      return slots;
    }
  }, (pool, id) -> !gone.contains(id), () -> nanos);

  private static final class FakeTap implements ReadTap {
    private String why = "";
    private boolean isWhole = true;
    private Reads reads;

    @Override
    public Optional<String> whyNot() {
      return Optional.of(why).filter(text -> !text.isEmpty());
    }

    @Override
    public boolean attach(Reads to) {
      reads = why.isEmpty() ? to : null;
      isWhole = reads != null;
      return isWhole;
    }

    @Override
    public boolean isWhole() {
      return isWhole;
    }

    @Override
    public void detach() {
      reads = null;
    }
  }

  private void pass(int seconds) {
    nanos += TimeUnit.SECONDS.toNanos(seconds);
  }

  private static String text(OldReads reads) {
    return reads.reads.stream().map(read -> Long.toString(read.blockId))
        .collect(Collectors.joining(" "));
  }

  private String read(int after) {
    return text(watch.page(POOL, after).reads);
  }

  @Test
  void onlyReadsOfWatchedBlocksAreReported() {
    assertNull(tap.reads, "nothing is attached while nothing is watched");
    watch.watch(POOL, List.of(1L, 2L, 3L));
    assertEquals("", read(0));
    tap.reads.read(POOL, 2);
    tap.reads.read(POOL, 4);
    tap.reads.read(OTHER, 1);
    assertEquals("2", read(0));
    OldReadsPage page = watch.page(POOL, 0);
    assertEquals("", read(page.last), "the NameNode knows it");
    tap.reads.read(null, 1);
    assertEquals("1", read(page.last), "the trace of short-circuit reads names no pool");
    assertEquals("2 1", read(0));
    assertTrue(watch.page(POOL, 0).reads.fromStart);
    assertFalse(watch.page(POOL, page.last).reads.fromStart);
    pass(10);
    tap.reads.read(POOL, 2);
    assertEquals("1 2", read(0), "the last read counts");
    assertEquals(0, watch.page(POOL, 0).reads.reads.get(1).agoMs);
    assertEquals(9_000, watch.page(POOL, 0).reads.reads.get(0).agoMs);
  }

  @Test
  void aMomentShowsWhatIsBeingSentAndWhatIsOpen() {
    watch.watch(POOL, List.of(1L, 2L, 3L));
    threads.add("DataXceiver for client c at /1.2.3.4:5 [Sending block BP-1:blk_3_1001]");
    assertEquals("3", read(0));
    threads.clear();
    slots.add(new ExtendedBlockId(1, POOL));
    slots.add(new ExtendedBlockId(2, OTHER));
    assertEquals("3 1", read(0));
  }

  @Test
  void blocksWithoutReplicasAreForgotten() {
    watch.watch(POOL, List.of(1L, 2L));
    tap.reads.read(POOL, 2);
    gone.add(1L);
    read(0);
    read(0);
    assertEquals(1, watch.watched());
    gone.add(2L);
    read(0);
    read(0);
    assertEquals(0, watch.watched());
    read(0);
    assertNull(tap.reads, "nothing is watched any more");
    watch.watch(POOL, List.of(5L));
    tap.reads.read(POOL, 5);
    assertEquals("5", read(0));
  }

  /** A node says for how long it has missed nothing. It keeps what it has seen. */
  @Test
  void whatMayHaveBeenMissedIsSaid() {
    pass(60);
    assertEquals(60_000, watch.page(POOL, 0).reads.wholeForMs);
    watch.watch(POOL, List.of(1L, 2L));
    assertEquals(60_000, watch.page(POOL, 0).reads.wholeForMs);
    tap.reads.read(POOL, 1);
    pass(60);
    tap.isWhole = false;
    assertEquals(0, watch.page(POOL, 0).reads.wholeForMs);
    pass(7);
    assertEquals(7_000, watch.page(POOL, 0).reads.wholeForMs, "it is attached again");
    assertEquals("1", read(0));
    tap.reads.read(POOL, 2);
    assertEquals("1 2", read(0));
  }

  @Test
  void whereTheTapIsRefusedTheNodeSaysSo() {
    tap.why = "another backend";
    watch.watch(POOL, List.of(1L));
    assertFalse(watch.page(POOL, 0).reads.seesAll);
    pass(9);
    assertEquals(0, watch.page(POOL, 0).reads.wholeForMs);
    slots.add(new ExtendedBlockId(1, POOL));
    assertEquals("1", read(0), "what a look finds is reported all the same");
    tap.why = "";
    read(0);
    assertTrue(watch.page(POOL, 0).reads.seesAll);
  }

  @Test
  void aFloodOfReadsComesInPages() {
    int blocks = 3 * OldReads.BLOCKS_MAX / 2;
    watch.watch(POOL, LongStream.rangeClosed(1, blocks).boxed().collect(Collectors.toList()));
    for (long id = 1; id <= blocks; id++) {
      tap.reads.read(POOL, id);
    }
    OldReadsPage first = watch.page(POOL, 0);
    assertTrue(first.reads.hasMore);
    assertEquals(OldReads.BLOCKS_MAX, first.reads.reads.size());
    OldReadsPage second = watch.page(POOL, first.last);
    assertFalse(second.reads.hasMore);
    assertEquals(blocks - OldReads.BLOCKS_MAX, second.reads.reads.size());
  }

  /** More blocks than there are places for: those before are forgotten, and the node says it. */
  @Test
  void tooManyBlocksMakeTheNodeForget() {
    watch.watch(POOL, List.of(-1L));
    tap.reads.read(POOL, -1);
    int last = watch.page(POOL, 0).last;
    pass(100);
    watch.watch(POOL, LongStream.rangeClosed(1, BlockTable.BLOCKS_MAX).boxed()
        .collect(Collectors.toList()));
    assertEquals(0, watch.page(POOL, last).reads.wholeForMs);
    assertFalse(watch.page(POOL, last).reads.fromStart, "a receiver keeps what it has heard");
    assertEquals(BlockTable.BLOCKS_MAX, watch.watched());
    tap.reads.read(POOL, 77);
    assertEquals("77", read(0));
    assertEquals(1, watch.page(POOL, last).reads.reads.size(), "numbers do not begin anew");
  }

  /** A version that was given up leaves blocks whose file lives on. */
  @Test
  void aWatchEndsByItself() {
    watch.watch(POOL, List.of(1L));
    pass(OldBlocks.WATCHED_SECONDS_MAX - 10);
    assertEquals("", read(0));
    assertEquals(1, watch.watched());
    // Each look takes a part of the table.
    for (int i = 0; i < 2; i++) {
      pass(20);
      assertEquals("", read(0));
    }
    assertEquals(0, watch.watched());
  }

  @Test
  void afterTheEndNothingIsAttached() {
    watch.watch(POOL, List.of(1L));
    watch.close();
    assertNull(tap.reads);
    watch.watch(POOL, List.of(2L));
    assertNull(tap.reads);
    assertEquals("", read(0));
  }
}
