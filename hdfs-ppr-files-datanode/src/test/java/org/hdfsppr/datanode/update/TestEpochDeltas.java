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
package org.hdfsppr.datanode.update;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.hdfsppr.datanode.update.LogReader.DeltaChange;
import org.hdfsppr.datanode.update.log.LogEntry;
import org.hdfsppr.datanode.update.log.LogView;
import org.hdfsppr.datanode.update.log.PowerLoss;
import org.hdfsppr.datanode.update.log.UpdateLog;
import org.hdfsppr.datanode.update.old.BlockLineage;
import org.hdfsppr.plan.BlockRef;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.stream.UnitSource;
import org.hdfsppr.update.append.NumberedUpdate;
import org.hdfsppr.update.append.Origin;
import org.hdfsppr.update.append.UnitId;
import org.hdfsppr.update.append.UpdateTicket;
import org.hdfsppr.update.view.ViewPiece;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What deltas mean in the logs of all holders, whatever becomes of terms, commits and nodes. */
class TestEpochDeltas {
  private static final int LENGTH = 1_000;
  private static final UnitId UNIT = new UnitId(new UUID(1, 2), 0, 1);
  /** The first one has the unit. */
  private static final int NODES = 4;

  private final List<PowerLoss> disks = new ArrayList<>();
  private final List<UpdateLog> logs = new ArrayList<>();
  /** The blocks of the first node. */
  private final Map<BlockRef, byte[]> blocks = new HashMap<>();
  private BlockLineage lineage = new BlockLineage();
  /** By commit, what a version with it has. */
  private final Map<Long, byte[]> versions = new HashMap<>();
  private final byte[] content = new byte[LENGTH];
  private EpochDeltas deltas;
  /** The holders of the present term; the first one leads. */
  private List<Integer> holders = List.of(0, 1, 2);
  private long term;
  private long epoch = 1;
  private int sentAsDeltas;

  @BeforeEach
  void open() throws IOException {
    for (int node = 0; node < NODES; node++) {
      disks.add(new PowerLoss());
      logs.add(disks.get(node).open());
    }
    new Random(1).nextBytes(content);
    blocks.put(block(0), content.clone());
    versions.put(0L, content.clone());
    begin(0, 1, 2);
  }

  @AfterEach
  void close() throws IOException {
    for (UpdateLog log : logs) {
      log.close();
    }
    logs.clear();
    disks.clear();
  }

  private static BlockRef block(long version) {
    return new BlockRef("BP-1", -16 * (version + 1) + 1, 1_000 + version, LENGTH);
  }

  private UnitSource open(BlockRef block) throws IOException {
    byte[] bytes = holders.get(0) == 0 ? blocks.get(block) : null;
    if (bytes == null) {
      throw new FileNotFoundException(block + " is not here");
    }
    return new UnitSource() {
      @Override
      public long length() {
        return LENGTH;
      }

      @Override
      public void read(long offset, ByteBuffer into) {
        into.put(bytes, (int) offset, into.remaining());
      }

      @Override
      public void close() {
        // An array.
      }
    };
  }

  private UpdateLog leader() {
    return logs.get(holders.get(0));
  }

  /** Begins a term with these holders, the first of which has the history. */
  private void begin(Integer... of) throws IOException {
    holders = List.of(of);
    long before = term++;
    UpdateLog leads = leader();
    long last = leads.state(UNIT).map(state -> state.last).orElse(0L);
    leads.begin(UNIT, term, last, last, last == 0);
    leads.show(UNIT, last);
    for (int i = 1; i < of.length; i++) {
      UpdateLog log = logs.get(of[i]);
      boolean goesOn = last > 0 && log.state(UNIT).map(state -> state.term == before
          && state.isComplete()).orElse(false);
      if (!goesOn && log.trimmed(UNIT.file) > leads.trimmed(UNIT.file)) {
        // It takes nothing of commits that it has dropped. The leader will drop them, too.
        leads.trim(UNIT.file, log.trimmed(UNIT.file));
      }
      List<LogEntry> all = leads.entries(UNIT, 0, Integer.MAX_VALUE);
      long first = all.isEmpty() ? last + 1 : all.get(0).sequence;
      log.begin(UNIT, term, goesOn ? log.state(UNIT).get().last : first - 1, last, !goesOn);
      for (LogEntry entry : leads.entries(UNIT, log.state(UNIT).get().last, 1 << 20)) {
        log.copy(UNIT, term, EntryData.record(entry), ByteBuffer.wrap(leads.read(entry)));
      }
    }
    deltas = new EpochDeltas(leads, this::open, lineage);
  }

