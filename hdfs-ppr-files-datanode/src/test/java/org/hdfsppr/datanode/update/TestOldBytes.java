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
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.fs.ChecksumException;
import org.hdfsppr.datanode.update.log.LogEntry;
import org.hdfsppr.datanode.update.log.PowerLoss;
import org.hdfsppr.datanode.update.log.UpdateLog;
import org.hdfsppr.datanode.update.old.BlockLineage;
import org.hdfsppr.datanode.update.old.OldBytesStore;
import org.hdfsppr.plan.BlockRef;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.stream.UnitSource;
import org.hdfsppr.update.append.NumberedUpdate;
import org.hdfsppr.update.append.OldBytes;
import org.hdfsppr.update.append.Origin;
import org.hdfsppr.update.append.UnitId;
import org.hdfsppr.update.append.UpdateTicket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a leader says about old bytes, and the changes that a follower calculates from them. */
class TestOldBytes {
  private static final int LENGTH = 1_000;
  private static final UnitId UNIT = new UnitId(new UUID(1, 2), 0, 1);

  @TempDir
  Path directory;
  private UpdateLog leads;
  private UpdateLog follows;
  private OldBytesStore store;
  private final BlockLineage lineage = new BlockLineage();
  /** The blocks of the node that leads. */
  private final Map<BlockRef, byte[]> blocks = new HashMap<>();
  private OverwrittenBytes overwritten;
  /** What the unit has to contain after all updates. */
  private final byte[] content = new byte[LENGTH];
  private final AtomicInteger unreadable = new AtomicInteger();
  private long term;
  private long epoch = 1;

  @BeforeEach
  void open() throws IOException {
    leads = new PowerLoss().open();
    follows = new PowerLoss().open();
    store = new OldBytesStore(directory, 1 << 20);
    new Random(1).nextBytes(content);
    blocks.put(block(0), content.clone());
    begin(1);
  }

  @AfterEach
  void close() throws IOException {
    leads.close();
    follows.close();
    store.close();
  }

  private static BlockRef block(long version) {
    return new BlockRef("BP-1", -16 * (version + 1) + 1, 1_000 + version, LENGTH);
  }

