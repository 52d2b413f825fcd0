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
package org.hdfsppr.bench.update;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

import org.hdfsppr.bench.update.strategy.UpdateStrategies;
import org.hdfsppr.update.DataGrouping;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the counts of traces that are small enough to count by hand. */
class TestStrategyReplay {
  private static final int CHUNK = 1000;

  /**
   * Stripes 0 to 2: data units 0 and 1 in rack 0, 2 in rack 1; parity units in racks 1 and 2.
   * Stripe 3: see {@link #groupingFollowsACommitInTheTraceOnly}.
   */
  private static final String PLACES = "stripe,chunk0,chunk1,chunk2,chunk3,chunk4\n"
      + "0,0,1,3,4,6\n1,0,1,3,4,6\n2,0,1,3,4,6\n";

  @TempDir
  private Path folder;

  private StrategyReplay replay(String label, int stripesPerCommit, boolean endMarker)
      throws IOException {
    return new StrategyReplay(UpdateStrategies.byName(label, 1),
        options(stripesPerCommit, endMarker));
  }

  private ReplayOptions options(int stripesPerCommit, boolean endMarker) throws IOException {
    Placements places = Placements.drawn(3, 5, 9, 3, 1)
        .with(Files.writeString(folder.resolve("p.csv"), PLACES));
    return new ReplayOptions(places, 3, CHUNK, stripesPerCommit,
        Optional.of(DataGrouping.Rule.PAPER), endMarker);
  }

  private static void write(StrategyReplay replay, long offset, long size) {
    replay.replay(new TraceRequest(true, offset, size));
  }

  private static void assertCounts(CrossRackCounts counts, long replica, long parity) {
    assertEquals(replica + " replicas, " + parity + " parity, 0 grouping",
        counts.replica() + " replicas, " + counts.parity() + " parity, " + counts.grouping()
        + " grouping");
    assertEquals(replica + parity, counts.all());
  }

  /** Chunk 0 twice, with bytes in common; chunks 1 and 2 by one request; chunk 3 is stripe 1's. */
  private StrategyReplay fourWrites(String label) throws IOException {
    StrategyReplay replay = replay(label, 100, false);
    write(replay, 100, 200);
    write(replay, 200, 200);
    replay.replay(new TraceRequest(false, 0, 5000));
    write(replay, 1900, 150);
    write(replay, 3000, 10);
    replay.end();
    assertEquals(4, replay.writes());
    assertEquals(5, replay.chunkWrites());
    return replay;
  }

  @Test
  void baseline() throws IOException {
    StrategyReplay replay = fourWrites("baseline");
    assertCounts(replay.chunks(), 0, 2 + 2 + 2 + 1 + 2);
    assertCounts(replay.bytes(), 0, 400 + 400 + 200 + 50 + 20);
    assertEquals(0, replay.commits());
  }

  @Test
  void parix() throws IOException {
    StrategyReplay replay = fourWrites("parix");
    assertCounts(replay.chunks(), 0, 4 + 2 + 4 + 2 + 4);
    assertCounts(replay.bytes(), 0, 800 + (400 + 200) + 400 + 100 + 40);
    assertEquals(1, replay.commits());
  }

  @Test
  void cau() throws IOException {
    StrategyReplay replay = fourWrites("cau");
    // Stripe 0: rack 0 sends a parity delta to each of racks 1 and 2, rack 1 one to rack 2.
    assertCounts(replay.chunks(), 5, 3 + 2);
    // Bytes 100 to 400 of unit 0, 900 to 1000 of unit 1, 0 to 50 of unit 2; 10 of stripe 1.
    assertCounts(replay.bytes(), 200 + 200 + 150 + 10, 600 + 200 + 50 + 20);
    assertEquals(1, replay.commits());
    assertCounts(fourWrites("cau-0").chunks(), 0, 5);
    assertCounts(fourWrites("cau-1").chunks(), 5, 5);
    assertCounts(fourWrites("cau-2").chunks(), 10, 5);
    assertCounts(fourWrites("cau-2").bytes(), 2 * 560, 870);
  }

  @Test
  void collectAndDeltaLog() throws IOException {
    // Collecting in rack 1 costs 2 + 1 for stripe 0, as CAU does, and 1 + 1 for stripe 1.
    assertCounts(fourWrites("collect").chunks(), 5, 5);
    // Rack 1 logs what units 0 and 1 get, and rack 2 what unit 2 gets.
    assertCounts(fourWrites("delta-log").chunks(), 5, 1 + 1);
    assertCounts(fourWrites("delta-log").bytes(), 560, 300 + 100 + 10);
  }

  @Test
  void aCommitComesBeforeTheStripeThatIsTooMuch() throws IOException {
    StrategyReplay replay = replay("cau", 2, false);
    for (int stripe : new int[] {0, 1, 0, 2, 1}) {
      write(replay, stripe * 3L * CHUNK, 10);
    }
    assertEquals(1, replay.commits());
    assertCounts(replay.chunks(), 5, 4);
    replay.end();
    assertEquals(2, replay.commits());
    assertCounts(replay.chunks(), 5, 8);
    assertCounts(replay.bytes(), 50, 80);
  }

