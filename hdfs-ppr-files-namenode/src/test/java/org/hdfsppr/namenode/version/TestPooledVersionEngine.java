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
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyBoolean;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.ArgumentMatchers.anyString;
import static org.mockito.ArgumentMatchers.eq;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.DirectoryListing;
import org.apache.hadoop.hdfs.protocol.FSLimitException;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.security.UserGroupInformation;
import org.hdfsppr.coder.code.Codes;
import org.hdfsppr.namenode.model.GroupPolicy;
import org.hdfsppr.namenode.orders.OrderBook;
import org.hdfsppr.namenode.schedule.LinkLoads;
import org.hdfsppr.namenode.track.MadeGroups;
import org.hdfsppr.namenode.version.VersionUpkeep.JanitorPace;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.service.Services;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An engine at a NameNode that fails in ways that nothing expects. */
class TestPooledVersionEngine {
  private static final long INODE = 17;
  private static final long WAIT_MS = 60_000;
  static final PolicyFacts RS =
      new PolicyFacts("RS", new GroupPolicy("rs", 6, 3, 1 << 20), true);
  static final PolicyFacts XOR =
      new PolicyFacts("XOR", new GroupPolicy("hitchhiker-xor", 6, 3, 1 << 20), true);

  private final AtomicLong term = new AtomicLong(1);
  private final ClientProtocol namenode = mock(ClientProtocol.class);
  private final LinkLoads links = new LinkLoads();
  private final VersionNamespace namespace = mock(VersionNamespace.class);
  private final VersionGate gate = mock(VersionGate.class);
  private final AtomicReference<String> repairs = new AtomicReference<>();
  private final AtomicReference<String> charge = new AtomicReference<>();
  private final FakeDoor door = new FakeDoor(12);
  private static final ParityPlace NO_PLACE = (form, holder) -> {
    throw new IOException("no parity file is created here");
  };
  /** What a test adds to the time. */
  private final AtomicLong skippedMs = new AtomicLong();
  private final CountDownLatch goOn = new CountDownLatch(1);
  private final Services services = new Services(System::nanoTime);
  private PooledVersionEngine works;

  static TargetFile file(long inode) {
    return file(inode, 0);
  }

  private static TargetFile file(long inode, int lost) {
    FileGroup group = new FileGroup(new GroupId("BP-1", -16 * inode, 1), 6 << 20, lost);
    return new TargetFile(FileFacts.of("/f" + inode, FileFacts.Kind.FILE, inode).with(f -> {
      f.groups = List.of(group);
      f.policy = RS;
      f.spaceLeftBytes = Long.MAX_VALUE;
      f.namesLeft = Long.MAX_VALUE;
    }).build(), 16, "f" + inode, FsPermission.getFileDefault(),
        1 << 27, null);
  }

  @BeforeEach
  void begin() throws Exception {
    Configuration conf = new Configuration(false);
    when(gate.isActive()).thenReturn(true);
    when(gate.term()).thenAnswer(call -> term.get());
    when(gate.links()).thenReturn(links);
    when(gate.whyNot()).thenAnswer(call -> Optional.ofNullable(repairs.get()));
    when(gate.whyNoCommit()).thenAnswer(call -> Optional.ofNullable(charge.get()));
    // The NameNode is active, since it has looked for the path.
    doThrow(new FileNotFoundException("as the test says")).when(namenode)
        .setTimes(anyString(), anyLong(), anyLong());
    when(namespace.policy("XOR")).thenReturn(Optional.of(XOR));
    when(namespace.policy("RS")).thenReturn(Optional.of(RS));
    works = new PooledVersionEngine(new EngineParts(
            new EngineParts.Files(namespace, VersionStores.of(() -> namenode)),
            new EngineParts.DataNodes(door, new OrderBook()),
            new EngineParts.Manager(gate, new MadeGroups()),
            new CodePathCache(policy ->
                Codes.forCodec(conf, policy.codec, policy.dataUnits, policy.parityUnits)),
            new VersionSettings(1, 0, 1L << 40), VersionHook.NONE,
            new EngineParts.Clocks(() -> System.currentTimeMillis() + skippedMs.get(),
                () -> System.currentTimeMillis() + skippedMs.get())), "run");
    works.start(services);
    await(works::isActive);
  }

