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
package org.hdfsppr.namenode.version;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyBoolean;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.ArgumentMatchers.anyString;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import java.io.FileNotFoundException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.hdfsppr.coder.code.Codes;
import org.hdfsppr.namenode.orders.OrderBook;
import org.hdfsppr.namenode.schedule.LinkLoads;
import org.hdfsppr.namenode.track.MadeGroups;
import org.hdfsppr.service.Services;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An engine that makes as many files at a time as it does by default, on few threads. */
@Timeout(120)
class TestEngineSteps {
  private static final int FILES = 256;
  private static final long INODE = 17;
  private static final long WAIT_MS = 60_000;

  private final AtomicLong term = new AtomicLong(1);
  private final ClientProtocol namenode = mock(ClientProtocol.class);
  private final VersionNamespace namespace = mock(VersionNamespace.class);
  private final VersionGate gate = mock(VersionGate.class);
  private final AtomicReference<String> repairs = new AtomicReference<>();
  /** The threads that have looked up a file. */
  private final Set<Thread> threads = ConcurrentHashMap.newKeySet();
  private PooledVersionEngine engine;

  @BeforeEach
  void begin() throws Exception {
    when(gate.isActive()).thenReturn(true);
    when(gate.term()).thenAnswer(call -> term.get());
    when(gate.links()).thenReturn(new LinkLoads());
    when(gate.whyNot()).thenAnswer(call -> Optional.ofNullable(repairs.get()));
    when(gate.whyNoCommit()).thenReturn(Optional.empty());
    // The NameNode is active, since it has looked for the path.
    doThrow(new FileNotFoundException("as the test says")).when(namenode)
        .setTimes(anyString(), anyLong(), anyLong());
    when(namespace.policy("XOR")).thenReturn(Optional.of(TestPooledVersionEngine.XOR));
    when(namespace.policy("RS")).thenReturn(Optional.of(TestPooledVersionEngine.RS));
    when(namespace.file(anyString(), anyLong(), anyString())).thenAnswer(call -> {
      threads.add(Thread.currentThread());
      return Optional.of(TestPooledVersionEngine.file(call.getArgument(1)));
    });
    engine = new PooledVersionEngine(new EngineParts(
        new EngineParts.Files(namespace, VersionStores.of(() -> namenode)),
        new EngineParts.DataNodes(new FakeDoor(12), new OrderBook()),
        new EngineParts.Manager(gate, new MadeGroups()),
        new CodePathCache(policy -> Codes.forCodec(new Configuration(false), policy.codec,
            policy.dataUnits, policy.parityUnits)),
        new VersionSettings(FILES, 0, 1L << 40), VersionHook.NONE,
        new EngineParts.Clocks(System::currentTimeMillis, System::currentTimeMillis)), "run");
    engine.start(new Services(System::nanoTime));
    await(engine::isActive);
  }

  @AfterEach
  void end() {
    engine.close();
  }