  private UpdateTicket ticket(long version, long committed) {
    NodeRef node = new NodeRef("n", "127.0.0.1", "localhost", 1, 2, "/r");
    return new UpdateTicket(UNIT, block(version), term, term - 1, epoch, List.of(node))
        .ofVersion(committed).withDeltas();
  }

  private static int[] range(int from, int length) {
    return new int[] {from, length};
  }

  /** Appends updates of one turn; returns whether followers got deltas. */
  private boolean turn(UpdateTicket ticket, int[]... ranges) throws IOException {
    return turn(ticket, NODES, ranges);
  }

  /** As above, with a follower that gets none. */
  private boolean turn(UpdateTicket ticket, int old, int[]... ranges) throws IOException {
    List<LogEntry> turn = new ArrayList<>();
    Random random = new Random(leader().bytes());
    ByteBuffer data = ByteBuffer.allocate(4_000);
    for (int[] range : ranges) {
      byte[] one = new byte[range[1]];
      random.nextBytes(one);
      turn.add(leader().append(UNIT, term, epoch, range[0], ByteBuffer.wrap(one), Origin.NONE));
      System.arraycopy(one, 0, content, range[0], range[1]);
      data.put(one);
    }
    byte[] all = new byte[data.position()];
    data.flip().get(all);
    Optional<byte[]> found = deltas.of(turn, ticket, all);
    for (int i = 1; i < holders.size(); i++) {
      boolean isDelta = found.isPresent() && holders.get(i) != old;
      int at = 0;
      for (LogEntry entry : turn) {
        NumberedUpdate record = EntryData.record(entry);
        logs.get(holders.get(i)).copy(UNIT, term, isDelta ? record.asDelta() : record,
            ByteBuffer.wrap(isDelta ? found.get() : all, at, entry.length));
        at += entry.length;
      }
    }
    leader().show(UNIT, turn.get(turn.size() - 1).sequence);
    sentAsDeltas += found.isPresent() ? 1 : 0;
    return found.isPresent();
  }

  /** Puts what a log shows over a version, as a reader does. */
  private byte[] read(int node, long committed) throws IOException {
    UpdateLog log = logs.get(node);
    log.show(UNIT, log.state(UNIT).orElseThrow().last);
    byte[] read = versions.get(committed).clone();
    for (int from = 0; from < LENGTH; from += 250) {
      LogView view = log.view(UNIT, from, 250, committed);
      int at = 0;
      for (ViewPiece piece : view.pieces) {
        for (int i = (int) piece.offset; i < piece.end(); i++) {
          read[i] = (byte) (view.data[at++] ^ (piece.isDelta ? read[i] : 0));
        }
      }
    }
    return read;
  }

  private void assertRead(long committed) throws IOException {
    for (int node : holders) {
      assertArrayEquals(content, read(node, committed), "node " + node + ", term " + term);
    }
  }

  private Optional<UnitSource> change(int node, long first, long last, long committed) {
    return DeltaChange.of(logs.get(node), logs.get(node).entries(UNIT, first - 1,
        (int) (last - first + 1)), new TreeMap<>(Map.of(0L, (long) LENGTH)), committed, LENGTH,
        () -> { });
  }

