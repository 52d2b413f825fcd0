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
package org.hdfsppr.datanode.update.old;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.UUID;
import org.hdfsppr.plan.BlockRef;
import org.hdfsppr.update.append.TrimRequest;
import org.hdfsppr.update.append.UnitId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Old bytes are those of one update, and may go at any time. */
class TestOldBytesStore {
  private static final UUID FILE = new UUID(1, 2);
  private static final UnitId UNIT = new UnitId(FILE, 0, 1);
  private static final BlockRef BLOCK = new BlockRef("BP-1", -16, 1001, 1 << 20);
  private static final BlockRef LATER = new BlockRef("BP-1", -32, 1002, 1 << 20);

  @TempDir
  Path directory;

  private static byte[] bytes(int value, int length) {
    byte[] bytes = new byte[length];
    Arrays.fill(bytes, (byte) value);
    return bytes;
  }

  private static void put(OldBytesStore store, UnitId unit, long term, long sequence, long epoch,
      long offset, int value, int length) {
    store.put(unit, term, sequence, epoch, BLOCK, offset,
        ByteBuffer.wrap(bytes(value, length)));
  }

  private static void assertHas(OldBytesStore store, long term, long sequence, long at,
      int value, long offset, int length) throws IOException {
    OldBytesStore.Found found = store.find(UNIT, term, sequence, at).orElseThrow();
    assertEquals(offset, found.offset);
    assertEquals(offset + length, found.end());
    assertEquals(BLOCK, found.block);
    assertArrayEquals(bytes(value, length), found.read());
  }

  @Test
  void bytesBelongToOneUpdateOfOneTerm() throws IOException {
    try (OldBytesStore store = new OldBytesStore(directory, 1 << 20)) {
      assertTrue(store.isOpen());
      put(store, UNIT, 3, 7, 1, 100, 1, 10);
      put(store, UNIT, 3, 7, 1, 120, 2, 10);
      put(store, UNIT, 3, 8, 1, 105, 3, 10);
      assertHas(store, 3, 7, 100, 1, 100, 10);
      assertHas(store, 3, 7, 109, 1, 100, 10);
      assertHas(store, 3, 7, 125, 2, 120, 10);
      assertHas(store, 3, 8, 105, 3, 105, 10);
      for (long at : new long[] {99, 110, 119, 130}) {
        assertEquals(Optional.empty(), store.find(UNIT, 3, 7, at));
      }
      assertEquals(Optional.empty(), store.find(UNIT, 4, 7, 100));
      assertEquals(Optional.empty(), store.find(UNIT, 3, 6, 100));
      assertEquals(Optional.empty(), store.find(new UnitId(FILE, 1, 1), 3, 7, 100));
      assertEquals(3, store.ranges());
      // The update of this number in a later term is another one.
      put(store, UNIT, 5, 7, 1, 120, 4, 10);
      assertEquals(Optional.empty(), store.find(UNIT, 3, 7, 100));
      assertHas(store, 5, 7, 120, 4, 120, 10);
      assertEquals(Optional.empty(), store.find(UNIT, 5, 7, 100));
      // What comes twice counts once.
      put(store, UNIT, 5, 7, 1, 120, 4, 10);
      assertEquals(2, store.ranges());
      store.put(UNIT, 5, 7, 1, LATER, 140, ByteBuffer.wrap(bytes(5, 10)));
      assertEquals(Optional.empty(), store.find(UNIT, 5, 7, 120));
      assertEquals(LATER, store.find(UNIT, 5, 7, 140).orElseThrow().block);
    }
  }

  @Test
  void trimsForgetWhatVersionsHave() {
    try (OldBytesStore store = new OldBytesStore(directory, 1 << 20)) {
      UnitId second = new UnitId(FILE, 2, 3);
      UnitId other = new UnitId(new UUID(5, 6), 0, 0);
      put(store, UNIT, 1, 1, 1, 0, 1, 10);
      put(store, UNIT, 1, 2, 2, 0, 1, 10);
      put(store, second, 1, 1, 1, 0, 1, 10);
      put(store, other, 1, 1, 1, 0, 1, 10);
      store.trim(FILE, 1);
      assertEquals(2, store.ranges());
      assertTrue(store.find(UNIT, 1, 2, 0).isPresent());
      assertEquals(Optional.empty(), store.find(UNIT, 1, 1, 0));
      assertEquals(Optional.empty(), store.find(second, 1, 1, 0));
      assertTrue(store.find(other, 1, 1, 0).isPresent());
      store.trim(FILE, TrimRequest.ALL);
      store.trim(FILE, TrimRequest.ALL);
      assertEquals(1, store.ranges());
    }
  }

