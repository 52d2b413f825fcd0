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
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.hdfsppr.client.patience.ClientLink;
import org.hdfsppr.client.patience.NodeHealth;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.stream.UnreachableException;
import org.junit.jupiter.api.Test;

/** Tests reads of a group in memory. Its units fail in ways that are rare with real DataNodes. */
class TestGroupReader {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final long MINUTES = TimeUnit.MINUTES.toNanos(10);
  private static final int CELL = MemoryUnits.CELL;
  /** The unit that {@link #wrongAt} makes wrong. */
  private static final int WRONG = 1;

  private static byte[] read(ReadContext context, MemoryUnits units, LocatedGroup group, int from,
      int length) throws IOException {
    ByteBuffer dst = ByteBuffer.allocate(length);
    new GroupReader(context, units, units.code).read(group, from, dst);
    assertEquals(0, dst.remaining());
    return dst.array();
  }

  private static void assertReads(ReadContext context, MemoryUnits units, LocatedGroup group,
      int from, int length) throws IOException {
    assertArrayEquals(Arrays.copyOfRange(units.file, from, from + length),
        read(context, units, group, from, length), from + ", " + length);
  }

  @Test
  void whatIsLostIsDecoded() throws IOException {
    MemoryUnits units = new MemoryUnits(1);
    try (ReadContext context = MemoryUnits.context(MINUTES)) {
      for (int[] lost : new int[][] {{}, {0}, {1, 4, 8}}) {
        LocatedGroup group = units.group(lost);
        assertReads(context, units, group, 0, MemoryUnits.BYTES);
        assertReads(context, units, group, CELL + 5, 10);
        assertReads(context, units, group, 4 * CELL - 5, 10);
      }
      assertTrue(context.counters.decodes() > 0);
    }
  }

  /**
   * A reader of all data units of a stripe needs k units even if some data units are lost. It must
   * read no more than that.
   */
  @Test
  void whatIsLostTogetherIsDecodedFromTheSameUnits() throws IOException {
    MemoryUnits units = new MemoryUnits(13);
    try (ReadContext context = MemoryUnits.context(MINUTES, PprKeys.CLIENT_CACHE_BYTES_KEY, "0",
        PprKeys.VERIFY_KEY, "off")) {
      for (int[] lost : new int[][] {{0}, {1, 3}, {0, 2, 5}}) {
        LocatedGroup group = units.group(lost);
        for (int i = 0; i < 20; i++) {
          units.reads.set(0);
          assertReads(context, units, group, 0, 6 * CELL);
          assertEquals(6, units.reads.get(), Arrays.toString(lost) + " are lost");
        }
      }
      assertEquals(20 * (1 + 2 + 3), context.counters.decodes());
      assertEquals(0, context.shares.open(), "no flow is open when all reads have ended");
    }
  }

  /**
   * If no thread is free, the thread that needs a unit reads the unit itself, and no DataNode
   * counts as slow because of it.
   */
  @Test
  void whatHasNoThreadIsReadByTheCaller() throws IOException {
    CountDownLatch end = new CountDownLatch(1);
    MemoryUnits units = new MemoryUnits(14);
    try (ReadContext context = MemoryUnits.context(MINUTES, MemoryUnits.THREADS, "4",
        PprKeys.CLIENT_CACHE_BYTES_KEY, "0")) {
      MemoryUnits.occupyThreads(context, 2, end);
      for (int i = 0; i < 50; i++) {
        assertReads(context, units, units.group(1, 3, 7), 0, 6 * CELL);
      }
      for (int unit = 0; unit < 9; unit++) {
        assertFalse(context.health.isSlow("dn" + unit), "dn" + unit);
      }
      assertEquals(0, context.shares.open());
    } finally {
      end.countDown();
    }
  }

