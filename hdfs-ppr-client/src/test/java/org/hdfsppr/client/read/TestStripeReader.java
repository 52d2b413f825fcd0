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
package org.hdfsppr.client.read;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests reading by stripes, for a reader that reads on and for a reader that jumps. */
@Timeout(240)
class TestStripeReader {
  private static final long MINUTES = TimeUnit.MINUTES.toNanos(10);
  private static final int STRIPE = MemoryUnits.DATA * MemoryUnits.CELL;
  private static final int BYTES = MemoryUnits.BYTES;

  private final MemoryUnits units = new MemoryUnits(1);
  private final LocatedGroup group = units.group();
  private final ReadContext context = MemoryUnits.context(MINUTES);
  /** The offsets in the group at which reads began. */
  private final List<Long> begun = new CopyOnWriteArrayList<>();
  /** The offsets at which reads in other threads than the reader's began. */
  private final List<Long> begunAhead = new CopyOnWriteArrayList<>();
  private final Thread thread = Thread.currentThread();
  /** How often a read reported bytes to the file's statistics. */
  private int counted;
  /** Offsets from here on are not read ahead. */
  private long readable = BYTES;
  private volatile boolean isBroken;
  private boolean isBeyondStock = true;
  private int groupsAsked;

  private final StripeReader reader = new StripeReader(context, new GroupSource() {
    @Override
    public void read(LocatedGroup of, long from, ByteBuffer dst) throws IOException {
      begun.add(from);
      if (Thread.currentThread() != thread) {
        begunAhead.add(from);
      }
      if (isBroken) {
        throw new IOException("broken");
      }
      dst.put(units.file, (int) from, dst.remaining());
    }

    @Override
    public boolean isBeyondStock(LocatedGroup of) {
      return isBeyondStock;
    }

    @Override
    public void decodedByStock(LocatedGroup of) {
      throw new IllegalStateException("stock does not take part");
    }

    @Override
    public void clear() {
      throw new IllegalStateException("the stream does that");
    }
  }, new StripeReader.StripedFile() {
    @Override
    public boolean isReadable(long position) {
      return position < readable;
    }

    @Override
    public LocatedGroup groupAt(long position) throws IOException {
      groupsAsked++;
      if (isBroken) {
        throw new IOException("broken");
      }
      return group;
    }

    @Override
    public void stripeRead() {
      counted++;
    }
  }, STRIPE);

  TestStripeReader() throws IOException {
    // The fields need this throws clause, although the file is only made in memory.
  }

  @AfterEach
  void close() {
    context.close();
  }

  private void assertRest(int from, int to) throws IOException {
    ByteBuffer rest = reader.at(group, from);
    byte[] bytes = new byte[rest.remaining()];
    rest.get(bytes);
    assertArrayEquals(Arrays.copyOfRange(units.file, from, to), bytes);
  }

  private int timesBegun(long from) {
    return Collections.frequency(begun, from);
  }

  @Test
  void aStripeIsReadOnceFromWhereTheReaderIs() throws IOException {
    assertRest(10, STRIPE);
    assertRest(11, STRIPE);
    assertRest(STRIPE - 1, STRIPE);
    assertEquals(List.of(10L), begun);
    assertEquals(1, counted);
    assertRest(9, STRIPE);
    assertEquals(List.of(10L, 9L), begun, "bytes before the reader's position were not read");
  }

  @Test
  void aReaderThatReadsOnFindsTheNextStripeRead() throws IOException {
    assertRest(0, STRIPE);
    assertEquals(List.of(0L), begun, "after one stripe the reader may not read on");
    for (int stripe = 1; stripe < MemoryUnits.STRIPES; stripe++) {
      assertRest(stripe * STRIPE, (stripe + 1) * STRIPE);
    }
    for (long stripe = 0; stripe < MemoryUnits.STRIPES; stripe++) {
      assertEquals(1, timesBegun(stripe * STRIPE), "stripe " + stripe);
      assertEquals(stripe > 1, begunAhead.contains(stripe * STRIPE), "stripe " + stripe);
    }
    assertEquals(MemoryUnits.STRIPES, counted);
  }

  @Test
  void aReaderThatJumpsFindsNothingReadAhead() throws IOException {
    assertRest(2 * STRIPE, 3 * STRIPE);
    assertRest(0, STRIPE);
    assertRest(4 * STRIPE + 5, 5 * STRIPE);
    assertEquals(List.of(2L * STRIPE, 0L, 4L * STRIPE + 5), begun);
  }

  @Test
  void nothingIsReadAheadBehindTheEnd() throws IOException {
    readable = 2 * STRIPE;
    assertRest(0, STRIPE);
    assertRest(STRIPE, 2 * STRIPE);
    assertEquals(List.of(0L, (long) STRIPE), begun);
  }

  /**
   * Stock can read the next group itself. If the group were read ahead, it would only be read
   * twice.
   */
  @Test
  void aGroupThatStockCanReadIsNotReadAhead() throws IOException {
    readable = BYTES + 1;
    isBeyondStock = false;
    assertRest(BYTES - 2 * STRIPE, BYTES - STRIPE);
    assertRest(BYTES - STRIPE, BYTES);
    assertEquals(1, groupsAsked);
    assertEquals(List.of(BYTES - 2L * STRIPE, (long) BYTES - STRIPE), begun);
  }

  @Test
  void whatCannotBeReadIsTriedAgain() throws IOException {
    isBroken = true;
    IOException failure = assertThrows(IOException.class, () -> reader.at(group, 0));
    assertEquals("broken", failure.getMessage());
    assertEquals(1, counted, "some bytes may have arrived");
    isBroken = false;
    assertRest(0, STRIPE);
    assertEquals(List.of(0L, 0L), begun);
  }

  @Test
  void aClearedReaderKeepsNothing() throws IOException {
    assertRest(0, STRIPE);
    reader.clear();
    assertRest(0, STRIPE);
    assertEquals(2, timesBegun(0));
  }
}