  private static void assertChange(byte[] from, byte[] to, Optional<UnitSource> change)
      throws IOException {
    ByteBuffer all = ByteBuffer.allocate(LENGTH);
    for (int at = 0; at < LENGTH; at += 100) {
      all.limit(at + 100);
      change.orElseThrow().read(at, all);
    }
    byte[] expected = new byte[LENGTH];
    for (int i = 0; i < LENGTH; i++) {
      expected[i] = (byte) (from[i] ^ to[i]);
    }
    assertArrayEquals(expected, all.array());
  }

  /** Begins a commit: all that was written before belongs to it. */
  private long beginCommit() throws IOException {
    versions.put(epoch, content.clone());
    epoch++;
    begin(holders.toArray(new Integer[0]));
    return leader().state(UNIT).orElseThrow().last;
  }

  private void trim(long commit, int... nodes) throws IOException {
    for (int node : nodes) {
      logs.get(node).trim(UNIT.file, commit);
    }
  }

  @Test
  void followersHaveTheChange() throws IOException {
    assertTrue(turn(ticket(0, 0), range(100, 100)));
    assertTrue(turn(ticket(0, 0), range(120, 50), range(10, 130)));
    assertChange(versions.get(0L), content, change(1, 1, 3, 0));
    assertTrue(change(0, 1, 3, 0).isEmpty(), "the leader has what was written");
    assertFalse(logs.get(0).state(UNIT).orElseThrow().hasDeltas);
    assertTrue(logs.get(1).state(UNIT).orElseThrow().hasDeltas);
    assertRead(0);
    assertThrows(IOException.class, () ->
        logs.get(1).overlay(UNIT, 0, ByteBuffer.allocate(1)));
  }

  /** What was written during a commit is relative to the version that the commit makes. */
  @Test
  void deltasAreRelativeToTheirEpoch() throws IOException {
    assertTrue(turn(ticket(0, 0), range(100, 100)));
    long last = beginCommit();
    assertTrue(turn(ticket(0, 0), range(150, 100)));
    assertRead(0);
    assertChange(versions.get(0L), versions.get(1L), change(1, 1, last, 0));
    // The commit fails, and the next one has all of it.
    assertChange(versions.get(0L), content, change(1, 1, 2, 0));
    // The version gets the path, and logs are trimmed at different times.
    assertRead(1);
    trim(1, 1);
    assertRead(1);
    assertChange(versions.get(1L), content, change(1, 2, 2, 1));
    assertTrue(change(2, 1, 2, 1).isEmpty(), "update 1 is in the version already");
    trim(1, 0, 2);
    assertRead(1);
  }

  /** Another node leads, which has deltas and no block, and sends what updates write. */
  @Test
  void aFollowerLeads() throws IOException {
    assertTrue(turn(ticket(0, 0), range(100, 100)));
    begin(1, 2, 3);
    assertRead(0);
    assertFalse(turn(ticket(0, 0), range(150, 100), range(0, 10)));
    assertRead(0);
    assertTrue(change(2, 1, 3, 0).isEmpty(), "not all of it are deltas");
    // The node with the unit comes back. Its earlier epochs have deltas, which it does not resolve.
    begin(2, 0, 1);
    beginCommit();
    begin(0, 1, 2);
    assertFalse(turn(ticket(0, 0), range(120, 10)));
    assertRead(0);
    blocks.put(block(1), versions.get(1L));
    lineage.made(block(0), block(1), 3);
    trim(1, 0);
    assertTrue(turn(ticket(0, 0), range(115, 10)));
    assertTrue(turn(ticket(1, 1), range(150, 10)));
    assertRead(1);
  }