  /**
   * No code catches an Error, such as a class that is missing in a drop-in jar, or a full heap. It
   * must still end the read.
   */
  @Test
  void anErrorOfAReadingThreadEndsTheRead() {
    assertTimeoutPreemptively(LIMIT, () -> {
      MemoryUnits units = new MemoryUnits(2);
      units.faults.put(1, cancel -> {
        throw new NoClassDefFoundError("org/example/Missing");
      });
      try (ReadContext context = MemoryUnits.context(MINUTES)) {
        IOException e = assertThrows(IOException.class,
            () -> read(context, units, units.group(), CELL, 100));
        assertTrue(e.getMessage().contains("NoClassDefFoundError: org/example/Missing"),
            e.getMessage());
        assertTrue(e.getMessage().contains("unit 1["), e.getMessage());
        assertEquals(0, context.shares.open());
      }
    });
  }

  /** While the client decodes, an Error of one unit's read means that this unit cannot be read. */
  @Test
  void anErrorWhileDecodingIsALostUnit() {
    assertTimeoutPreemptively(LIMIT, () -> {
      MemoryUnits units = new MemoryUnits(3);
      for (int unit = 2; unit < 9; unit++) {
        int broken = unit;
        units.faults.put(unit, cancel -> {
          throw new NoClassDefFoundError("org/example/Missing" + broken);
        });
      }
      try (ReadContext context = MemoryUnits.context(MINUTES)) {
        IOException e = assertThrows(IOException.class,
            () -> read(context, units, units.group(0), 0, 100));
        String all = e + Arrays.toString(e.getSuppressed())
            + Arrays.toString(e.getSuppressed()[0].getSuppressed());
        assertTrue(all.contains("NoClassDefFoundError: org/example/Missing"), all);
        for (int unit = 2; unit < 4; unit++) {
          units.faults.remove(unit);
        }
        for (int unit = 5; unit < 9; unit++) {
          units.faults.remove(unit);
        }
        assertReads(context, units, units.group(0), 0, 100);
      }
    });
  }

  @Test
  void noReadWaitsForEver() {
    CountDownLatch never = new CountDownLatch(1);
    assertTimeoutPreemptively(LIMIT, () -> {
      MemoryUnits units = new MemoryUnits(4);
      for (int unit = 0; unit < 9; unit++) {
        units.faults.put(unit, cancel -> {
          try {
            never.await();
          } catch (InterruptedException e) {
            throw new InterruptedIOException();
          }
        });
      }
      // Hedges are off, so no second read could end a read that hangs.
      for (String least : new String[] {"0", "1"}) {
        try (ReadContext context = MemoryUnits.context(TimeUnit.MILLISECONDS.toNanos(200),
            PprKeys.CLIENT_HEDGE_MIN_MS_KEY, least, MemoryUnits.HEDGE_MAX_MS, "1000")) {
          for (LocatedGroup group : new LocatedGroup[] {units.group(), units.group(0)}) {
            assertThrows(IOException.class, () -> read(context, units, group, 0, 100), least);
          }
        }
      }
    });
    never.countDown();
  }

  @Test
  void expiredTokensAreFetchedAnew() throws IOException {
    MemoryUnits units = new MemoryUnits(5);
    try (ReadContext context = MemoryUnits.context(MINUTES)) {
      LocatedGroup old = units.group(0);
      units.expireTokens();
      assertReads(context, units, old, CELL, 100);
      assertReads(context, units, old, 0, 100);
      assertReads(context, units, old, 0, MemoryUnits.BYTES);
      for (int unit = 1; unit < 9; unit++) {
        assertTrue(!context.health.isLost("dn" + unit, -1024 + unit), "unit " + unit);
      }
    }
  }

