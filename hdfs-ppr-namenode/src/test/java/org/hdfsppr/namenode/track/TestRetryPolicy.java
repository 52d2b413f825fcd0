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
package org.hdfsppr.namenode.track;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Set;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.plan.GroupId;
import org.junit.jupiter.api.Test;

/** Tests what follows failures. The test sets the clock. */
@InterfaceAudience.Private
class TestRetryPolicy {
  private static final GroupId GROUP = group(1);

  private long now = 1_000_000;
  private final GroupBook book = new GroupBook();
  private final RetryPolicy policy = new RetryPolicy(book, () -> now);

  private static GroupId group(long number) {
    return new GroupId("BP-1", -16 * number, 1001);
  }

  @Test
  void pausesDoubleUpToABound() {
    assertTrue(policy.notBeforeMs(GROUP) <= now);
    long pause = 0;
    for (int failure = 1; failure <= 40; failure++) {
      policy.failed(GROUP, null, true);
      long next = policy.notBeforeMs(GROUP) - now;
      assertTrue(next >= pause && next <= RetryPolicy.BACKOFF_MS_MAX, next + " ms");
      pause = next;
    }
    assertEquals(RetryPolicy.BACKOFF_MS_MAX, pause);
    policy.forget(GROUP);
    assertTrue(policy.notBeforeMs(GROUP) <= now);
  }

  @Test
  void whatReturnsAgainAndAgainPauses() {
    policy.failed(GROUP, "a", true);
    policy.returned(GROUP);
    assertTrue(policy.notBeforeMs(GROUP) <= now, "after a first return there is no pause");
    assertFalse(policy.hasFailed(GROUP));
    assertEquals(Set.of(), policy.without(GROUP));
    long pause = 0;
    for (int i = 0; i < 40; i++) {
      policy.returned(GROUP);
      long next = policy.notBeforeMs(GROUP) - now;
      assertTrue(next >= Math.min(2 * pause, RetryPolicy.BACKOFF_MS_MAX)
          && next >= RetryPolicy.BACKOFF_MS && next <= RetryPolicy.BACKOFF_MS_MAX, next + " ms");
      pause = next;
      now += next;
    }
    assertEquals(RetryPolicy.BACKOFF_MS_MAX, pause);
    now += RetryPolicy.WITHIN_MS + 1;
    policy.returned(GROUP);
    assertTrue(policy.notBeforeMs(GROUP) <= now, "the last return was long ago");
    policy.returned(GROUP);
    policy.forget(GROUP);
    assertTrue(policy.notBeforeMs(GROUP) <= now);
  }

  @Test
  void thoseThatFailedAreLeftOutForTheirGroup() {
    policy.failed(GROUP, "a", true);
    policy.failed(GROUP, "b", true);
    assertEquals(Set.of("a", "b"), policy.without(GROUP));
    assertEquals(Set.of(), policy.without(group(2)));
    assertFalse(policy.isQuarantined("a"), "one failure is not enough");
    policy.forgive(GROUP);
    assertEquals(Set.of(), policy.without(GROUP));
    policy.failed(GROUP, "a", true);
    now += RetryPolicy.WITHOUT_MS;
    assertEquals(Set.of(), policy.without(GROUP), "the node may have recovered");
  }

  @Test
  void whatSaysNothingAboutANodeDoesNotKeepItOut() {
    for (int i = 1; i <= 10; i++) {
      policy.failed(group(i), "a", false);
      assertEquals(Set.of("a"), policy.without(group(i)));
    }
    assertFalse(policy.isQuarantined("a"));
  }

  @Test
  void whoFailsAgainAndAgainIsKeptOutForAWhile() {
    for (int i = 1; i <= RetryPolicy.QUARANTINE_AFTER; i++) {
      assertFalse(policy.isQuarantined("a"));
      policy.failed(group(i), "a", true);
    }
    assertTrue(policy.isQuarantined("a"));
    assertEquals(Set.of("a"), policy.quarantined());
    now += RetryPolicy.QUARANTINE_MS;
    assertFalse(policy.isQuarantined("a"));
    assertEquals(Set.of(), policy.quarantined());
  }

  @Test
  void failuresLongAgoDoNotCount() {
    for (int i = 1; i <= 20; i++) {
      policy.failed(group(i), "a", true);
      now += RetryPolicy.WITHIN_MS / 2 + 1;
    }
    assertFalse(policy.isQuarantined("a"));
    policy.tidy();
  }

  @Test
  void afterManyFailuresSomebodyElseShouldTry() {
    for (int failure = 0; failure < RetryPolicy.ATTEMPTS_MAX; failure++) {
      assertFalse(policy.isHopeless(GROUP));
      policy.failed(GROUP, null, true);
    }
    assertTrue(policy.isHopeless(GROUP));
    policy.forget(GROUP);
    assertFalse(policy.isHopeless(GROUP));
  }

  @Test
  void nodesThatAreUnfitAreNoReasonToGiveUp() {
    long pause = 0;
    for (int unfit = 0; unfit < 3 * RetryPolicy.ATTEMPTS_MAX; unfit++) {
      policy.unfit(GROUP, "u" + unfit);
      assertFalse(policy.isHopeless(GROUP));
      assertEquals(unfit + 1, policy.without(GROUP).size());
      long next = policy.notBeforeMs(GROUP) - now;
      assertTrue(next > 0 && next >= pause && next <= RetryPolicy.BACKOFF_MS_MAX, next + " ms");
      pause = next;
    }
    assertEquals(0, policy.failures(GROUP));
    assertTrue(policy.quarantined().isEmpty());
  }

  @Test
  void theMemoryIsBounded() {
    for (int i = 1; i <= GroupBook.HISTORIES_MAX + 10; i++) {
      policy.failed(group(i), null, true);
    }
    assertTrue(policy.notBeforeMs(group(1)) <= now, "the oldest failure is forgotten");
    assertTrue(policy.notBeforeMs(group(GroupBook.HISTORIES_MAX + 10)) > now);
  }
}
