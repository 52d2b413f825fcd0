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
package org.apache.hadoop.hdfs.server.namenode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.hdfsppr.namenode.version.PublishAnswer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** When publishers ask for the namesystem's lock. */
@Timeout(60)
class TestPublishTurns {
  private static final int PUBLISHERS = 50;
  private static final int COMMITS = 3;

  private final ExecutorService threads = Executors.newFixedThreadPool(PUBLISHERS);
  private final List<String> events = Collections.synchronizedList(new ArrayList<>());
  private final AtomicInteger inside = new AtomicInteger();
  private final List<Long> rests = Collections.synchronizedList(new ArrayList<>());
  private long heldNanos = TimeUnit.MILLISECONDS.toNanos(7);
  private boolean isWritten = true;
  private boolean flushesUnasked = true;
  private boolean isRestInterrupted;

  private final PublishTurns turns = new PublishTurns(new PublishTurns.Log() {
    @Override
    public boolean awaitWritten(long ms) {
      assertEquals(PublishTurns.WRITTEN_MS, ms);
      events.add("log");
      return isWritten;
    }

    @Override
    public boolean flushesUnasked() {
      return flushesUnasked;
    }
  }, ms -> {
    assertEquals(1, inside.incrementAndGet(), "the turn is over");
    events.add("rest");
    rests.add(ms);
    inside.decrementAndGet();
    if (isRestInterrupted) {
      throw new InterruptedException("as the test says");
    }
  });

  @AfterEach
  void stop() {
    threads.shutdownNow();
  }

  private PublishAnswer take(PublishAnswer answer) throws IOException {
    return turns.take(false, held -> {
      held.accept(heldNanos);
      return publish(answer);
    });
  }

  private PublishAnswer publish(PublishAnswer answer) {
    assertEquals(1, inside.incrementAndGet(), "two publishers ask for the lock");
    events.add("publish");
    inside.decrementAndGet();
    return answer;
  }

  @Test
  void onePublisherAtATimeWaitsForTheLogAndThenPublishes() throws Exception {
    List<Future<PublishAnswer>> all = new ArrayList<>();
    for (int i = 0; i < PUBLISHERS; i++) {
      all.add(threads.submit(() -> take(PublishAnswer.PUBLISHED)));
    }
    for (Future<PublishAnswer> one : all) {
      assertSame(PublishAnswer.PUBLISHED, one.get());
    }
    assertEquals(2 * PUBLISHERS, events.size());
    for (int i = 0; i < events.size(); i++) {
      assertEquals(i % 2 == 0 ? "log" : "publish", events.get(i));
    }
  }

  @Test
  void nothingAsksForTheLockWhileTheLogIsSlow() throws Exception {
    isWritten = false;
    assertSame(PublishTurns.UNWRITTEN, take(PublishAnswer.PUBLISHED));
    isWritten = true;
    assertSame(PublishAnswer.PUBLISHED, take(PublishAnswer.PUBLISHED));
    assertEquals(List.of("log", "log", "publish"), events);
  }

  @Test
  void theLockHasRestAfterAHoldInVain() throws Exception {
    assertSame(PublishTurns.SLOW, take(PublishTurns.SLOW));
    assertEquals(List.of("log", "publish", "rest"), events);
    assertEquals(List.of(140L), rests, "20 times as long as it was held");
    // A collection of garbage came in between.
    heldNanos = TimeUnit.SECONDS.toNanos(30);
    take(PublishTurns.SLOW);
    assertEquals(List.of(140L, PublishTurns.REST_MS_MAX), rests);
  }

  /** A flush that takes longer than one wait is over within a later one. */
  @Test
  void theWaitUnderTheLockDoublesWithEachHoldInVain() {
    assertEquals(List.of(5L, 10L, 20L, 40L, 80L, 100L, 100L), IntStream.range(0, 7)
        .mapToObj(PublishTurns::waitMs).collect(Collectors.toList()));
    assertEquals(PublishTurns.WAIT_MS_MAX, PublishTurns.waitMs(Integer.MAX_VALUE));
  }

