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
import org.hdfsppr.namenode.version.PublishAnswer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** When publishers ask for the namesystem's lock. */
@Timeout(60)
class TestPublishTurns {
  private static final int PUBLISHERS = 50;

  private final ExecutorService threads = Executors.newFixedThreadPool(PUBLISHERS);
  private final List<String> events = Collections.synchronizedList(new ArrayList<>());
  private final AtomicInteger inside = new AtomicInteger();
  private boolean isWritten = true;
  private boolean flushesUnasked = true;

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
    assertEquals(PublishTurns.REST_MS, ms);
    assertEquals(1, inside.incrementAndGet(), "the turn is over");
    events.add("rest");
    inside.decrementAndGet();
  });

  @AfterEach
  void stop() {
    threads.shutdownNow();
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
      all.add(threads.submit(() -> turns.take(() -> publish(PublishAnswer.PUBLISHED))));
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
    assertSame(PublishTurns.SLOW, turns.take(() -> publish(PublishAnswer.PUBLISHED)));
    isWritten = true;
    assertSame(PublishAnswer.PUBLISHED, turns.take(() -> publish(PublishAnswer.PUBLISHED)));
    assertEquals(List.of("log", "log", "publish"), events);
  }

  @Test
  void theLockHasRestAfterAHoldInVain() throws Exception {
    assertSame(PublishTurns.SLOW, turns.take(() -> publish(PublishTurns.SLOW)));
    assertEquals(List.of("log", "publish", "rest"), events);
  }

  /** Such an answer comes at once. */
  @Test
  void theLockNeedsNoRestAfterOtherAnswers() throws Exception {
    turns.take(() -> publish(PublishAnswer.later("not durable")));
    turns.take(() -> publish(PublishAnswer.changed("changed")));
    flushesUnasked = false;
    turns.take(() -> publish(PublishTurns.SLOW));
    assertFalse(events.contains("rest"), events.toString());
  }

  @Test
  void aPublicationThatFailsGivesItsTurnBack() throws Exception {
    assertThrows(IllegalStateException.class, () -> turns.take(() -> {
      throw new IllegalStateException("as the test says");
    }));
    assertSame(PublishAnswer.PUBLISHED, turns.take(() -> publish(PublishAnswer.PUBLISHED)));
  }

  @Test
  void aPublisherThatIsInterruptedStopsWaiting() throws Exception {
    CountDownLatch isTaken = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    Future<PublishAnswer> first = threads.submit(() -> turns.take(() -> {
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
          () -> turns.take(() -> publish(PublishAnswer.PUBLISHED)));
      return Thread.interrupted();
    });
    assertTrue(second.get(), "the interrupt is not lost");
    end.countDown();
    assertSame(PublishAnswer.PUBLISHED, first.get(30, TimeUnit.SECONDS));
    assertEquals(List.of("log"), events);
  }
}