  /**
   * Two DataNodes are down, and the NameNode does not know it. They are tried once, and not in each
   * read.
   */
  @Test
  void whoFailsWhileDecodingIsLeftAlone() throws IOException {
    MemoryUnits units = new MemoryUnits(6);
    for (int unit : new int[] {3, 7}) {
      units.faults.put(unit, cancel -> {
        throw new ConnectException("refused");
      });
    }
    try (ReadContext context = MemoryUnits.context(MINUTES, PprKeys.CLIENT_CACHE_BYTES_KEY, "0")) {
      for (int i = 0; i < 10; i++) {
        assertReads(context, units, units.group(0), 0, 1000);
      }
      int before = units.reads.get();
      for (int i = 0; i < 10; i++) {
        assertReads(context, units, units.group(0), 0, 1000);
      }
      assertEquals(10 * MemoryUnits.DATA, units.reads.get() - before, "reads of units");
    }
  }

  @Test
  void anInterruptEndsTheReadAndStays() throws Exception {
    MemoryUnits units = new MemoryUnits(7);
    CountDownLatch stuck = new CountDownLatch(1);
    units.faults.put(0, cancel -> {
      try {
        stuck.await();
      } catch (InterruptedException e) {
        throw new InterruptedIOException();
      }
    });
    try (ReadContext context = MemoryUnits.context(MINUTES,
        PprKeys.CLIENT_HEDGE_MIN_MS_KEY, "0")) {
      Thread.currentThread().interrupt();
      assertThrows(InterruptedIOException.class, () -> read(context, units, units.group(), 0, 10));
      assertTrue(Thread.interrupted(), "the interrupt was swallowed");
    } finally {
      stuck.countDown();
    }
  }