  /** Writers wait for it. */
  @Test
  void aCommitWaitsForNoLineOfConversions() throws Exception {
    CountDownLatch end = new CountDownLatch(1);
    AtomicInteger conversions = new AtomicInteger(PUBLISHERS - COMMITS);
    AtomicInteger commits = new AtomicInteger(COMMITS);
    List<Future<PublishAnswer>> all = new ArrayList<>();
    for (int i = 0; i < PUBLISHERS; i++) {
      boolean isCommit = i >= PUBLISHERS - COMMITS;
      AtomicInteger left = isCommit ? commits : conversions;
      all.add(threads.submit(() -> turns.take(isCommit, held -> {
        left.decrementAndGet();
        events.add(isCommit ? "commit" : "conversion");
        await(() -> end.getCount() == 0 && turns.firsts()
            == Math.min(1, conversions.get()) + Math.min(1, commits.get()));
        return PublishAnswer.PUBLISHED;
      })));
      // The first one has its turn.
      int waiting = i;
      await(() -> turns.waiting() == waiting && events.contains("conversion"));
    }
    end.countDown();
    for (Future<PublishAnswer> one : all) {
      assertSame(PublishAnswer.PUBLISHED, one.get());
    }
    List<String> order = events.stream().filter(event -> !event.equals("log"))
        .collect(Collectors.toList());
    assertEquals(List.of("conversion", "conversion", "commit", "conversion", "commit",
        "conversion", "commit"), order.subList(0, 7));
    assertEquals(PUBLISHERS, order.size());
  }

  private static void await(BooleanSupplier condition) {
    while (!condition.getAsBoolean()) {
      LockSupport.parkNanos(1_000_000);
    }
  }

  /** Otherwise publishers that wait for one slow flush after the other would have the lock. */
  @Test
  void theLockHasRestAfterALongHoldThatPublishes() throws Exception {
    heldNanos = TimeUnit.MILLISECONDS.toNanos(90);
    take(PublishAnswer.PUBLISHED);
    assertEquals(List.of(360L), rests, "four times as long as it was held");
    flushesUnasked = false;
    take(PublishAnswer.PUBLISHED);
    assertEquals(1, rests.size());
  }

  /** Such an answer comes at once. */
  @Test
  void theLockNeedsNoRestAfterOtherAnswers() throws Exception {
    take(PublishAnswer.later("not durable"));
    take(PublishAnswer.changed("changed"));
    flushesUnasked = false;
    take(PublishTurns.SLOW);
    assertFalse(events.contains("rest"), events.toString());
  }

  @Test
  void aPublicationThatFailsGivesItsTurnBack() throws Exception {
    assertThrows(IllegalStateException.class, () -> turns.take(false, held -> {
      throw new IllegalStateException("as the test says");
    }));
    assertSame(PublishAnswer.PUBLISHED, take(PublishAnswer.PUBLISHED));
  }

  /** What is published has to be said, and written to the audit log. */
  @Test
  void anInterruptInTheRestTakesNoAnswerBack() throws Exception {
    heldNanos = TimeUnit.MILLISECONDS.toNanos(90);
    isRestInterrupted = true;
    for (PublishAnswer answer : List.of(PublishAnswer.PUBLISHED,
        PublishAnswer.broken("as the test says"), PublishTurns.SLOW)) {
      assertSame(answer, take(answer));
      assertTrue(Thread.interrupted(), "the interrupt is not lost");
    }
    isRestInterrupted = false;
    assertSame(PublishAnswer.PUBLISHED, take(PublishAnswer.PUBLISHED));
    assertEquals(4, rests.size());
  }

  @Test
  void aPublisherThatIsInterruptedStopsWaiting() throws Exception {
    CountDownLatch isTaken = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    Future<PublishAnswer> first = threads.submit(() -> turns.take(false, held -> {
      isTaken.countDown();
      try {
        end.await();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
      return PublishAnswer.PUBLISHED;
    }));
    isTaken.await();
    Future<Boolean> second = threads.submit(() -> {
      Thread.currentThread().interrupt();
      assertThrows(InterruptedIOException.class,
          () -> take(PublishAnswer.PUBLISHED));
      return Thread.interrupted();
    });
    assertTrue(second.get(), "the interrupt is not lost");
    end.countDown();
    assertSame(PublishAnswer.PUBLISHED, first.get(30, TimeUnit.SECONDS));
    assertEquals(List.of("log"), events);
  }
}
