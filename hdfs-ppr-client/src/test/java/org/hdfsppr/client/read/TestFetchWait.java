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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.hdfs.security.token.block.InvalidBlockTokenException;
import org.hdfsppr.client.read.DecodeRebuild.FetchWait;
import org.hdfsppr.conf.PprKeys;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests how FetchWait waits for the units of a decode, and what it records about DataNodes. */
@Timeout(240)
class TestFetchWait {
  private static final long MINUTES = TimeUnit.MINUTES.toNanos(10);
  private static final int LENGTH = 1000;

  private final MemoryUnits units = new MemoryUnits(1);
  private final LocatedGroup group = units.group(0);
  private final SharedFetches begun = new SharedFetches();
  private final UnitByteCache read = new UnitByteCache(Long.MAX_VALUE);
  private final ExcludedDataNodes nodes = new ExcludedDataNodes();
  private ReadContext context = MemoryUnits.context(MINUTES,
      PprKeys.CLIENT_HEDGE_MIN_MS_KEY, "1", MemoryUnits.HEDGE_MAX_MS, "1");

  TestFetchWait() throws IOException {
    // The fields need this throws clause, although the group is only made in memory.
  }

  @AfterEach
  void close() {
    context.close();
  }

  /** Makes the client wait only milliseconds for anything. */
  private void beImpatient() {
    context.close();
    context = MemoryUnits.context(TimeUnit.MILLISECONDS.toNanos(20));
  }

  private UnitFetch fetch(int unit, Future<ByteBuffer> bytes) {
    UnitFetch fetch = new UnitFetch(group, new UnitRange(unit, 0, LENGTH), bytes, 0,
        context.shares.flow());
    begun.add(fetch);
    return fetch;
  }

  private static Future<ByteBuffer> come() {
    return CompletableFuture.completedFuture(ByteBuffer.allocate(LENGTH));
  }

  private static Future<ByteBuffer> failed(IOException why) {
    CompletableFuture<ByteBuffer> failed = new CompletableFuture<>();
    failed.completeExceptionally(why);
    return failed;
  }

  private ReadAttempt attempt() {
    return new ReadAttempt(context.link.begin(), 1);
  }

  private FetchOutcome await(UnitFetch... fetches) throws IOException {
    return new FetchWait(context, units).await(group, List.of(fetches), begun, read, nodes,
        attempt());
  }

  private boolean has(int unit) {
    return read.has(group.id().blockId(unit), 0, LENGTH);
  }

  private boolean isBegun(int unit) {
    return begun.find(group, new UnitRange(unit, 0, LENGTH), Collections.emptyList()).isPresent();
  }

  @Test
  void whatHasComeIsTaken() throws IOException {
    FetchOutcome outcome = await(fetch(1, come()), fetch(2, come()));
    assertTrue(outcome.isComplete());
    assertTrue(has(1) && has(2));
    assertEquals(Set.of(), nodes.failed);
  }

  /**
   * If one unit fails, the bytes of the other units stay valid, and only the missing part is read
   * from another unit.
   */
  @Test
  void aFailureLeavesTheNodeOutAndKeepsTheOthersBytes() throws IOException {
    IOException broken = new IOException("broken");
    FetchOutcome outcome = await(fetch(1, failed(broken)), fetch(2, come()));
    assertFalse(outcome.isComplete());
    assertSame(broken, outcome.failure);
    assertFalse(has(1));
    assertTrue(has(2));
    assertEquals(Set.of("dn1"), nodes.failed);
    assertFalse(isBegun(1), "the unit whose read failed can be read again");
    assertTrue(isBegun(2));
    assertTrue(context.health.isLost("dn1", group.id().blockId(1)));
    assertFalse(context.health.isLost("dn2", group.id().blockId(2)));
  }

  /**
   * An expired token has priority among the reasons for a failure, because new tokens solve it. The
   * replica is not lost.
   */
  @Test
  void anExpiredTokenIsTheReasonThatCounts() throws IOException {
    IOException expired = new InvalidBlockTokenException("expired");
    IOException broken = new IOException("broken");
    FetchOutcome outcome = await(fetch(1, failed(broken)), fetch(2, failed(expired)),
        fetch(3, failed(new IOException("broken too"))));
    assertSame(expired, outcome.failure);
    assertEquals(Set.of("dn1", "dn2", "dn3"), nodes.failed);
    assertFalse(context.health.isLost("dn2", group.id().blockId(2)));
    assertTrue(context.health.isLost("dn3", group.id().blockId(3)));
  }

  /**
   * When a read is over, it closes its connections. The failures that follow say nothing about the
   * DataNodes.
   */
  @Test
  void whatFailsAfterTheReadSaysNothingAboutTheNode() throws IOException {
    ReadAttempt attempt = attempt();
    attempt.cancel();
    FetchOutcome outcome = new FetchWait(context, units).await(group,
        List.of(fetch(1, failed(new IOException("closed")))), begun, read, nodes, attempt);
    assertFalse(outcome.isComplete());
    assertFalse(context.health.isLost("dn1", group.id().blockId(1)));
  }

  @Test
  void whatNoThreadHasBegunIsReadByTheWaitingOne() throws IOException {
    AtomicReference<Thread> reader = new AtomicReference<>();
    FutureTask<ByteBuffer> task = new FutureTask<>(() -> {
      reader.set(Thread.currentThread());
      return ByteBuffer.allocate(LENGTH);
    });
    assertTrue(await(fetch(1, task)).isComplete());
    assertSame(Thread.currentThread(), reader.get());
    assertTrue(has(1));
  }

  @Test
  void aNodeThatIsLateTwiceIsLeftOut() throws IOException {
    beImpatient();
    UnitFetch late = fetch(1, new CompletableFuture<>());
    FetchOutcome outcome = await(late, fetch(2, come()));
    assertFalse(outcome.isComplete());
    assertTrue(outcome.failure.getMessage().contains("DataNode dn1 is slow"),
        outcome.failure.toString());
    assertTrue(late.isLate());
    assertTrue(has(2));
    assertTrue(nodes.isLate("dn1"));
    assertEquals(Set.of(), nodes.failed, "a node that was late once may only have been busy");
    assertTrue(isBegun(1), "the late bytes may still come");
    await(fetch(1, new CompletableFuture<>()));
    assertEquals(Set.of("dn1"), nodes.failed);
    assertFalse(context.health.isLost("dn1", group.id().blockId(1)));
  }

  @Test
  void anInterruptedReaderWaitsNoMore() {
    Thread.currentThread().interrupt();
    assertThrows(InterruptedIOException.class,
        () -> await(fetch(1, new CompletableFuture<>())));
    assertTrue(Thread.interrupted(), "the interrupt was swallowed");
    assertEquals(Set.of(), nodes.failed);
  }
}