  /** Within the epoch, what a leader sends does not depend on what the log has of it. */
  @Test
  void deltasOfTheSameEpochDoNotHinder() throws IOException {
    assertTrue(turn(ticket(0, 0), range(100, 100)));
    begin(1, 0, 3);
    assertFalse(turn(ticket(0, 0), range(150, 100)));
    begin(0, 1, 3);
    assertTrue(turn(ticket(0, 0), range(190, 20)));
    assertRead(0);
    assertTrue(turn(ticket(0, 0), range(100, 150)));
    assertChange(versions.get(0L), content, change(3, 1, 4, 0));
  }

  @Test
  void withoutTheBlockThereAreNone() throws IOException {
    byte[] kept = blocks.remove(block(0));
    assertFalse(turn(ticket(0, 0), range(100, 100)));
    blocks.put(block(0), kept);
    assertTrue(turn(ticket(0, 0), range(150, 100)));
    assertRead(0);
    assertTrue(change(1, 1, 2, 0).isEmpty());
  }

  /** The updates of a turn do not fail because deltas of them cannot be made. */
  @Test
  void aBlockThatCannotBeReadMakesNone() throws IOException {
    byte[] kept = blocks.put(block(0), new byte[120]);
    assertFalse(turn(ticket(0, 0), range(100, 100)));
    assertRead(0);
    blocks.put(block(0), kept);
    assertTrue(turn(ticket(0, 0), range(150, 100)));
    assertRead(0);
  }

  /** A block that has updates of the epoch is not what was before it. */
  @Test
  void aBlockOfALaterVersionIsNotUsed() throws IOException {
    assertTrue(turn(ticket(0, 0), range(100, 100)));
    blocks.put(block(1), content.clone());
    lineage.made(block(0), block(1), 1);
    assertTrue(turn(ticket(0, 0), range(100, 10)), "by the block of the ticket");
    byte[] kept = blocks.remove(block(0));
    assertFalse(turn(ticket(0, 0), range(105, 10)));
    blocks.put(block(0), kept);
    assertTrue(turn(ticket(0, 0), range(108, 10)));
    assertRead(0);
  }

  /** The version of a commit that has failed is deleted. */
  @Test
  void aBlockThatIsGoneIsNotNeeded() throws IOException {
    assertTrue(turn(ticket(0, 0), range(100, 100)));
    beginCommit();
    lineage.made(block(0), block(1), 1);
    assertTrue(turn(ticket(0, 0), range(150, 100)));
    assertRead(0);
    assertChange(versions.get(0L), content, change(1, 1, 2, 0));
  }

  /** A log that has dropped what the block lacks does not know what was before. */
  @Test
  void aLogThatHasDroppedUpdatesOfTheBlockIsNotUsed() throws IOException {
    assertTrue(turn(ticket(0, 0), range(100, 100)));
    beginCommit();
    blocks.put(block(1), versions.get(1L));
    trim(1, 0, 1, 2);
    assertFalse(turn(ticket(0, 0), range(100, 10)));
    assertTrue(turn(ticket(1, 1), range(105, 10)));
    assertRead(1);
  }

  @Test
  void updatesOfTwoEpochsAreNoDeltas() throws IOException {
    List<LogEntry> both = new ArrayList<>();
    both.add(leader().append(UNIT, term, 1, 0, ByteBuffer.wrap(new byte[1]), Origin.NONE));
    both.add(leader().append(UNIT, term, 2, 0, ByteBuffer.wrap(new byte[1]), Origin.NONE));
    assertTrue(deltas.of(both, ticket(0, 0), new byte[2]).isEmpty());
  }

