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
package org.hdfsppr.datanode.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.hdfsppr.datanode.command.JobPool.Begin;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Runs jobs that end when the test ends them. */
@Timeout(60)
class TestJobPool {
  private static final long LONG_MS = 60_000;

  private final JobPool<String, Work> pool = new JobPool<>("ppr-test", 1, 2, false);
  private final BlockingQueue<String> events = new LinkedBlockingQueue<>();

  /** Runs until it is ended, and notes what becomes of it. */
  private final class Work implements JobPool.Job {
    private final String name;
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile String reason;

    Work(String name) {
      this.name = name;
    }

    @Override
    public String subject() {
      return "of " + name;
    }

    @Override
    public void run() {
      events.add(name + " runs on " + Thread.currentThread().getName());
      try {
        ended.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      if (name.equals("fails")) {
        throw new IllegalStateException("as the test says");
      }
      events.add(name + " ends, " + reason);
    }

    @Override
    public void end(String why) {
      reason = why;
      ended.countDown();
    }

    @Override
    public void drop(String why) {
      events.add(name + " is dropped, " + why + ", of " + pool.size());
    }

    @Override
    public void left() {
      events.add(name + " leaves " + pool.size());
    }
  }

  @AfterEach
  void close() throws InterruptedException {
    pool.close();
    assertTrue(pool.awaitEnd(LONG_MS), "all threads end");
    assertEquals(0, pool.size());
  }

  private Begin begin(String name) {
    return pool.begin(name, new Work(name), LONG_MS);
  }

  private String next() throws InterruptedException {
    String event = events.poll(LONG_MS, TimeUnit.MILLISECONDS);
    assertTrue(event != null, "something happens");
    return event;
  }

  /** A job that does not end by itself, and notes whether it was ended before the interrupt. */
  private final class Stuck implements JobPool.Job {
    private final CountDownLatch runs = new CountDownLatch(1);
    private volatile boolean isEnded;

    @Override
    public String subject() {
      return "of a job that is stuck";
    }

    @Override
    public void run() {
      runs.countDown();
      try {
        new CountDownLatch(1).await();
      } catch (InterruptedException e) {
        events.add("interrupted, ended before: " + isEnded);
      }
    }

    @Override
    public void end(String why) {
      isEnded = true;
    }

    @Override
    public void drop(String why) {
      events.add("dropped, " + why);
      throw new IllegalStateException("as the test says");
    }
  }

  @Test
  void aClosedPoolInterruptsJobsOnlyAfterItHasEndedThem() throws InterruptedException {
    JobPool<String, Stuck> stuck = new JobPool<>("ppr-stuck", 1, 2, true);
    Stuck running = new Stuck();
    assertEquals(Begin.BEGUN, stuck.begin("running", running));
    running.runs.await();
    assertEquals(Begin.BEGUN, stuck.begin("waiting", new Stuck()));
    assertEquals(Begin.BEGUN, stuck.begin("waiting, too", new Stuck()));
    stuck.close();
    assertEquals("dropped, " + JobPool.STOPS, next());
    assertEquals("dropped, " + JobPool.STOPS, next(), "a failure ends no other job");
    assertEquals("interrupted, ended before: true", next());
    assertTrue(stuck.awaitEnd(LONG_MS));
    assertEquals(Begin.CLOSED, stuck.begin("late", new Stuck()));
  }

  @Test
  void aJobThatHasTheNameOfAnEndedOneIsNotEndedInItsPlace() throws InterruptedException {
    Work first = new Work("a");
    assertEquals(Begin.BEGUN, pool.begin("a", first));
    assertEquals("a runs on ppr-test of a", next());
    pool.end("a", first, "enough");
    assertEquals("a ends, enough", next());
    assertEquals("a leaves 0", next());
    assertEquals(Begin.BEGUN, begin("a"));
    assertEquals("a runs on ppr-test of a", next());
    pool.end("a", first, "late");
    assertTrue(events.isEmpty());
    pool.end("a", "now");
    assertEquals("a ends, now", next());
  }

  @Test
  void jobsRunInTurnAndMakeRoom() throws InterruptedException {
    assertEquals(Begin.BEGUN, begin("a"));
    assertEquals("a runs on ppr-test of a", next());
    assertEquals(Begin.BEGUN, begin("b"));
    assertEquals(Begin.UNDER_WAY, begin("b"));
    assertEquals(Begin.BEGUN, begin("c"));
    assertEquals(Begin.FULL, begin("d"));
    assertEquals(3, pool.jobs().size());
    pool.end("a", "enough");
    assertEquals("a ends, enough", next());
    assertEquals("a leaves 2", next());
    assertEquals("b runs on ppr-test of b", next());
    assertEquals(Begin.BEGUN, begin("d"));
    assertNull(pool.get("a"));
    assertEquals("of d", pool.get("d").subject());
  }

  @Test
  void aJobThatWaitsEndsAtOnceAndNeverRuns() throws InterruptedException {
    begin("a");
    assertEquals("a runs on ppr-test of a", next());
    begin("b");
    begin("c");
    pool.end("b", "cancelled");
    assertEquals("b is dropped, cancelled, of 2", next());
    assertEquals(Begin.BEGUN, begin("d"), "its place is free");
    pool.end("b", "again");
    pool.end("a", "enough");
    assertEquals("a ends, enough", next());
    assertEquals("a leaves 2", next());
    assertEquals("c runs on ppr-test of c", next());
  }

  @Test
  void deadlinesEndJobs() throws InterruptedException {
    assertEquals(Begin.BEGUN, pool.begin("a", new Work("a")));
    assertEquals("a runs on ppr-test of a", next());
    pool.begin("b", new Work("b"), 1);
    assertEquals("b is dropped, " + JobPool.late(1) + ", of 1", next());
    pool.end("a", "enough");
    assertEquals("a ends, enough", next());
    assertEquals("a leaves 0", next());
    pool.begin("c", new Work("c"), 1);
    String event = next();
    while (!event.contains(JobPool.late(1))) {
      event = next();
    }
  }

  @Test
  void aFailureMakesRoom() throws InterruptedException {
    begin("fails");
    next();
    begin("a");
    pool.end("fails", "now");
    assertEquals("fails leaves 1", next());
    assertEquals("a runs on ppr-test of a", next());
  }

  @Test
  void closingEndsAllJobs() throws InterruptedException {
    Work first = new Work("a");
    pool.begin("a", first, LONG_MS);
    assertEquals("a runs on ppr-test of a", next());
    assertSame(first, pool.get("a"));
    begin("b");
    assertFalse(pool.isClosed());
    pool.close();
    assertTrue(pool.isClosed());
    assertEquals(Begin.CLOSED, begin("c"));
    assertTrue(pool.awaitEnd(LONG_MS));
    assertEquals(3, events.size());
    assertTrue(events.contains("a ends, " + JobPool.STOPS), events.toString());
    assertTrue(events.stream().anyMatch(
        event -> event.startsWith("b is dropped, " + JobPool.STOPS)), events.toString());
    assertTrue(events.stream().anyMatch(event -> event.startsWith("a leaves ")), events.toString());
  }
}
