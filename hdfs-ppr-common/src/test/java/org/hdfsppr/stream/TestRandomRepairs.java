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
import static org.junit.jupiter.api.Assertions.fail;

import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.classification.InterfaceAudience;
import org.junit.jupiter.api.Test;

/**
 * Thousands of random repairs, about half of them with something that goes wrong. Each gives the
 * bytes that Hadoop's own encoder wrote, or an error that names the node to blame; and nothing is
 * left behind: no thread, no buffer, no connection, no open unit, no half-written one.
 *
 * <p>{@code -Drepair=N} runs the one repair of a failure again. {@code -Dseed=N} takes other
 * repairs, and {@code -Drepairs=N} sets their number.
 */
@InterfaceAudience.Private
class TestRandomRepairs {
  private static final int REPAIRS = 3_000;
  /**
   * How many repairs run in codes with sub-chunks. About two thirds have narrow links, and with
   * {@code -Drepairs=16000} more than 10,000 do.
   */
  private static final int NARROW_REPAIRS = 1_500;
  private static final String NARROW = ", narrow links";
  /** Some wait for timeouts, so more than there are cores. */
  private static final int AT_A_TIME = 6;
  private static final long HANGS_MS = 60_000;
  private static final int PROBLEMS_MOST = 10;

  /** A repair and since when it runs. */
  private static final class Running {
    private final long seed;
    private final long since = System.nanoTime();

    Running(long seed) {
      this.seed = seed;
    }
  }

  private final Map<Thread, Running> running = new ConcurrentHashMap<>();
  private final Queue<String> problems = new ConcurrentLinkedQueue<>();
  private final Map<String, AtomicInteger> summary = new ConcurrentSkipListMap<>();

  @Test
  void everyRepairIsRightOrAnError() throws Exception {
    int repairs = runAll(false);
    if (repairs >= REPAIRS) {
      Set<Fault.Kind> drawn = EnumSet.complementOf(
          EnumSet.of(Fault.Kind.SLOW, Fault.Kind.SLOW_DISK, Fault.Kind.THROTTLED));
      for (Fault.Kind kind : drawn) {
        assertTrue(summary.keySet().stream().anyMatch(text -> text.startsWith(kind + ":")),
            () -> "no repair had a " + kind);
      }
    }
  }

  /**
   * As the other test, in codes with sub-chunks, over trees of any shape, with nodes of an older
   * version among the others. {@code -Dnarrow=N} runs the one repair of a failure again.
   */
  @Test
  void everyRepairOverNarrowLinksIsRightOrAnError() throws Exception {
    int repairs = runAll(true);
    if (Long.getLong("narrow") == null) {
      int narrow = summary.entrySet().stream().filter(kind -> kind.getKey().endsWith(NARROW))
          .mapToInt(kind -> kind.getValue().get()).sum();
      assertTrue(narrow >= repairs / 2, () -> "only " + narrow + " narrow trees");
    }
  }

  /** Returns the number of repairs that ran. */
  private int runAll(boolean narrow) throws Exception {
    Long one = Long.getLong(narrow ? "narrow" : "repair");
    long first = one == null ? Long.getLong("seed", 20261123) : one;
    int repairs = one != null ? 1
        : Integer.getInteger("repairs", narrow ? NARROW_REPAIRS : REPAIRS);
    System.out.println(repairs + " repairs from seed " + first);
    ExecutorService sessions = Executors.newCachedThreadPool();
    ExecutorService destinations = Executors.newFixedThreadPool(AT_A_TIME);
    AtomicInteger next = new AtomicInteger();
    List<Future<?>> leads = new ArrayList<>();
    for (int i = 0; i < AT_A_TIME; i++) {
      leads.add(destinations.submit(() -> {
        for (int n = next.getAndIncrement(); n < repairs && problems.size() < PROBLEMS_MOST;
            n = next.getAndIncrement()) {
          run(first + n, narrow, sessions);
        }
      }));
    }
    destinations.shutdown();
    while (!destinations.awaitTermination(100, TimeUnit.MILLISECONDS)) {
      findHanging();
    }
    sessions.shutdown();
    for (Future<?> lead : leads) {
      lead.get();
    }
    summary.forEach((kind, times) -> System.out.println(times + " x " + kind));
    assertTrue(problems.isEmpty(), () -> String.join("\n\n", problems));
    assertTrue(sessions.awaitTermination(30, TimeUnit.SECONDS), "threads did not end");
    return repairs;
  }

  private void run(long seed, boolean narrow, ExecutorService sessions) {
    running.put(Thread.currentThread(), new Running(seed));
    String property = narrow ? "-Dnarrow=" : "-Drepair=";
    try {
      RandomRepair repair = new RandomRepair(seed, (seed & 1) == 0, sessions, narrow);
      List<String> found = repair.run();
      summary.computeIfAbsent(repair.summary(), kind -> new AtomicInteger()).incrementAndGet();
      if (!found.isEmpty()) {
        problems.add(property + seed + ": " + String.join("; ", found) + " in " + repair);
      }
    } catch (IOException | InterruptedException | RuntimeException e) {
      problems.add(property + seed + ": " + e + " at " + e.getStackTrace()[0]);
    } finally {
      running.remove(Thread.currentThread());
    }
  }

  private void findHanging() {
    for (Running repair : running.values()) {
      if (System.nanoTime() - repair.since > TimeUnit.MILLISECONDS.toNanos(HANGS_MS)) {
        List<String> stacks = new ArrayList<>();
        Thread.getAllStackTraces().forEach((thread, stack) -> {
          if (stack.length > 0) {
            stacks.add(thread + " " + List.of(stack));
          }
        });
        fail("-Drepair=" + repair.seed + " hangs:\n" + String.join("\n", stacks));
      }
    }
  }
}