  private UnitSource open(BlockRef block) throws IOException {
    byte[] bytes = blocks.get(block);
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

  /** Begins a term at both nodes. */
  private void begin(long newTerm) throws IOException {
    long last = leads.state(UNIT).map(state -> state.last).orElse(0L);
    leads.begin(UNIT, newTerm, last, last, last == 0);
    leads.show(UNIT, last);
    long copied = follows.state(UNIT).map(state -> state.last).orElse(0L);
    follows.begin(UNIT, newTerm, copied, copied, copied == 0);
    term = newTerm;
    overwritten = new OverwrittenBytes(leads, this::open, lineage);
  }

  private UpdateTicket ticket(long version, long committed) {
    NodeRef node = new NodeRef("n", "127.0.0.1", "localhost", 1, 2, "/r");
    return new UpdateTicket(UNIT, block(version), term, term - 1, epoch, List.of(node))
        .ofVersion(committed).withOldBytes();
  }

  /** Appends updates of one turn; returns what the leader says of what they overwrite. */
  private OverwrittenBytes.Found turn(UpdateTicket ticket, int[]... ranges) throws IOException {
    byte[] before = content.clone();
    List<LogEntry> turn = new ArrayList<>();
    Random random = new Random(leads.bytes());
    for (int[] range : ranges) {
      byte[] data = new byte[range[1]];
      random.nextBytes(data);
      turn.add(leads.append(UNIT, term, epoch, range[0], ByteBuffer.wrap(data), Origin.NONE));
      System.arraycopy(data, 0, content, range[0], range[1]);
    }
    OverwrittenBytes.Found found = overwritten.of(turn, ticket, 1 << 20);
    int at = 0;
    byte[] old = found.behind(new byte[0]);
    for (LogEntry entry : turn) {
      follows.copy(UNIT, term, new NumberedUpdate(entry.sequence, entry.epoch, entry.offset,
          entry.length), ByteBuffer.wrap(leads.read(entry)));
    }
    for (OldBytes.Range range : found.old.ranges) {
      byte[] one = Arrays.copyOfRange(old, at, at + range.length);
      assertArrayEquals(Arrays.copyOfRange(before, (int) range.offset, (int) range.end()), one,
          "what was before update " + range.sequence);
      LogEntry entry = turn.get((int) (range.sequence - turn.get(0).sequence));
      store.put(UNIT, term, range.sequence, entry.epoch, found.old.block, range.offset,
          ByteBuffer.wrap(one));
      at += range.length;
    }
    assertEquals(old.length, at);
    leads.show(UNIT, turn.get(turn.size() - 1).sequence);
    return found;
  }

  private Optional<UnitSource> change(long first, long last, BlockRef... known) {
    return OwnChange.of(follows, store,
        follows.entries(UNIT, first - 1, (int) (last - first + 1)),
        new TreeMap<>(Map.of(0L, (long) LENGTH)), List.of(known)::contains, LENGTH,
        unreadable::incrementAndGet);
  }

  private void assertChange(byte[] from, byte[] to, Optional<UnitSource> change)
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

  /** Puts updates into a version, as a data unit's node does. */
  private void patch(long from, long to, long upTo) {
    blocks.put(block(to), content.clone());
    lineage.made(block(from), block(to), upTo);
  }

  private void trim(long commit) throws IOException {
    leads.trim(UNIT.file, commit);
    follows.trim(UNIT.file, commit);
    store.trim(UNIT.file, commit);
  }

  private static int[] range(int from, int length) {
    return new int[] {from, length};
  }

  @Test
  void onlyTheFirstWriteOfAByteCounts() throws IOException {
    byte[] version = content.clone();
    assertEquals(100, turn(ticket(0, 0), range(100, 100)).old.bytes);
    assertEquals(0, turn(ticket(0, 0), range(120, 50)).old.bytes);
    OverwrittenBytes.Found both = turn(ticket(0, 0), range(50, 100), range(0, 300));
    assertEquals(50 + 50 + 100, both.old.bytes);
    assertEquals(3, both.old.ranges.size());
    assertEquals(block(0), both.old.block);
    assertChange(version, content, change(1, 4, block(0)));
  }

  /** A log gives updates a later epoch if it knows that theirs is committed. */
  @Test
  void aByteIsFreshInEachEpoch() throws IOException {
    turn(ticket(0, 0), range(100, 100));
    epoch = 2;
    assertEquals(60, turn(ticket(0, 0), range(120, 60)).old.bytes);
    assertEquals(10, turn(ticket(0, 0), range(150, 40)).old.bytes);
  }

  @Test
  void oldBytesOfAnotherVersionAreNotUsed() throws IOException {
    turn(ticket(0, 0), range(100, 100));
    assertTrue(change(1, 1, block(0)).isPresent());
    assertTrue(change(1, 1, block(1)).isEmpty());
    assertTrue(change(1, 1).isEmpty());
  }

  @Test
  void aMissingRangeIsMissed() throws IOException {
    byte[] version = content.clone();
    turn(ticket(0, 0), range(100, 100));
    blocks.clear();
    assertEquals(0, turn(ticket(0, 0), range(199, 2)).old.bytes);
    assertTrue(change(1, 2, block(0)).isEmpty());
    assertTrue(change(1, 1, block(0)).isPresent());
    blocks.put(block(0), version);
    // It is too late for this byte, because its first update counts.
    assertEquals(0, turn(ticket(0, 0), range(150, 51)).old.bytes);
    assertTrue(change(1, 3, block(0)).isEmpty());
  }

  @Test
  void aChangeThatCannotBeReadIsSaidToBe() throws IOException {
    turn(ticket(0, 0), range(100, 100));
    UnitSource change = change(1, 1, block(0)).orElseThrow();
    follows.close();
    IOException failure =
        assertThrows(IOException.class, () -> change.read(0, ByteBuffer.allocate(LENGTH)));
    assertFalse(failure instanceof ChecksumException);
    assertEquals(1, unreadable.get());
    follows = new PowerLoss().open();
  }

  @Test
  void updatesOutsideOfTheRangesOfACommandAreSeen() throws IOException {
    turn(ticket(0, 0), range(100, 100));
    assertTrue(OwnChange.of(follows, store, follows.entries(UNIT, 0, 1),
        new TreeMap<>(Map.of(100L, 199L)), block -> true, LENGTH, () -> { }).isEmpty());
    assertTrue(OwnChange.of(follows, store, follows.entries(UNIT, 0, 1),
        new TreeMap<>(Map.of(100L, 200L)), block -> true, LENGTH, () -> { }).isPresent());
  }

  @Test
  void updatesOfALaterEpochOverwriteWhatACommitHas() throws IOException {
    turn(ticket(0, 0), range(100, 100));
    byte[] committed = content.clone();
    epoch = 2;
    begin(2);
    // The version with commit 1 is not there yet.
    assertEquals(150, turn(ticket(0, 0), range(50, 150)).old.bytes);
    blocks.put(block(1), committed);
    lineage.made(block(0), block(1), 1);
    trim(1);
    assertEquals(50, turn(ticket(0, 0), range(180, 70)).old.bytes);
    assertChange(committed, content, change(2, 3, block(0), block(1)));
    // Part of them comes from the version before, from which the node may not know this one.
    assertTrue(change(2, 3, block(1)).isEmpty());
  }

  /** A version with which the log together has not all updates is none to read from. */
  @Test
  void whatALogHasDroppedIsNotForgotten() throws IOException {
    turn(ticket(0, 0), range(100, 100));
    epoch = 2;
    begin(2);
    trim(1);
    assertEquals(0, turn(ticket(0, 0), range(150, 20)).old.bytes);
    blocks.put(block(1), content.clone());
    assertEquals(10, turn(ticket(1, 1), range(300, 10)).old.bytes);
    // The version has one update less than were dropped.
    lineage.made(block(0), block(1), 1);
    turn(ticket(1, 1), range(400, 10));
    epoch = 3;
    begin(3);
    trim(2);
    assertEquals(0, turn(ticket(0, 0), range(500, 10)).old.bytes);
  }

  /** A block with updates that are not in the history is of one that was lost. */
  @Test
  void blocksOfOtherHistoriesAreNotRead() throws IOException {
    turn(ticket(0, 0), range(100, 100));
    blocks.put(block(1), new byte[LENGTH]);
    lineage.made(block(0), block(1), 9);
    byte[] kept = blocks.remove(block(0));
    assertEquals(0, turn(ticket(0, 0), range(300, 10)).old.bytes);
    blocks.put(block(0), kept);
    assertEquals(block(0), turn(ticket(0, 0), range(400, 10)).old.block);
    patch(0, 2, 3);
    assertEquals(block(2), turn(ticket(0, 0), range(500, 10)).old.block);
  }

  /** The version of a commit that has failed is deleted. */
  @Test
  void aBlockThatIsGoneIsNotNeeded() throws IOException {
    byte[] version = content.clone();
    turn(ticket(0, 0), range(100, 100));
    lineage.made(block(0), block(1), 1);
    OverwrittenBytes.Found found = turn(ticket(0, 0), range(150, 100));
    assertEquals(50, found.old.bytes);
    assertEquals(block(0), found.old.block);
    assertChange(version, content, change(1, 2, block(0)));
    blocks.clear();
    assertEquals(0, turn(ticket(0, 0), range(300, 10)).old.bytes);
  }

  /** The block of the ticket is not read if the log does not have all updates that it lacks. */
  @Test
  void aTicketsBlockHasToBeWholeWithTheLog() throws IOException {
    turn(ticket(0, 0), range(100, 100));
    epoch = 2;
    begin(2);
    trim(1);
    lineage.made(block(0), block(1), 1);
    assertEquals(0, turn(ticket(0, 0), range(150, 20)).old.bytes);
  }

  /** An update goes on without old bytes if the block cannot be read. */
  @Test
  void aBlockThatIsTooShortIsNone() throws IOException {
    blocks.put(block(0), new byte[LENGTH / 2]);
    assertEquals(0, turn(ticket(0, 0), range(LENGTH - 10, 10)).old.bytes);
  }

  @Test
  void aHistoryThatWasCopiedMayLackUpdatesOfAnyEpoch() throws IOException {
    // As at a follower that got a history from update 6 on, and leads now.
    leads.begin(UNIT, 7, 5, 6, true);
    leads.copy(UNIT, 7, new NumberedUpdate(6, 3, 0, 1), ByteBuffer.wrap(new byte[1]));
    follows.begin(UNIT, 7, 5, 6, true);
    follows.copy(UNIT, 7, new NumberedUpdate(6, 3, 0, 1), ByteBuffer.wrap(new byte[1]));
    content[0] = 0;
    epoch = 3;
    begin(8);
    assertEquals(0, turn(ticket(0, 2), range(10, 10)).old.bytes);
    // The epochs of all that was dropped are known once one of the later ones is dropped.
    epoch = 4;
    begin(9);
    trim(3);
    blocks.put(block(1), content.clone());
    assertEquals(10, turn(ticket(1, 3), range(30, 10)).old.bytes);
    assertEquals(0, turn(ticket(0, 2), range(50, 10)).old.bytes);
  }

  @Test
  void updatesThatReadersDoNotSeeYetAreNotReadOver() throws IOException {
    leads.append(UNIT, term, epoch, 0, ByteBuffer.wrap(new byte[10]), Origin.NONE);
    LogEntry entry = leads.append(UNIT, term, epoch, 5, ByteBuffer.wrap(new byte[10]),
        Origin.NONE);
    assertEquals(0, overwritten.of(List.of(entry), ticket(0, 0), 1 << 20).old.bytes);
  }

  /** Random histories with commits, some of which fail, and with writers that have old tickets. */
  @Test
  void changesOfRandomHistoriesAreRight() throws IOException {
    int known = 0;
    for (long seed = 1; seed <= 60; seed++) {
      close();
      lineage.made(block(0), block(0), 0);
      blocks.clear();
      term = 0;
      epoch = 1;
      BlockLineage ofSeed = new BlockLineage();
      open();
      overwritten = new OverwrittenBytes(leads, this::open, ofSeed);
      Random random = new Random(seed);
      byte[] version = content.clone();
      long first = 1;
      long current = 0;
      long committed = 0;
      long made = 0;
      UpdateTicket ticket = ticket(0, 0);
      for (int commit = 1; commit <= 8; commit++) {
        for (int i = 0; i < 1 + random.nextInt(6); i++) {
          turn(random.nextInt(3) == 0 ? ticket(current, committed) : ticket, ranges(random));
        }
        long last = leads.state(UNIT).orElseThrow().last;
        byte[] collected = content.clone();
        epoch = commit + 1;
        begin(term + 1);
        overwritten = new OverwrittenBytes(leads, this::open, ofSeed);
        ticket = ticket(current, committed);
        turn(ticket, ranges(random));
        made++;
        BlockRef from = block(current);
        blocks.put(block(made), collected);
        ofSeed.made(from, block(made), last);
        turn(ticket, ranges(random));
        Optional<UnitSource> change = OwnChange.of(follows, store,
            follows.entries(UNIT, first - 1, (int) (last - first + 1)),
            new TreeMap<>(Map.of(0L, (long) LENGTH)), block -> ofSeed.leads(block, from), LENGTH,
            () -> { });
        if (change.isPresent()) {
          assertChange(version, collected, change);
          known++;
        }
        if (random.nextInt(4) > 0) {
          version = collected;
          current = made;
          committed = commit;
          first = last + 1;
          trim(commit);
        } else {
          blocks.remove(block(made));
        }
      }
    }
    assertTrue(known > 300, known + " changes were known");
  }

  private static int[][] ranges(Random random) {
    int[][] ranges = new int[1 + random.nextInt(3)][];
    for (int i = 0; i < ranges.length; i++) {
      int length = 1 + random.nextInt(120);
      ranges[i] = range(random.nextInt(LENGTH - length), length);
    }
    return ranges;
  }
}
