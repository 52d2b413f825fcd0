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
package org.hdfsppr.datanode.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;
import static org.junit.jupiter.api.Assertions.fail;

import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hdfs.server.datanode.ReplicaInfo;
import org.hdfsppr.service.Services;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Tests that the scan finds the blocks in memory in the background, and that no caller waits for
 * it.
 */
@Timeout(60)
class TestResidentScan {
  private static final String POOL = "BP-1";

  private final AtomicLong clock = new AtomicLong(5);
  private final Disk disk = new Disk();
  private final ResidentScan scan = new ResidentScan(disk, clock::get);
  private final Thread thread = new Thread(() ->
      new Services(System::nanoTime).open("test", e -> fail(e)).run(scan::take));

  @AfterEach
  void stop() throws InterruptedException {
    disk.works.countDown();
    thread.interrupt();
    thread.join(10_000);
    assertFalse(thread.isAlive(), "the thread ends");
  }

  /** A disk that blocks until the test releases it. */
  private static final class Disk implements ResidentScan.Replicas {
    private final CountDownLatch works = new CountDownLatch(1);
    private final CountDownLatch asked = new CountDownLatch(1);
    private final Set<Long> inMemory =
        Collections.synchronizedSet(new HashSet<>(Arrays.asList(-1L, -2L, 4L)));
    private volatile Collection<Long> cached = Collections.emptySet();
    private volatile boolean broken;

    @Override
    public List<ReplicaInfo> finalized(String poolId) {
      assertEquals(POOL, poolId);
      return Arrays.asList(replica(-1), replica(-2), replica(-3), replica(4));
    }

    private static ReplicaInfo replica(long id) {
      ReplicaInfo replica = mock(ReplicaInfo.class);
      when(replica.getBlockId()).thenReturn(id);
      return replica;
    }

    @Override
    public boolean isResident(ReplicaInfo replica) {
      asked.countDown();
      try {
        works.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      if (broken) {
        throw new IllegalStateException("the volume is gone");
      }
      return inMemory.contains(replica.getBlockId());
    }

    @Override
    public Collection<Long> cached(String poolId) {
      assertEquals(POOL, poolId);
      return cached;
    }
  }

  private void await(Long... ids) throws InterruptedException {
    Set<Long> expected = new HashSet<>(Arrays.asList(ids));
    Collection<Long> now = scan.resident(POOL);
    while (!new HashSet<>(now).equals(expected)) {
      clock.addAndGet(TimeUnit.SECONDS.toNanos(1));
      TimeUnit.MILLISECONDS.sleep(10);
      now = scan.resident(POOL);
    }
  }

  /** Most clusters have no scheduler that asks, and their DataNodes need no thread. */
  @Test
  void theThreadStartsWithTheFirstQuestionAndOnlyOnce() throws Exception {
    disk.works.countDown();
    AtomicInteger starts = new AtomicInteger();
    scan.whenFirstAsked(() -> {
      starts.incrementAndGet();
      thread.start();
    });
    assertEquals(0, starts.get());
    await(-1L, -2L);
    assertEquals(1, starts.get());
  }

  @Test
  void aDiskThatHangsHoldsNothingUp() throws Exception {
    assertTrue(scan.resident(POOL).isEmpty());
    thread.start();
    assertTrue(disk.asked.await(30, TimeUnit.SECONDS), "the scan looks at the disk");
    assertTrue(scan.resident(POOL).isEmpty(), "no caller waits for the scan");
    disk.works.countDown();
    await(-1L, -2L);
    disk.inMemory.remove(-1L);
    await(-2L);
    disk.cached = Arrays.asList(-2L, -7L);
    await(-2L, -7L);
    disk.cached = Collections.emptySet();
    await(-2L);
  }

  @Test
  void anErrorIsNotTheEnd() throws Exception {
    disk.works.countDown();
    disk.broken = true;
    scan.resident(POOL);
    thread.start();
    assertTrue(disk.asked.await(30, TimeUnit.SECONDS));
    disk.broken = false;
    await(-1L, -2L);
  }

  @Test
  void itEndsWhileTheDiskHangs() throws Exception {
    scan.resident(POOL);
    thread.start();
    assertTrue(disk.asked.await(30, TimeUnit.SECONDS));
    thread.interrupt();
    thread.join(30_000);
    assertFalse(thread.isAlive());
  }
}