  @Test
  void anEmptyEndIsNoCommit() throws IOException {
    StrategyReplay replay = replay("cau", 2, false);
    replay.end();
    assertEquals(0, replay.commits());
  }

  /** PARIX: a chunk is written for the first time once in a trace, and not after each commit. */
  @Test
  void parixKnowsChunksAfterACommit() throws IOException {
    StrategyReplay replay = replay("parix", 1, false);
    for (int stripe : new int[] {0, 1, 0}) {
      write(replay, stripe * 3L * CHUNK, 10);
    }
    assertCounts(replay.chunks(), 0, 4 + 4 + 2);
    assertEquals(2, replay.commits());
  }

  /** On clusters, parity nodes need old bytes again after each commit. */
  @Test
  void parixOnClustersForgetsChunksAtACommit() throws IOException {
    StrategyReplay replay = new StrategyReplay(UpdateStrategies.byName("parix", 0),
        options(1, false).forgettingAtCommits());
    for (int stripe : new int[] {0, 0, 1, 0}) {
      write(replay, stripe * 3L * CHUNK, 10);
    }
    assertCounts(replay.chunks(), 0, 4 + 2 + 4 + 4);
  }

  @Test
  void theEndMarkerCountsAsAChunkWriteWhereThereAreReplicas() throws IOException {
    for (String label : UpdateStrategies.LABELS) {
      StrategyReplay with = replay(label, 100, true);
      StrategyReplay without = replay(label, 100, false);
      for (StrategyReplay replay : new StrategyReplay[] {with, without}) {
        write(replay, 100, 200);
        replay.end();
      }
      int replicas = with.strategy.replicas();
      assertEquals(replicas, with.endMarkerChunks(), label);
      assertEquals(without.chunks().replica() + replicas, with.chunks().replica(), label);
      assertEquals(without.chunks().parity(), with.chunks().parity(), label);
      assertEquals(without.bytes().all(), with.bytes().all(), label);
      assertEquals(0, without.endMarkerChunks(), label);
    }
  }

  /**
   * Rack 0 has units 0 to 3 of stripes 0 and 1, rack 1 has units 4 and 5, racks 2 to 4 a parity
   * unit each. Units 0, 1, 3, 4 of stripe 0 change: 6 chunks before unit 4 is in rack 0, then 3.
   */
  @Test
  void groupingFollowsACommitInTheTraceOnly() throws IOException {
    String heading = "stripe,chunk0,chunk1,chunk2,chunk3,chunk4,chunk5,chunk6,chunk7,chunk8\n";
    Placements places = Placements.drawn(6, 9, 20, 5, 1).with(Files.writeString(
        folder.resolve("p.csv"), heading + "0,0,1,2,3,4,5,8,12,16\n1,0,1,2,3,4,5,8,12,16\n"));
    for (boolean grouping : new boolean[] {true, false}) {
      StrategyReplay replay = new StrategyReplay(UpdateStrategies.byName("cau", 1),
          new ReplayOptions(places, 6, CHUNK, 1,
              grouping ? Optional.of(DataGrouping.Rule.PAPER) : Optional.empty(), false));
      for (int stripe : new int[] {0, 1, 0, 1}) {
        for (int unit : new int[] {0, 1, 3, 4}) {
          write(replay, (stripe * 6L + unit) * CHUNK, 100);
        }
      }
      replay.end();
      assertEquals(4, replay.commits());
      assertEquals(16, replay.chunks().replica());
      assertEquals(grouping ? 4 : 0, replay.chunks().grouping());
      assertEquals(grouping ? 6 + 6 + 3 + 3 : 24, replay.chunks().parity());
      assertEquals(0, replay.bytes().grouping(), "100 bytes do not pay for a whole chunk");
      assertEquals(2400, replay.bytes().parity());
    }
  }

  /**
   * The third write makes a commit due, so that the program of CAU's authors forgets it. What it
   * has sent as a replica counts, and its bytes are committed.
   */
  @Test
  void aWriteThatMakesACommitDueMayBeLostInChunks() throws IOException {
    for (String label : new String[] {"cau", "parix"}) {
      StrategyReplay replay = new StrategyReplay(UpdateStrategies.byName(label, 1),
          options(1, false).losingWrites());
      for (int stripe : new int[] {0, 0, 1}) {
        write(replay, stripe * 3L * CHUNK, 10);
      }
      replay.end();
      boolean isCau = label.equals("cau");
      assertEquals(isCau ? 1 : 0, replay.lostWrites(), label);
      assertEquals(isCau ? 1 : 2, replay.commits(), label);
      if (isCau) {
        assertCounts(replay.chunks(), 3, 2);
        assertCounts(replay.bytes(), 30, 2 * 10 + 2 * 10);
      }
    }
  }
}