  @Test
  void aChangeThatCannotBeReadIsSaidToBe() throws IOException {
    assertTrue(turn(ticket(0, 0), range(100, 100)));
    AtomicInteger unreadable = new AtomicInteger();
    UnitSource change = DeltaChange.of(logs.get(1), logs.get(1).entries(UNIT, 0, 1),
        new TreeMap<>(Map.of(100L, 200L)), 0, LENGTH, unreadable::incrementAndGet).orElseThrow();
    assertTrue(DeltaChange.of(logs.get(1), logs.get(1).entries(UNIT, 0, 1),
        new TreeMap<>(Map.of(100L, 199L)), 0, LENGTH, () -> { }).isEmpty());
    logs.get(1).close();
    assertThrows(IOException.class, () -> change.read(0, ByteBuffer.allocate(LENGTH)));
    assertEquals(1, unreadable.get());
    logs.set(1, disks.get(1).open());
    assertRead(0);
  }

  private static int[][] ranges(Random random) {
    int[][] ranges = new int[1 + random.nextInt(3)][];
    for (int i = 0; i < ranges.length; i++) {
      int length = 1 + random.nextInt(120);
      ranges[i] = range(random.nextInt(LENGTH - length), length);
    }
    return ranges;
  }

  /**
   * Random histories: commits of which some fail, writers with old tickets, followers that get no
   * deltas, other leaders, new holders, logs that are opened anew, and trims at any time.
   */
  @Test
  void randomHistoriesAreRead() throws IOException {
    int known = 0;
    int readAsDeltas = 0;
    for (long seed = 1; seed <= 40; seed++) {
      close();
      blocks.clear();
      versions.clear();
      lineage = new BlockLineage();
      term = 0;
      epoch = 1;
      open();
      Random random = new Random(seed);
      long first = 1;
      long current = 0;
      long committed = 0;
      long made = 0;
      UpdateTicket old = ticket(0, 0);
      for (int commit = 1; commit <= 8; commit++) {
        for (int i = random.nextInt(6); i >= 0; i--) {
          turn(random.nextInt(4) == 0 && old.term == term ? old : ticket(current, committed),
              random.nextInt(NODES), ranges(random));
          if (random.nextInt(5) == 0) {
            List<Integer> next = new ArrayList<>(holders);
            Collections.shuffle(next, random);
            if (random.nextBoolean()) {
              next.set(2, IntStream.range(0, NODES).filter(node -> !next.contains(node))
                  .findFirst().orElseThrow());
            }
            begin(next.toArray(new Integer[0]));
          }
          assertRead(committed);
          old = ticket(current, committed);
        }
        if (random.nextInt(4) == 0) {
          int node = random.nextInt(NODES);
          logs.get(node).close();
          logs.set(node, disks.get(node).open());
          if (holders.get(0) == node) {
            begin(holders.toArray(new Integer[0]));
          }
        }
        if (!holders.contains(0)) {
          begin(holders.get(0), holders.get(1), 0);
          begin(0, holders.get(0), holders.get(1));
        }
        long last = beginCommit();
        turn(ticket(current, committed), ranges(random));
        made++;
        // The node with the unit makes its block, from deltas if its log has them.
        assertRead(committed);
        blocks.put(block(made), versions.get(epoch - 1));
        lineage.made(block(current), block(made), last);
        turn(ticket(current, committed), ranges(random));
        for (int node : holders) {
          Optional<UnitSource> change = change(node, first, last, committed);
          if (change.isPresent()) {
            known++;
            assertChange(versions.get(committed), versions.get(epoch - 1), change);
          }
          readAsDeltas += logs.get(node).view(UNIT, 0, LENGTH, committed).hasDeltas() ? 1 : 0;
        }
        assertRead(committed);
        if (random.nextInt(3) > 0) {
          committed = epoch - 1;
          current = made;
          first = last + 1;
          assertRead(committed);
          for (int node = 0; node < NODES; node++) {
            if (random.nextInt(3) > 0) {
              trim(committed, node);
            }
          }
          assertRead(committed);
        }
      }
    }
    System.out.println("TestEpochDeltas: " + sentAsDeltas + " turns were sent as deltas, " + known
        + " changes known, " + readAsDeltas + " views had deltas");
    assertTrue(sentAsDeltas > 200 && known > 40 && readAsDeltas > 100);
  }
}