  /** Starts a thread that opens one latch a while after another one was opened. */
  private static Thread soonAfter(CountDownLatch begun, long millis, CountDownLatch then) {
    return new Thread(() -> {
      try {
        begun.await();
        TimeUnit.MILLISECONDS.sleep(millis);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      then.countDown();
    });
  }

  /**
   * If no thread is free for a hedge, and the slow unit fails in the end, the unit is still
   * rebuilt.
   */
  @Test
  void aHedgeWithoutAThreadTakesNothingAway() throws Exception {
    assertTimeoutPreemptively(LIMIT, () -> {
      MemoryUnits units = new MemoryUnits(8);
      CountDownLatch blocked = new CountDownLatch(1);
      CountDownLatch begun = new CountDownLatch(1);
      try (ReadContext context = MemoryUnits.context(MINUTES, MemoryUnits.THREADS, "4",
          PprKeys.CLIENT_HEDGE_MIN_MS_KEY, "1", MemoryUnits.HEDGE_MAX_MS, "1")) {
        units.faults.put(0, cancel -> {
          begun.countDown();
          try {
            blocked.await();
          } catch (InterruptedException e) {
            throw new InterruptedIOException();
          }
          throw new IOException("after all");
        });
        // The hedge finds all threads busy.
        Thread reader = soonAfter(begun, 300, blocked);
        CountDownLatch end = new CountDownLatch(1);
        MemoryUnits.occupyThreads(context, 4, end);
        reader.start();
        assertReads(context, units, units.group(), 0, 100);
        reader.join();
        end.countDown();
        assertEquals(0, context.counters.hedged());
      }
    });
  }

  /**
   * A read that is running when the client is closed gets its bytes or an exception, in any case at
   * once.
   */
  @Test
  void aReadOfAClosedClientEnds() {
    assertTimeoutPreemptively(LIMIT, () -> {
      MemoryUnits units = new MemoryUnits(10);
      ReadContext context = MemoryUnits.context(MINUTES);
      context.close();
      assertReads(context, units, units.group(), 0, 100);
      assertReads(context, units, units.group(0), 0, 3 * CELL);
    });
  }

  /** Times of reads of single units teach the client the cost of a byte. */
  @Test
  void timesAreLearnt() throws IOException {
    MemoryUnits units = new MemoryUnits(9);
    try (ReadContext context = MemoryUnits.context(MINUTES, PprKeys.CLIENT_CACHE_BYTES_KEY, "0")) {
      double before = context.costs.readNanos();
      for (int i = 0; i < 50; i++) {
        assertReads(context, units, units.group(), 0, 100);
      }
      assertTrue(context.costs.readNanos() != before);
    }
  }

  /**
   * A read takes longer while others run. Such a time says little about the link or the DataNodes,
   * so the client learns from it only if no read was alone for long.
   */
  @Test
  void timesAmongOthersAreNotLearnt() throws IOException {
    MemoryUnits units = new MemoryUnits(11);
    try (ReadContext context = MemoryUnits.context(MINUTES, PprKeys.CLIENT_CACHE_BYTES_KEY, "0")) {
      double before = context.costs.readNanos();
      try (ClientLink.Use other = context.link.begin()) {
        for (int i = 0; i < 30; i++) {
          assertReads(context, units, units.group(), 0, 100);
          assertReads(context, units, units.group(0), 0, 100);
        }
        assertTrue(!other.isAlone());
        assertEquals(before, context.costs.readNanos());
        for (int i = 0; i < 10; i++) {
          assertReads(context, units, units.group(), 0, 100);
        }
        assertTrue(before != context.costs.readNanos(), "the client is never alone");
      }
      assertEquals(0, context.link.reads(), "all have ended");
    }
  }

  /**
   * If no thread is free, the reader's own thread does all the work. It must not wait for a task
   * that only it could run.
   */
  @Test
  void aReadWithoutThreadsDoesNotWaitForItself() {
    CountDownLatch end = new CountDownLatch(1);
    try {
      assertTimeoutPreemptively(LIMIT, () -> {
        MemoryUnits units = new MemoryUnits(1);
        try (ReadContext context = MemoryUnits.context(MINUTES,
            MemoryUnits.THREADS, "4")) {
          MemoryUnits.occupyThreads(context, 4, end);
          assertReads(context, units, units.group(0), 0, 6 * CELL);
          units.faults.put(1, cancel -> {
            throw new ConnectException("refused");
          });
          assertReads(context, units, units.group(0), 0, 6 * CELL);
        }
      });
    } finally {
      end.countDown();
    }
  }

  /** As the test above, with the default of 64 threads and many simultaneous readers of stripes. */
  @Test
  void manyReadersOfStripesDoNotWaitForThemselves() throws Exception {
    MemoryUnits units = new MemoryUnits(2);
    units.allTake(20);
    ExecutorService readers = Executors.newFixedThreadPool(32);
    try (ReadContext context = MemoryUnits.context(MINUTES, PprKeys.CLIENT_CACHE_BYTES_KEY, "0")) {
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < 32; i++) {
        all.add(readers.submit(() -> {
          for (int j = 0; j < 10; j++) {
            assertReads(context, units, units.group(0), 0, 6 * CELL);
          }
          return null;
        }));
      }
      for (Future<?> one : all) {
        one.get(LIMIT.getSeconds(), TimeUnit.SECONDS);
      }
    } finally {
      readers.shutdownNow();
    }
  }