  @AfterEach
  void end() {
    goOn.countDown();
    works.close();
  }

  private static void await(BooleanSupplier condition) throws InterruptedException {
    long begin = System.nanoTime();
    while (!condition.getAsBoolean()) {
      assertTrue(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin) < WAIT_MS);
      Thread.sleep(10);
    }
  }

  /** An engine with a version that never ends would make none in a later term. */
  private void assertGoesOn() throws Exception {
    term.set(2);
    await(works::isActive);
  }

  @Test
  void theEngineSaysForHowLongItsTermLasts() throws Exception {
    skippedMs.addAndGet(50_000);
    assertTrue(works.activeMs() >= 50_000, works.activeMs() + " ms");
    term.set(2);
    await(works::isActive);
    assertTrue(works.activeMs() < 50_000, works.activeMs() + " ms");
    when(gate.isActive()).thenReturn(false);
    assertEquals(0, works.activeMs());
  }

  @Test
  void aVersionWhoseFileCannotBeLookedUpEnds() throws Exception {
    when(namespace.file(anyString(), anyLong(), anyString())).thenReturn(Optional.of(file(INODE)))
        .thenThrow(new IllegalStateException("as the test says"));
    // The directory of versions is not there after it was made, so that the version fails.
    CompletableFuture<VersionOutcome> future = works.submit(VersionRequest.of("j1", "/f17", INODE)
        .user("alice").policy("XOR").build()).orElseThrow();
    assertEquals(VersionEnd.FAILED, future.get(WAIT_MS, TimeUnit.MILLISECONDS).end);
    assertGoesOn();
  }

  @Test
  void aParityFileEndsAlsoByAnError() throws Exception {
    when(namenode.getLocatedFileInfo(anyString(), anyBoolean()))
        .thenThrow(new StackOverflowError("as the test says"));
    CompletableFuture<ParityOutcome> future = works.submit(new ParityRequest("j1", NO_PLACE, RS,
        List.of(file(INODE), file(INODE + 1)))).orElseThrow();
    assertFalse(future.get(WAIT_MS, TimeUnit.MILLISECONDS).isMade());
    assertGoesOn();
  }

  /** What has failed may have been the step after the swap. */
  @Test
  void aVersionThatEndsByAnErrorMayBePublished() throws Exception {
    for (Throwable error : new Throwable[] {new OutOfMemoryError("as the test says"),
        new NoClassDefFoundError("as the test says")}) {
      doThrow(error).when(namespace).file(anyString(), anyLong(), anyString());
      VersionOutcome outcome = commit(INODE);
      assertEquals(VersionEnd.FAILED, outcome.end, outcome.toString());
      assertEquals(PowerCutDurability.UNSAID_MS, outcome.durableInMs, error.toString());
    }
    assertGoesOn();
  }

  /** The file is another one because the first try has published its version, perhaps. */
  @Test
  void whatAnEarlierTryMayHavePublishedIsDurableLater() throws Exception {
    AtomicLong looks = new AtomicLong();
    // The first try looks when it begins, and when it has failed.
    when(namespace.file(anyString(), anyLong(), anyString())).thenAnswer(call ->
        looks.incrementAndGet() <= 2 ? Optional.of(file(INODE)) : Optional.empty());
    when(namespace.facts(anyString(), anyString())).thenReturn(file(INODE + 1).facts);
    VersionOutcome outcome = commit(INODE);
    assertEquals(VersionEnd.CHANGED, outcome.end, outcome.toString());
    assertEquals(3, looks.get());
    assertEquals(PowerCutDurability.UNSAID_MS, outcome.durableInMs);
    assertGoesOn();
  }

  private void findFiles() throws Exception {
    when(namespace.file(anyString(), anyLong(), anyString())).thenAnswer(call ->
        Optional.of(file(call.getArgument(1))));
  }

  private CompletableFuture<VersionOutcome> convert(long inode) {
    return works.submit(VersionRequest.of("j1", "/f" + inode, inode).user("alice").policy("XOR")
        .build()).orElse(null);
  }

  /** Commits a file. This fails, because the test's namespace has no directory of versions. */
  private VersionOutcome commit(long inode) throws Exception {
    CompletableFuture<VersionOutcome> commit = works.submit(
        VersionRequest.of("commits", "/f" + inode, inode).user("alice").policy("RS")
            .commit(new CommitPlan("user.tag", new byte[0], made -> new byte[0], List.of(), "cau",
                Map.of())).build()).orElseThrow();
    return commit.get(WAIT_MS, TimeUnit.MILLISECONDS);
  }

  /** Writers wait for commits, also for those of files that are to be converted after repairs. */
  @Test
  void repairsHoldConversionsAndNoCommit() throws Exception {
    findFiles();
    repairs.set("3 groups wait");
    List<CompletableFuture<VersionOutcome>> conversions =
        List.of(convert(INODE), convert(INODE + 1));
    assertNull(convert(INODE + 2), "a third place");
    for (long inode : new long[] {INODE + 3, INODE, INODE + 1}) {
      VersionOutcome outcome = commit(inode);
      assertEquals(VersionEnd.FAILED, outcome.end, outcome.toString());
    }
    conversions.forEach(conversion -> assertFalse(conversion.isDone()));
    repairs.set(null);
    for (CompletableFuture<VersionOutcome> conversion : conversions) {
      assertEquals(VersionEnd.FAILED, conversion.get(WAIT_MS, TimeUnit.MILLISECONDS).end);
    }
    assertGoesOn();
  }

  /** The units of each file lie at DataNodes u0 to u8. */
  private void locateUnits() {
    when(gate.nodes(any())).thenReturn(IntStream.range(0, 9).mapToObj(i -> "u" + i)
        .collect(Collectors.toSet()));
  }

  private void repairAt(String node) {
    links.repairsAt(List.of(node), System.currentTimeMillis() + skippedMs.get());
  }

  @Test
  void repairsAtTheNodesOfAFileHoldItsConversionAndNoCommit() throws Exception {
    findFiles();
    locateUnits();
    repairAt("u8");
    CompletableFuture<VersionOutcome> conversion = convert(INODE);
    CompletableFuture<ParityOutcome> parity = works.submit(new ParityRequest("j1", NO_PLACE, RS,
        List.of(file(INODE + 1), file(INODE + 2)))).orElseThrow();
    await(() -> works.status().waits.equals("repairs go first at 1 DataNode"));
    assertEquals(VersionEnd.FAILED, commit(INODE).end);
    assertEquals(VersionEnd.FAILED, commit(INODE + 1).end);
    assertFalse(conversion.isDone() || parity.isDone());
    skippedMs.addAndGet(LinkLoads.QUIET_MS);
    assertEquals(VersionEnd.FAILED, conversion.get(WAIT_MS, TimeUnit.MILLISECONDS).end);
    assertFalse(parity.get(WAIT_MS, TimeUnit.MILLISECONDS).isMade());
    skippedMs.addAndGet(LinkLoads.QUIET_MS);
    assertEquals("", works.status().waits);
    assertGoesOn();
  }

  @Test
  void aFileWithLostUnitsWaitsForTheirRepairForSomeTime() throws Exception {
    locateUnits();
    AtomicInteger lost = new AtomicInteger(1);
    when(namespace.file(anyString(), anyLong(), anyString())).thenAnswer(call ->
        Optional.of(file(call.getArgument(1), lost.get())));
    repairAt("u20");
    CompletableFuture<VersionOutcome> repaired = convert(INODE);
    assertThrows(TimeoutException.class, () -> repaired.get(1, TimeUnit.SECONDS));
    lost.set(0);
    assertEquals(VersionEnd.FAILED, repaired.get(WAIT_MS, TimeUnit.MILLISECONDS).end);
    lost.set(1);
    CompletableFuture<VersionOutcome> late = convert(INODE + 2);
    assertThrows(TimeoutException.class, () -> late.get(1, TimeUnit.SECONDS));
    skippedMs.addAndGet(MakingGuard.DEGRADED_MS_MAX);
    repairAt("u20");
    assertEquals(VersionEnd.FAILED, late.get(WAIT_MS, TimeUnit.MILLISECONDS).end,
        "no repair of it comes");
    assertGoesOn();
  }

  @Test
  void repairsElsewhereHoldNoConversion() throws Exception {
    findFiles();
    locateUnits();
    repairAt("u9");
    assertEquals(VersionEnd.FAILED,
        convert(INODE).get(LinkLoads.QUIET_MS / 2, TimeUnit.MILLISECONDS).end);
    assertGoesOn();
  }

  @Test
  void aParityFileThatWaitsForRepairsHoldsNoCommit() throws Exception {
    findFiles();
    repairs.set("3 groups wait");
    CompletableFuture<ParityOutcome> parity = works.submit(new ParityRequest("j1", NO_PLACE, RS,
        List.of(file(INODE), file(INODE + 1)))).orElseThrow();
    VersionOutcome outcome = commit(INODE);
    assertEquals(VersionEnd.FAILED, outcome.end, outcome.toString());
    assertFalse(parity.isDone());
    repairs.set(null);
    assertFalse(parity.get(WAIT_MS, TimeUnit.MILLISECONDS).isMade());
    assertGoesOn();
  }

  @Test
  void whatWaitsForRepairsIsCancelled() throws Exception {
    findFiles();
    repairs.set("3 groups wait");
    CompletableFuture<VersionOutcome> conversion = convert(INODE);
    works.cancel("another job");
    works.cancel("j1");
    assertEquals(VersionEnd.CANCELLED, conversion.get(WAIT_MS, TimeUnit.MILLISECONDS).end);
  }

  /** What waits in one term must not begin in the next one. */
  @Test
  void whatWaitsForRepairsEndsWithItsTerm() throws Exception {
    findFiles();
    repairs.set("3 groups wait");
    CompletableFuture<VersionOutcome> conversion = convert(INODE);
    assertGoesOn();
    assertEquals(VersionEnd.STOPPED, conversion.get(WAIT_MS, TimeUnit.MILLISECONDS).end);
  }

  @Test
  void withoutTheChargeOfRepairsCommitsAreRefused() throws Exception {
    findFiles();
    charge.set("it listens");
    VersionOutcome outcome = commit(INODE);
    assertEquals(RefusalReason.NOT_IN_CHARGE, outcome.reason, outcome.toString());
    assertEquals("it listens", outcome.sentence);
    assertEquals(Optional.of("it listens"), works.whyNoCommit());
  }

  /** Has the file of a version wait for its first group until it is cancelled. */
  private CompletableFuture<VersionOutcome> beginAndWait() throws Exception {
    findFiles();
    repairs.set(null);
    CountDownLatch isThere = new CountDownLatch(1);
    when(namenode.getFileInfo(anyString())).thenAnswer(call -> {
      isThere.countDown();
      goOn.await();
      throw new IOException("as the test says");
    });
    CompletableFuture<VersionOutcome> conversion = convert(INODE);
    assertTrue(isThere.await(WAIT_MS, TimeUnit.MILLISECONDS));
    return conversion;
  }

  /** Without its lease, the file could not be finished. */
  @Test
  void leasesAreRenewedWhileAVersionEndsThatIsOfAnEarlierTerm() throws Exception {
    CompletableFuture<VersionOutcome> conversion = beginAndWait();
    term.set(2);
    await(() -> !works.isActive());
    for (int i = 0; i < 3; i++) {
      assertRenews();
    }
    assertFalse(conversion.isDone());
    goOn.countDown();
    VersionOutcome outcome = conversion.get(WAIT_MS, TimeUnit.MILLISECONDS);
    assertEquals(VersionEnd.STOPPED, outcome.end);
    assertEquals(PowerCutDurability.UNSAID_MS, outcome.durableInMs, "it may be published");
  }

  private void assertRenews() throws Exception {
    AtomicBoolean isRenewed = new AtomicBoolean();
    doAnswer(call -> {
      isRenewed.set(true);
      return null;
    }).when(namespace).renewLease(anyString());
    skippedMs.addAndGet(15_000);
    await(isRenewed::get);
  }

  /** An OutOfMemoryError in a look would end the janitor, and renewals of leases, for good. */
  @Test
  void aFailedLookEndsNeitherTheThreadNorTheWorkOfTheTerm() throws Exception {
    CompletableFuture<VersionOutcome> conversion = beginAndWait();
    for (Throwable failure : new Throwable[] {new IOException("as the test says"),
        new OutOfMemoryError("as the test says"), new StackOverflowError("as the test says")}) {
      AtomicBoolean hasFailed = new AtomicBoolean();
      doAnswer(call -> {
        hasFailed.set(true);
        throw failure;
      }).when(namenode).getListing(anyString(), any(), anyBoolean());
      skippedMs.addAndGet(JanitorPace.ALL_MS);
      await(hasFailed::get);
      assertTrue(works.isActive(), failure.toString());
      assertRenews();
    }
    goOn.countDown();
    assertEquals(VersionEnd.FAILED, conversion.get(WAIT_MS, TimeUnit.MILLISECONDS).end);
  }

  /** A look at very many directories takes longer than a lease lasts. */
  @Test
  void leasesAreRenewedDuringALookOfTheJanitor() throws Exception {
    CompletableFuture<VersionOutcome> conversion = beginAndWait();
    AtomicLong renewals = new AtomicLong();
    doAnswer(call -> renewals.incrementAndGet()).when(namespace).renewLease(anyString());
    AtomicLong pages = new AtomicLong();
    when(namenode.getListing(eq(VersionHome.FLAT.root), any(), anyBoolean())).thenAnswer(call -> {
      skippedMs.addAndGet(15_000);
      return new DirectoryListing(new HdfsFileStatus[] {new HdfsFileStatus.Builder()
          .path(Long.toString(1_000 + pages.get()).getBytes()).build()},
          pages.incrementAndGet() < 10 ? 1 : 0);
    });
    skippedMs.addAndGet(JanitorPace.ALL_MS);
    await(() -> pages.get() == 10);
    assertTrue(renewals.get() >= 9, renewals.toString());
    goOn.countDown();
    conversion.get(WAIT_MS, TimeUnit.MILLISECONDS);
  }

  /** A job waits, and asks again; its files do not count as failed. */
  @Test
  void whatFindsNoRoomForItsDirectoryIsTriedAgainLater() throws Exception {
    findFiles();
    HdfsFileStatus own = new HdfsFileStatus.Builder().isdir(true)
        .perm(new FsPermission((short) 0700))
        .owner(UserGroupInformation.getLoginUser().getShortUserName()).build();
    when(namenode.getFileInfo(VersionNamespace.ROOT)).thenReturn(own);
    for (VersionHome home : VersionHome.values()) {
      when(namenode.getFileInfo(home.root)).thenReturn(own);
    }
    String directory = VersionHome.CONVERSIONS.directory(INODE);
    when(namenode.mkdirs(eq(directory), any(), anyBoolean())).thenThrow(
        new FSLimitException.MaxDirectoryItemsExceededException("x", 5, 5));
    VersionOutcome outcome = convert(INODE).get(WAIT_MS, TimeUnit.MILLISECONDS);
    assertEquals(RefusalReason.FULL, outcome.reason, outcome.toString());
    assertNull(convert(INODE + 1), "no room");
    // A commit has room.
    assertEquals(VersionEnd.FAILED, commit(INODE + 2).end);
    skippedMs.addAndGet(VersionRoom.FULL_MS);
    assertEquals(VersionEnd.FAILED,
        convert(INODE + 3).get(WAIT_MS, TimeUnit.MILLISECONDS).end);
  }
}
