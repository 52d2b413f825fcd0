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
package org.hdfsppr.it.codes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.util.ECPolicyLoader;
import org.hdfsppr.coder.cost.LossTolerance;
import org.hdfsppr.coder.cost.RepairCost;
import org.hdfsppr.it.cluster.PluginCounters;
import org.hdfsppr.it.util.Await;
import org.hdfsppr.it.util.EcCode;
import org.hdfsppr.it.util.ItPaths;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every code of {@code conf/ec-policies.xml}, with the smallest cells that a policy of it has, on a
 * cluster of real processes: a stock client
 * writes, units are lost, the plugin rebuilds them. Each rebuilt replica equals the lost one, data
 * and checksums, each file reads as it was written, and the repair of a single lost unit reads no
 * more than {@code hdfs ppr -codes} states.
 *
 * <p>{@code -Dcodes.seed=N} chooses other lengths and patterns, {@code -Dcodes.only=LABEL,...} the
 * codes, {@code -Dcodes.sample=N} the number of patterns. {@code -Dcodes.verify=full} has repairs
 * check all slices. Repairs then read more, and the test does not compare how much.
 */
@Tag("process")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class TestOwnCodecsOnProcesses {
  private static final long SEED = Long.getLong("codes.seed", 20261120L);
  private static final String VERIFY = System.getProperty("codes.verify", "off");
  private static final String ONLY = System.getProperty("codes.only", "");

  /** The number of stripes of a file whose units all have the same length. */
  private static final int STRIPES = 2;
  /**
   * A code with no more units than this is small. For a small code, every pair of units is lost
   * once.
   */
  private static final int SMALL_UNITS = 10;
  /**
   * The number of further patterns that are lost. Their sizes are up to the number of losses that
   * the code always survives.
   */
  private static final int SAMPLE = Integer.getInteger("codes.sample", 24);

  private static final int WRITERS = 4;
  private static final Duration WRITTEN_LIMIT = Duration.ofMinutes(1);
  private static final Duration REBUILT_LIMIT = Duration.ofMinutes(5);
  private static final Duration COUNTED_LIMIT = Duration.ofMinutes(1);
  private static final Duration POLL = Duration.ofMillis(250);

  private static CodesCluster cluster;
  private static ExecutorService workers;

  private static List<ErasureCodingPolicy> policies() {
    return new ECPolicyLoader().loadPolicy(
        ItPaths.itDir().resolveSibling("conf").resolve("ec-policies.xml").toString());
  }

  static Stream<TestedPolicy> codes() throws IOException {
    return TestedPolicy.oneForEachCode(policies()).stream().filter(policy -> ONLY.isEmpty()
        || List.of(ONLY.split(",")).contains(policy.code.label()));
  }

  @BeforeAll
  static void startCluster() throws Exception {
    System.out.println("codes.seed=" + SEED + " codes.verify=" + VERIFY);
    // A unit that a client reports as corrupt stays on its node until it is rebuilt on another
    // node. So a group needs more nodes than it has units.
    int nodes = codes().map(policy -> policy.code)
        .mapToInt(code -> code.units() + LossTolerance.guaranteed(code.code))
        .max().orElseThrow();
    cluster = CodesCluster.start(nodes, VERIFY, policies());
    workers = Executors.newFixedThreadPool(WRITERS);
  }

  @AfterAll
  static void endCluster() throws Exception {
    if (workers != null) {
      workers.shutdownNow();
    }
    if (cluster != null) {
      cluster.close();
    }
  }

  @ParameterizedTest
  @MethodSource("codes")
  void everyUnitOfWholeStripesAtTheCostThatIsStated(TestedPolicy policy) throws Exception {
    EcCode code = policy.code;
    long unitBytes = (long) STRIPES * policy.cellBytes();
    long tailBytes = policy.cellBytes() % code.code.subChunks();
    long wholeBytes = policy.cellBytes() - tailBytes;
    List<Loss> losses = new ArrayList<>();
    for (int unit = 0; unit < code.units(); unit++) {
      losses.add(new Loss(policy, new int[] {unit},
          unitBytes * code.dataUnits(), SEED + unit));
    }
    write(policy, losses);
    Map<Integer, Long> stockBefore = cluster.stockCounter("EcReconstructionBytesRead");
    PluginCounters before = PluginCounters.whenIdle(cluster.processes());
    PluginCounters after = loseAndCheck(policy, "each unit, whole stripes", losses);
    Map<Integer, Long> expected = new HashMap<>();
    stockBefore.forEach((node, bytes) -> expected.put(node, 0L));
    for (Loss loss : losses) {
      int unit = loss.indices[0];
      int destination = loss.rebuilt(cluster.processes(), cluster.client()).get(unit).node;
      // What the sub-chunks leave of a cell is a code without sub-chunks: k units are read of it.
      expected.merge(destination, STRIPES * (code.dataUnits() * tailBytes
          + Math.round(RepairCost.of(code.code, unit).unitsRead() * wholeBytes)), Long::sum);
    }
    long stated = expected.values().stream().mapToLong(Long::longValue).sum();
    long read = after.since(before, "HelperDiskReadBytes");
    System.out.printf("    read from replicas: %d bytes, %d by the table of costs (%.3f units)%n",
        read, stated, (double) stated / unitBytes / code.units());
    if (VERIFY.equals("off")) {
      assertEquals(stated, read, "bytes read for one lost unit each");
      assertEquals(0, after.since(before, "ReceivedByStockReadsBytes"),
          "bytes that were read by stock reads");
      // The nodes that led the repairs must show the same bytes in Hadoop's own counter.
      Map<Integer, Long> counted = new HashMap<>();
      Await.until(() -> "each node read " + expected + " for the units that it rebuilt, not "
          + counted, COUNTED_LIMIT, POLL, () -> {
            counted.clear();
            cluster.stockCounter("EcReconstructionBytesRead").forEach((node, bytes) ->
                counted.put(node, bytes - stockBefore.get(node)));
            return counted.equals(expected);
          });
    }
    delete(policy);
  }

  @ParameterizedTest
  @MethodSource("codes")
  void unitsAndPatternsOfFilesOfOddLengths(TestedPolicy policy) throws Exception {
    EcCode code = policy.code;
    Random random = new Random(SEED ^ code.label().hashCode());
    List<Loss> losses = new ArrayList<>();
    for (int[] units : patterns(code, random)) {
      long[] lengths = lengths(policy, units);
      losses.add(new Loss(policy, units, lengths[random.nextInt(lengths.length)],
          random.nextLong()));
    }
    Map<Integer, Long> bySize = new TreeMap<>();
    losses.forEach(loss -> bySize.merge(loss.indices.length, 1L, Long::sum));
    write(policy, losses);
    loseAndCheck(policy, "odd lengths, patterns by their size " + bySize, losses);
    delete(policy);
  }

  /**
   * Returns the patterns of lost units: each single unit, for small codes each pair, and a sample
   * of larger patterns.
   */
  private static List<int[]> patterns(EcCode code, Random random) {
    Set<Set<Integer>> patterns = new LinkedHashSet<>();
    for (int one = 0; one < code.units(); one++) {
      patterns.add(Set.of(one));
    }
    int sizeMin = 2;
    if (code.units() <= SMALL_UNITS) {
      sizeMin = 3;
      for (int one = 0; one < code.units(); one++) {
        for (int other = one + 1; other < code.units(); other++) {
          patterns.add(Set.of(one, other));
        }
      }
    }
    int sizes = LossTolerance.guaranteed(code.code) - sizeMin + 1;
    int all = patterns.size() + (sizes > 0 ? SAMPLE : 0);
    while (patterns.size() < all) {
      Set<Integer> pattern = new TreeSet<>();
      int size = sizeMin + random.nextInt(sizes);
      while (pattern.size() < size) {
        pattern.add(random.nextInt(code.units()));
      }
      patterns.add(pattern);
    }
    return patterns.stream().map(pattern -> pattern.stream().mapToInt(Integer::intValue).sorted()
        .toArray()).collect(Collectors.toList());
  }

  /** Returns file lengths that end in, before and behind cells and sub-chunks. */
  private static long[] lengths(TestedPolicy policy, int[] lost) {
    EcCode code = policy.code;
    int cell = policy.cellBytes();
    long stripe = (long) code.dataUnits() * cell;
    int lastLostData = Arrays.stream(lost).filter(unit -> unit < code.dataUnits()).max().orElse(0);
    return LongStream.of(1, 7, cell / 2 + 1, cell - 1, cell + 3, stripe / 2 + 13, stripe - 5,
        stripe + 1, stripe + cell / 4 + 1, stripe + 2 * cell + cell / 2 - 1, 2 * stripe - 1)
        .filter(length -> length > (long) lastLostData * cell).toArray();
  }

  private static void delete(TestedPolicy policy) throws IOException {
    assertTrue(cluster.client().delete(policy.directory(), true), policy + " is deleted");
  }

  private static void write(TestedPolicy policy, List<Loss> losses) throws Exception {
    cluster.client().mkdirs(policy.directory());
    cluster.client().setErasureCodingPolicy(policy.directory(), policy.name());
    inParallel(losses, loss -> loss.write(cluster.client()));
    awaitAll("written", WRITTEN_LIMIT, losses,
        loss -> loss.isWritten(cluster.processes(), cluster.client()));
    // If a unit is reported late, the NameNode orders its repair. The test waits until these
    // repairs are done.
    String[] backlog = {""};
    Await.until(() -> "the NameNode has nothing to repair: " + backlog[0], WRITTEN_LIMIT, POLL,
        () -> {
          backlog[0] = cluster.backlog();
          return backlog[0].isEmpty();
        });
  }

  /** Loses the units, checks the repairs, and returns the plugin's counters at the end. */
  private static PluginCounters loseAndCheck(TestedPolicy policy, String what, List<Loss> losses)
      throws Exception {
    PluginCounters before = PluginCounters.whenIdle(cluster.processes());
    long start = System.nanoTime();
    inParallel(losses, loss -> loss.lose(cluster.processes(), cluster.client()));
    awaitAll("rebuilt", REBUILT_LIMIT, losses,
        loss -> loss.isRebuilt(cluster.processes(), cluster.client()));
    long rebuilt = System.nanoTime();
    List<String> faults = new ArrayList<>();
    for (Loss loss : losses) {
      faults.addAll(loss.faults(cluster.processes(), cluster.client()));
    }
    PluginCounters after = PluginCounters.whenIdle(cluster.processes());
    System.out.printf("%s: %s: %d patterns, %d units, %d faults, %d repairs;"
        + " rebuilt in %.1f s, checked in %.1f s%n", policy, what, losses.size(),
        losses.stream().mapToInt(loss -> loss.indices.length).sum(), faults.size(),
        after.since(before, "RepairsSucceeded"), (rebuilt - start) / 1e9,
        (System.nanoTime() - rebuilt) / 1e9);
    assertEquals(List.of(), faults);
    for (String bad : List.of("RepairsFailed", "Fallbacks", "VerificationFailures")) {
      assertEquals(Map.of(), after.grownSince(before, bad), bad);
    }
    assertFalse(after.since(before, "RepairsSucceeded") < losses.size(),
        "the plugin made the repairs");
    return after;
  }

  /** A step of the test for one loss, which may fail. */
  @FunctionalInterface
  private interface Step {
    void take(Loss loss) throws Exception;
  }

  private static void inParallel(List<Loss> losses, Step step) throws Exception {
    List<Future<?>> steps = new ArrayList<>();
    for (Loss loss : losses) {
      steps.add(workers.submit(() -> {
        step.take(loss);
        return null;
      }));
    }
    for (Future<?> done : steps) {
      done.get();
    }
  }

  /** A condition that must become true for every loss. */
  @FunctionalInterface
  private interface Aim {
    boolean isReached(Loss loss) throws IOException;
  }

  private static void awaitAll(String what, Duration limit, List<Loss> losses, Aim aim)
      throws Exception {
    List<Loss> left = new ArrayList<>(losses);
    Await.until(() -> "all are " + what + ", not so: " + left, limit, POLL, () -> {
      List<Loss> still = new ArrayList<>();
      for (Loss loss : left) {
        if (!aim.isReached(loss)) {
          still.add(loss);
        }
      }
      left.retainAll(still);
      return left.isEmpty();
    });
  }
}
