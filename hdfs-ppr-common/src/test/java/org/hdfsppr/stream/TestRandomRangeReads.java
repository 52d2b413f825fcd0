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
package org.hdfsppr.stream;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.classification.InterfaceAudience;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Readers' ranges of lost units in codes with sub-chunks (Hitchhiker, LESS, Rotated RS), through
 * trees of any shape with narrow links. The ranges lie within a part of a cell, across parts,
 * across cells and at the end of a unit, and some nodes are of an older version. Each byte is the
 * one that the generator of the code gives.
 *
 * <p>{@code -Drange=N} runs the one group of a failure again. {@code -Dseed=N} takes other groups,
 * and {@code -Dranges=N} sets their number.
 */
@InterfaceAudience.Private
class TestRandomRangeReads {
  private static final int GROUPS = 150;
  private static final int AT_A_TIME = 4;
  private static final int PROBLEMS_MOST = 10;

  private final Queue<String> problems = new ConcurrentLinkedQueue<>();
  private final Map<String, AtomicInteger> summary = new ConcurrentSkipListMap<>();

  @Test
  @Timeout(value = 20, unit = TimeUnit.MINUTES)
  void everyRangeOverNarrowLinksIsRight() throws Exception {
    Long one = Long.getLong("range");
    long first = one == null ? Long.getLong("seed", 20261125) : one;
    int groups = one == null ? Integer.getInteger("ranges", GROUPS) : 1;
    System.out.println("ranges of " + groups + " groups from seed " + first);
    ExecutorService sessions = Executors.newCachedThreadPool();
    ExecutorService readers = Executors.newFixedThreadPool(AT_A_TIME);
    AtomicInteger next = new AtomicInteger();
    for (int i = 0; i < AT_A_TIME; i++) {
      readers.execute(() -> {
        for (int n = next.getAndIncrement(); n < groups && problems.size() < PROBLEMS_MOST;
            n = next.getAndIncrement()) {
          run(first + n, sessions);
        }
      });
    }
    readers.shutdown();
    assertTrue(readers.awaitTermination(15, TimeUnit.MINUTES), "readers hang");
    sessions.shutdown();
    summary.forEach((kind, times) -> System.out.println(times + " x " + kind));
    assertTrue(problems.isEmpty(), () -> String.join("\n\n", problems));
    assertTrue(sessions.awaitTermination(30, TimeUnit.SECONDS), "threads did not end");
    for (RandomRangeRead.Kind kind : RandomRangeRead.Kind.values()) {
      for (String how : new String[] {"narrow", "refused"}) {
        assertTrue(groups < GROUPS || summary.containsKey(kind + ", " + how),
            "no read was " + kind + ", " + how);
      }
    }
  }

  private void run(long seed, ExecutorService sessions) {
    try {
      RandomRangeRead reads = new RandomRangeRead(seed, sessions);
      reads.run().forEach(problem ->
          problems.add("-Drange=" + seed + ": " + problem + " in " + reads));
      reads.seen.forEach(kind ->
          summary.computeIfAbsent(kind, none -> new AtomicInteger()).incrementAndGet());
    } catch (InterruptedException | RuntimeException e) {
      problems.add("-Drange=" + seed + ": " + e + " at " + e.getStackTrace()[0]);
    }
  }
}