  private static void await(BooleanSupplier condition) throws InterruptedException {
    long begin = System.nanoTime();
    while (!condition.getAsBoolean()) {
      assertTrue(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin) < WAIT_MS);
      Thread.sleep(10);
    }
  }

  private CompletableFuture<VersionOutcome> convert(long inode) {
    return engine.submit(VersionRequest.of("j1", "/f" + inode, inode).user("alice").policy("XOR")
        .build()).orElseThrow();
  }

  private List<CompletableFuture<VersionOutcome>> convertMany() {
    List<CompletableFuture<VersionOutcome>> all = new ArrayList<>();
    for (int i = 0; i < FILES; i++) {
      all.add(convert(INODE + i));
    }
    return all;
  }

  private CompletableFuture<VersionOutcome> commit(long inode) {
    return engine.submit(VersionRequest.of("commits", "/f" + inode, inode).user("alice")
        .policy("RS").commit(new CommitPlan("user.tag", new byte[0], made -> new byte[0],
            List.of(), "cau", Map.of())).build()).orElseThrow();
  }

  private static VersionEnd end(CompletableFuture<VersionOutcome> future) throws Exception {
    return future.get(WAIT_MS, TimeUnit.MILLISECONDS).end;
  }

  /** Each of them fails, because the test's namespace has no directory of versions. */
  private static void assertFail(List<CompletableFuture<VersionOutcome>> all) throws Exception {
    for (CompletableFuture<VersionOutcome> one : all) {
      assertEquals(VersionEnd.FAILED, end(one));
    }
  }

  /** An engine with a claim that is not given back would make no version in a later term. */
  private void assertGoesOn() throws Exception {
    term.incrementAndGet();
    await(engine::isActive);
  }

  @Test
  void allFilesAdvanceAndEndOnAFewThreads() throws Exception {
    repairs.set("3 groups wait");
    List<CompletableFuture<VersionOutcome>> all = convertMany();
    await(() -> engine.status().running == FILES);
    all.addAll(List.of(convert(INODE + FILES), convert(INODE + FILES + 1)));
    assertEquals(FILES, engine.status().running);
    assertEquals(2, engine.status().queued);
    repairs.set(null);
    assertFail(all);
    assertGoesOn();
    assertTrue(threads.size() <= 8, threads.toString());
  }

  /** Writers wait for commits. */
  @Test
  void commitsAdvanceWhileAllStepsOfConversionsAreBlocked() throws Exception {
    CountDownLatch goOn = new CountDownLatch(1);
    Set<Thread> blocked = ConcurrentHashMap.newKeySet();
    when(namespace.file(anyString(), anyLong(), anyString())).thenAnswer(call -> {
      long inode = call.getArgument(1);
      if (inode < INODE + FILES) {
        blocked.add(Thread.currentThread());
        goOn.await();
      }
      return Optional.of(TestPooledVersionEngine.file(inode));
    });
    List<CompletableFuture<VersionOutcome>> all = convertMany();
    await(() -> blocked.size() == 8);
    for (int i = 0; i < 4; i++) {
      assertEquals(VersionEnd.FAILED, end(commit(INODE + FILES + i)));
    }
    all.forEach(one -> assertFalse(one.isDone()));
    goOn.countDown();
    assertFail(all);
    assertEquals(8, blocked.size());
  }

  @Test
  void anErrorEndsOneFileAndGivesItBack() throws Exception {
    AtomicReference<Throwable> next = new AtomicReference<>();
    AtomicInteger thrown = new AtomicInteger();
    // A version makes its directory when it has claimed its file.
    when(namenode.mkdirs(anyString(), any(), anyBoolean())).thenAnswer(call -> {
      Throwable error = next.getAndSet(null);
      if (error != null) {
        thrown.incrementAndGet();
        throw error;
      }
      return true;
    });
    for (Throwable error : new Throwable[] {new OutOfMemoryError("as the test says"),
        new NoClassDefFoundError("as the test says")}) {
      repairs.set("3 groups wait");
      CompletableFuture<VersionOutcome> other = convert(INODE + 1);
      next.set(error);
      VersionOutcome outcome = commit(INODE).get(WAIT_MS, TimeUnit.MILLISECONDS);
      assertEquals(error.toString(), outcome.sentence);
      repairs.set(null);
      assertEquals(VersionEnd.FAILED, end(other));
      assertEquals(VersionEnd.FAILED, end(commit(INODE)), "nothing owns it any more");
      assertGoesOn();
    }
    assertEquals(2, thrown.get());
  }

  @Test
  void filesThatWaitEndWithTheEngine() throws Exception {
    repairs.set("3 groups wait");
    List<CompletableFuture<VersionOutcome>> all = convertMany();
    all.add(convert(INODE + FILES));
    await(() -> engine.status().running == FILES);
    engine.close();
    for (CompletableFuture<VersionOutcome> one : all) {
      // A file leaves its lane before its outcome is passed on.
      assertEquals(VersionEnd.STOPPED, one.get(WAIT_MS, TimeUnit.MILLISECONDS).end);
    }
    assertEquals(0, engine.status().running);
    assertEquals(0, engine.status().queued);
  }
}