  /**
   * A hedge that has lost the race must not begin to decode, because its result would read k
   * DataNodes for no caller.
   */
  @Test
  void aHedgeThatHasLostReadsNothing() throws Exception {
    MemoryUnits units = new MemoryUnits(3);
    CountDownLatch treeBegun = new CountDownLatch(1);
    CountDownLatch readEnded = new CountDownLatch(1);
    AtomicReference<NodeHealth> health = new AtomicReference<>();
    units.faults.put(0, cancel -> {
      // Otherwise so little is decoded without a tree.
      health.get().noteStalled("dn0");
      try {
        assertTrue(treeBegun.await(LIMIT.toSeconds(), TimeUnit.SECONDS), "no tree has begun");
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
    });
    // By then the client has asked the DataNode, and knows that it is slow.
    ReadSettings settings = MemoryUnits.settings(PprKeys.CLIENT_HEDGE_MIN_MS_KEY, "1000",
        MemoryUnits.HEDGE_MAX_MS, "1000", PprKeys.CLIENT_DEGRADED_READ_KEY, "ppr");
    try (ReadContext context = new ReadContext(settings, (node, block, t) -> {
      treeBegun.countDown();
      try {
        readEnded.await();
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
      throw new UnreachableException(new ConnectException("no node serves trees"));
    }, System::nanoTime, MINUTES)) {
      health.set(context.health);
      assertReads(context, units, units.group(), 0, 100);
      int before = units.reads.get();
      readEnded.countDown();
      assertTimeoutPreemptively(LIMIT, () -> {
        while (context.busyThreads() > 0) {
          TimeUnit.MILLISECONDS.sleep(10);
        }
      });
      assertEquals(0, context.counters.treesFailed(), "a tree that lost the race is no failure");
      assertEquals(0, units.reads.get() - before, "reads of units for a hedge that has lost");
    }
  }

  /** With dfs.ppr.verify=full, a unit that is wrong in spite of its checksums must not be used. */
  @Test
  void fullVerificationHoldsForDecodedReads() throws Exception {
    MemoryUnits units = new MemoryUnits(4);
    UnitReader wrong = wrongAt(units);
    try (ReadContext context = MemoryUnits.context(MINUTES, PprKeys.VERIFY_KEY, "full",
        PprKeys.CLIENT_CACHE_BYTES_KEY, "0", PprKeys.CLIENT_HEDGE_MIN_MS_KEY, "0")) {
      // The lost unit is read alone, and together with other units, which are read anyway.
      for (int length : new int[] {100, 2 * CELL, 6 * CELL}) {
        for (int lost = 0; lost < 3; lost += 2) {
          int noticed = 0;
          for (int i = 0; i < 1000 && noticed < 8; i++) {
            if (noticesWrongUnit(context, units, wrong, units.group(lost), lost * CELL,
                length)) {
              noticed++;
            }
          }
          assertEquals(8, noticed, "reads that used the wrong unit: unit " + lost + ", " + length);
        }
      }
    }
    try (ReadContext context = MemoryUnits.context(MINUTES, PprKeys.CLIENT_CACHE_BYTES_KEY, "0",
        PprKeys.CLIENT_HEDGE_MIN_MS_KEY, "0")) {
      int noticed = 0;
      for (int i = 0; i < 640; i++) {
        try {
          new GroupReader(context, wrong, units.code).read(units.group(0), 0,
              ByteBuffer.allocate(100));
        } catch (UntrustedBytesException e) {
          noticed++;
        }
      }
      assertTrue(noticed >= 1 && noticed <= 10, noticed + " where one in 64 is checked");
    }
  }

  /**
   * Reads bytes of a unit that has to be decoded. The result must be right if the read did not use
   * the wrong unit, and an error if it did.
   *
   * @return whether the read used the wrong unit
   */
  private static boolean noticesWrongUnit(ReadContext context, MemoryUnits units, UnitReader wrong,
      LocatedGroup group, int from, int length) throws IOException {
    Set<Integer> asked = ConcurrentHashMap.newKeySet();
    byte[] got = new byte[length];
    try {
      new GroupReader(context, asking(wrong, asked), units.code).read(group, from,
          ByteBuffer.wrap(got));
    } catch (UntrustedBytesException e) {
      return true;
    }
    assertArrayEquals(Arrays.copyOfRange(units.file, from, from + 100), Arrays.copyOf(got, 100));
    // A decoded read with a check uses seven of the eight units. It asks an eighth one only in the
    // place of a unit that is late, which may be the wrong one.
    assertTrue(asked.size() > 7 || !asked.contains(WRONG),
        () -> "A read used the wrong unit and did not notice: " + asked);
    return false;
  }

  /** Reads units by another reader. */
  private abstract static class Reads implements UnitReader {
    private final UnitReader units;

    Reads(UnitReader units) {
      this.units = units;
    }

    @Override
    public LocatedGroup refresh(LocatedGroup group) throws IOException {
      return units.refresh(group);
    }

    @Override
    public boolean isTokenExpired(IOException e) {
      return units.isTokenExpired(e);
    }

    @Override
    public void received(long bytes) {
      units.received(bytes);
    }
  }

  /** @param asked receives the units of which the first stripe is read */
  private static UnitReader asking(UnitReader units, Set<Integer> asked) {
    return new Reads(units) {
      @Override
      public void readUnit(LocatedGroup group, int unit, long offset, ByteBuffer dst,
          Reading reading) throws IOException {
        if (offset < CELL) {
          asked.add(unit);
        }
        units.readUnit(group, unit, offset, dst, reading);
      }
    };
  }

  private static UnitReader wrongAt(MemoryUnits units) {
    return new Reads(units) {
      @Override
      public void readUnit(LocatedGroup group, int unit, long offset, ByteBuffer dst,
          Reading reading) throws IOException {
        int at = dst.position();
        units.readUnit(group, unit, offset, dst, reading);
        // One wrong bit of a unit makes every decoded byte at its position wrong.
        if (unit == WRONG) {
          dst.put(at, (byte) (dst.get(at) ^ 1));
        }
      }
    };
  }

  /**
   * The usual order of events: the DataNode of the unit fails first, and then the unit is rebuilt
   * from other units.
   */
  @Test
  void whateverFailedBeforeAFailedCheckEndsTheRead() throws Exception {
    MemoryUnits units = new MemoryUnits(4);
    UnitReader wrong = wrongAt(units);
    units.faults.put(0, cancel -> {
      throw new IOException("Replica not found");
    });
    int noticed = 0;
    for (int i = 0; i < 1000 && noticed < 8; i++) {
      // The client does not know yet that unit 0 cannot be read.
      try (ReadContext context = MemoryUnits.context(MINUTES, PprKeys.VERIFY_KEY, "full")) {
        if (noticesWrongUnit(context, units, wrong, units.group(), 0, 100)) {
          noticed++;
        }
      }
    }
    assertEquals(8, noticed, "reads that used the wrong unit");
  }

  /**
   * Reads little of a unit that never comes.
   *
   * @param isSlow whether the client finds out meanwhile that the node is slow
   * @return how many reads of units had begun when the client first asked a node for sums; none, if
   *     it had not asked by the end
   */
  private static OptionalInt readsBeforeTheFirstTree(boolean isSlow) throws Exception {
    MemoryUnits units = new MemoryUnits(8);
    CountDownLatch never = new CountDownLatch(1);
    AtomicReference<NodeHealth> health = new AtomicReference<>();
    units.faults.put(0, cancel -> {
      if (isSlow) {
        health.get().noteStalled("dn0");
      }
      try {
        never.await();
      } catch (InterruptedException e) {
        throw new InterruptedIOException();
      }
    });
    AtomicInteger first = new AtomicInteger(-1);
    ReadSettings settings = MemoryUnits.settings(PprKeys.CLIENT_HEDGE_MIN_MS_KEY, "100",
        MemoryUnits.HEDGE_MAX_MS, "100", PprKeys.CLIENT_DEGRADED_READ_KEY, "ppr");
    try (ReadContext context = new ReadContext(settings, (node, block, token) -> {
      first.compareAndSet(-1, units.reads.get());
      throw new UnreachableException(new ConnectException("no node serves trees"));
    }, System::nanoTime, MINUTES)) {
      health.set(context.health);
      assertReads(context, units, units.group(), 0, 100);
      assertEquals(1, context.counters.hedged());
      assertEquals(1, context.counters.decodes());
      never.countDown();
      return first.get() < 0 ? OptionalInt.empty() : OptionalInt.of(first.get());
    }
  }

  /** A unit that is not lost is decoded: a tree would cost the cluster more than it saves. */
  @Test
  void aShortRangeThatIsLateIsDecodedWithoutATree() throws Exception {
    assertTimeoutPreemptively(LIMIT, () -> {
      assertEquals(OptionalInt.of(1), readsBeforeTheFirstTree(true),
          "no tree was tried before the range was decoded");
      // After it has decoded, the client may tell a node of it by asking for sums.
      assertTrue(readsBeforeTheFirstTree(false).orElse(Integer.MAX_VALUE)
          >= 1 + MemoryUnits.DATA, "a tree was tried");
    });
  }

  /** A hedge that finds no free thread begins as soon as a thread is free. */
  @Test
  void aHedgeWaitsForAThread() throws Exception {
    assertTimeoutPreemptively(LIMIT, () -> {
      MemoryUnits units = new MemoryUnits(8);
      CountDownLatch busy = new CountDownLatch(1);
      CountDownLatch never = new CountDownLatch(1);
      try (ReadContext context = MemoryUnits.context(MINUTES, MemoryUnits.THREADS, "4",
          PprKeys.CLIENT_HEDGE_MIN_MS_KEY, "100", MemoryUnits.HEDGE_MAX_MS, "100")) {
        CountDownLatch begun = new CountDownLatch(1);
        units.faults.put(0, cancel -> {
          MemoryUnits.occupyThreads(context, 3, busy);
          begun.countDown();
          try {
            never.await();
          } catch (InterruptedException e) {
            throw new InterruptedIOException();
          }
        });
        // The first hedges find all threads busy.
        Thread free = soonAfter(begun, 500, busy);
        free.start();
        assertReads(context, units, units.group(), 0, 100);
        assertEquals(1, context.counters.hedged());
        free.join();
        never.countDown();
      }
    });
  }

  /**
   * All units are late. The read replaces the late units by the two further units, and then waits
   * for the late units instead of reading them again.
   */
  @Test
  void whatIsLateIsNotReadTwice() throws Exception {
    MemoryUnits units = new MemoryUnits(6);
    units.allTake(500);
    try (ReadContext context = MemoryUnits.context(MINUTES, PprKeys.CLIENT_HEDGE_MIN_MS_KEY,
        "100", MemoryUnits.HEDGE_MAX_MS, "100")) {
      assertReads(context, units, units.group(0), 0, 100);
      assertTrue(units.reads.get() <= 8, units.reads.get() + " reads of 8 units");
    }
  }

  /** The client asks the NameNode by path, and the path may belong to another file now. */
  @Test
  void anotherFileAtTheSamePathIsNotRead() throws Exception {
    MemoryUnits old = new MemoryUnits(7);
    MemoryUnits fresh = new MemoryUnits(8);
    LocatedGroup oldGroup = old.group();
    UnitReader reader = new UnitReader() {
      @Override
      public void readUnit(LocatedGroup group, int unit, long offset, ByteBuffer dst,
          Reading reading) throws IOException {
        if (group == oldGroup && unit == 0) {
          throw new IOException("Replica not found");
        }
        (group == oldGroup ? old : fresh).readUnit(group, unit, offset, dst, reading);
      }

      @Override
      public LocatedGroup refresh(LocatedGroup group) {
        return fresh.groupOf(-4096, "other");
      }

      @Override
      public boolean isTokenExpired(IOException e) {
        return false;
      }

      @Override
      public void received(long bytes) {
        old.received(bytes);
      }
    };
    try (ReadContext context = MemoryUnits.context(MINUTES)) {
      // The lost unit is rebuilt from the other units of its own group.
      byte[] got = new byte[2 * CELL];
      new GroupReader(context, reader, old.code).read(oldGroup, 0, ByteBuffer.wrap(got));
      assertArrayEquals(Arrays.copyOf(old.file, 2 * CELL), got);
    }
  }
}