  /** Java closes a file if a thread is interrupted while it reads from it. */
  @Test
  void whatAnInterruptHasClosedIsNotFound() throws IOException {
    try (OldBytesStore store = new OldBytesStore(directory, 1 << 20)) {
      put(store, UNIT, 1, 1, 1, 0, 1, 10);
      put(store, UNIT, 1, 2, 1, 20, 1, 10);
      OldBytesStore.Found found = store.find(UNIT, 1, 1, 0).orElseThrow();
      Thread.currentThread().interrupt();
      assertThrows(ClosedByInterruptException.class, found::read);
      assertTrue(Thread.interrupted());
      assertEquals(Optional.empty(), store.find(UNIT, 1, 2, 20));
      // What comes next finds out, and what comes after that has a file of its own.
      put(store, UNIT, 1, 3, 1, 40, 1, 10);
      put(store, UNIT, 1, 4, 1, 60, 2, 10);
      assertHas(store, 1, 4, 60, 2, 60, 10);
      assertEquals(1, store.ranges());
    }
  }

  @Test
  void theOldestGoIfThereIsNoMoreRoom() throws IOException {
    try (OldBytesStore store = new OldBytesStore(directory, 16 * 100)) {
      put(store, UNIT, 1, 1, 1, 0, 1, 101);
      assertEquals(0, store.ranges());
      for (int sequence = 1; sequence <= 1_000; sequence++) {
        put(store, UNIT, 1, sequence, 1, sequence, sequence, 30);
        assertHas(store, 1, sequence, sequence, sequence, sequence, 30);
        assertTrue(store.ranges() <= 3 * 16, store.ranges() + " ranges");
      }
      assertTrue(store.ranges() >= 3 * 15, store.ranges() + " ranges");
      assertEquals(Optional.empty(), store.find(UNIT, 1, 900, 900));
      OldBytesStore.Found found = store.find(UNIT, 1, 980, 980).orElseThrow();
      for (int sequence = 1_001; sequence <= 1_100; sequence++) {
        put(store, UNIT, 1, sequence, 1, sequence, sequence, 30);
      }
      assertThrows(IOException.class, found::read);
    }
  }

  /** Short ranges are bounded by their number. */
  @Test
  void thereIsABoundOfRanges() {
    try (OldBytesStore store = new OldBytesStore(directory, 1L << 30)) {
      int most = 1 << 17;
      for (int sequence = 1; sequence <= most + most / 8; sequence++) {
        put(store, UNIT, 1, sequence, 1, 0, 1, 1);
      }
      assertTrue(store.ranges() <= most && store.ranges() >= most - most / 8,
          store.ranges() + " ranges");
      assertEquals(Optional.empty(), store.find(UNIT, 1, 1, 0));
      assertTrue(store.find(UNIT, 1, most, 0).isPresent());
    }
  }

  @Test
  void aNodeMayKeepNothing() {
    try (OldBytesStore store = new OldBytesStore(directory, 0)) {
      assertFalse(store.isOpen());
      put(store, UNIT, 1, 1, 1, 0, 1, 10);
      assertEquals(0, store.ranges());
    }
    OldBytesStore closed = new OldBytesStore(directory, 1 << 20);
    closed.close();
    put(closed, UNIT, 1, 1, 1, 0, 1, 10);
    assertEquals(0, closed.ranges());
    // Without its directory it keeps nothing, and no update fails.
    OldBytesStore nowhere = new OldBytesStore(directory.resolve("none"), 1 << 20);
    put(nowhere, UNIT, 1, 1, 1, 0, 1, 10);
    assertEquals(0, nowhere.ranges());
  }

  @Test
  void lineageGoesThroughVersions() {
    BlockLineage lineage = new BlockLineage();
    BlockRef third = new BlockRef("BP-1", -48, 1003, 1 << 20);
    assertEquals(BLOCK, lineage.newest(BLOCK).block);
    assertEquals(0, lineage.newest(BLOCK).upTo);
    assertTrue(lineage.leads(BLOCK, BLOCK));
    assertFalse(lineage.leads(BLOCK, third));
    lineage.made(BLOCK, LATER, 12);
    lineage.made(LATER, third, 0);
    assertEquals(third, lineage.newest(BLOCK).block);
    assertEquals(12, lineage.newest(BLOCK).upTo);
    assertEquals(0, lineage.newest(LATER).upTo);
    assertTrue(lineage.leads(BLOCK, third));
    assertTrue(lineage.leads(LATER, third));
    assertFalse(lineage.leads(third, BLOCK));
    // A version that never got the path is made once more.
    BlockRef again = new BlockRef("BP-1", -64, 1004, 1 << 20);
    lineage.made(BLOCK, again, 15);
    assertEquals(again, lineage.newest(BLOCK).block);
    assertFalse(lineage.leads(BLOCK, third));
  }
}
