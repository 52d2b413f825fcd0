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
package org.hdfsppr.namenode.commit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.hdfsppr.namenode.version.PowerCutDurability;
import org.hdfsppr.namenode.version.RefusalReason;
import org.hdfsppr.namenode.version.VerificationMode;
import org.hdfsppr.namenode.version.VersionBytes;
import org.hdfsppr.namenode.version.VersionEnd;
import org.hdfsppr.namenode.version.VersionEngine;
import org.hdfsppr.namenode.version.VersionOutcome;
import org.hdfsppr.namenode.version.VersionRefusal;
import org.hdfsppr.namenode.version.VersionRequest;
import org.hdfsppr.operate.CommitStatus;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which commits callers may begin, and which are remembered. Here all commits fail. */
@Timeout(120)
class TestCommitJobs {
  private static final UUID FILE = new UUID(1, 2);

  private final AtomicLong nowMs = new AtomicLong(1_000_000);
  private final Semaphore ended = new Semaphore(0);
  /** What the engine answers to requests; null while the NameNode does not answer at all. */
  private volatile VersionOutcome outcome;
  private final CommitRunner commits = new CommitRunner(
      new UpdateCollector(null, null, null, null, nowMs::get), null, engine(),
      CommitSettings.of(new Configuration(false)), null, nowMs::get, status -> ended.release());

  private VersionEngine engine() {
    return (VersionEngine) Proxy.newProxyInstance(VersionEngine.class.getClassLoader(),
        new Class<?>[] {VersionEngine.class}, (proxy, method, arguments) -> {
          if (outcome == null || !method.getName().equals("submit")) {
            throw new IOException("the NameNode does not answer");
          }
          return Optional.of(CompletableFuture.completedFuture(outcome));
        });
  }

  @AfterEach
  void close() {
    commits.close();
  }

  private void awaitEnd() throws InterruptedException {
    assertTrue(ended.tryAcquire(60, TimeUnit.SECONDS), "no commit ends");
  }

  @Test
  void aWriterThatWaitsForRoomBeginsNoCommitAfterTheOther() throws Exception {
    String first = commits.beginForRoom("/f", FILE).id;
    awaitEnd();
    CommitStatus again = commits.beginForRoom("/f", FILE);
    assertEquals(first, again.id);
    assertEquals(CommitStatus.State.FAILED, again.state);
    assertNotEquals(first, commits.beginForRoom("/g", new UUID(3, 4)).id);
    awaitEnd();
    nowMs.addAndGet(CommitJob.FAILED_REST_MS + 1);
    String second = commits.beginForRoom("/f", FILE).id;
    assertNotEquals(first, second);
    awaitEnd();
    assertNotEquals(second, commits.begin("/f", FILE).id, "a user may try at once");
    awaitEnd();
  }

  @Test
  void aCommitThatMadeRoomIsSoonFollowedByTheNext() {
    for (CommitStatus.State how : CommitStatus.State.values()) {
      CommitJob job = new CommitJob("1", "/f", FILE);
      job.begin();
      assertFalse(job.makesWayForAnother(Long.MAX_VALUE));
      if (how.isEnd()) {
        long restMs = how == CommitStatus.State.PUBLISHED ? 1_000 : 10_000;
        job.end(how, "", 500);
        assertFalse(job.makesWayForAnother(500 + restMs), how.toString());
        assertTrue(job.makesWayForAnother(501 + restMs), how.toString());
      }
    }
  }

  /** The NameNode may have published the version, although the request has failed. */
  @Test
  void logsKeepUpdatesForAsLongAsAVersionThatMayBePublishedNeeds() throws Exception {
    VersionRequest request = VersionRequest.of("commits", "/f", 17).user("alice")
        .policy("RS-6-3").check(VerificationMode.SAMPLED).build();
    for (VersionEnd end : VersionEnd.values()) {
      UUID file = new UUID(5, end.ordinal());
      CommitJob job = new CommitJob("1", "/f", file);
      if (end == VersionEnd.PUBLISHED) {
        outcome = VersionOutcome.published(VersionBytes.NONE);
        commits.publish(job, request);
        assertEquals(0, commits.trimWaitMs(file));
      } else {
        outcome = end == VersionEnd.REFUSED
            ? VersionOutcome.refused(new VersionRefusal(RefusalReason.NO_NODES, "no nodes"))
            : VersionOutcome.notPublished(end, "it has failed", VersionBytes.NONE);
        assertThrows(IOException.class, () -> commits.publish(job, request), end.toString());
        assertEquals(0, commits.trimWaitMs(file), end.toString());
        outcome = outcome.durableIn(PowerCutDurability.UNSAID_MS);
        assertThrows(IOException.class, () -> commits.publish(job, request), end.toString());
        assertEquals(PowerCutDurability.UNSAID_MS, commits.trimWaitMs(file), end.toString());
      }
    }
  }

  /**
   * This NameNode was active before, and another one meanwhile, which may have published a version
   * that a power cut might lose.
   */
  @Test
  void aTrimThatAnEarlierTermHasScheduledWaitsUntilThisTermIsOldEnough() throws Exception {
    CommitRunner.Trimmer trimmer = mock(CommitRunner.Trimmer.class);
    when(trimmer.trim(any(), any())).thenReturn(Optional.empty());
    VersionEngine engine = mock(VersionEngine.class);
    try (CommitRunner later = new CommitRunner(
        new UpdateCollector(null, null, null, null, nowMs::get), trimmer, engine,
        CommitSettings.of(new Configuration(false)), null, nowMs::get, status -> { })) {
      later.wantTrim("/f", FILE);
      nowMs.addAndGet(PowerCutDurability.UNSAID_MS);
      when(engine.isActive()).thenReturn(true);
      when(engine.activeMs()).thenReturn(35_000L);
      later.trim("/f", FILE, 1);
      verify(trimmer, never()).trim(any(), any());
      when(engine.activeMs()).thenReturn(PowerCutDurability.UNSAID_MS);
      later.trim("/f", FILE, 1);
      verify(trimmer).trim("/f", FILE);
    }
  }

  /** A standby trims nothing, and does not try for ever. */
  @Test
  void aNameNodeThatIsNotActiveGivesTrimsUp() throws Exception {
    CommitRunner.Trimmer trimmer = mock(CommitRunner.Trimmer.class);
    VersionEngine engine = mock(VersionEngine.class);
    try (CommitRunner standby = new CommitRunner(
        new UpdateCollector(null, null, null, null, nowMs::get), trimmer, engine,
        CommitSettings.of(new Configuration(false)), null, nowMs::get, status -> { })) {
      standby.wantTrim("/f", FILE);
      assertEquals(1, standby.trims());
      standby.trim("/f", FILE, CommitRunner.TRIM_TRIES_MAX);
      assertEquals(0, standby.trims());
      verify(trimmer, never()).trim(any(), any());
    }
  }

  @Test
  void commitsThatHaveEndedTakeBoundedMemory() throws Exception {
    for (int i = 0; i < CommitRunner.KEPT_MAX + 100; i++) {
      commits.begin("/f", FILE);
      awaitEnd();
    }
    assertTrue(commits.known() <= CommitRunner.KEPT_MAX, commits.known() + " are known");
  }
}
