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
package org.hdfsppr.it.read;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.hdfsppr.it.util.Await;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Reads of random ranges in every way that a stream offers, of files of all codes, while nodes of a
 * cluster of real processes are killed, restarted and slowed down, and replicas rot. There are
 * never more losses than the code always survives. Each byte is compared with the oracle's.
 *
 * <p>{@code -Dread.count=N} sets the number of all reads, {@code -Dread.seed=N} chooses other
 * reads, {@code -Dread.only=POLICY,...} the policies, {@code -Dread.client=LABEL} the client.
 */
@Tag("process")
@Timeout(value = 60, unit = TimeUnit.MINUTES)
class TestRandomReads {
  private static final long SEED = Long.getLong("read.seed", 20261120L);
  private static final int COUNT = Integer.getInteger("read.count", 4_000);
  private static final String ONLY = System.getProperty("read.only", "");

  private static final int THREADS = 4;
  private static final int STRIPES = 2;
  /** How often a fault is caused or undone while the files of one code are read. */
  private static final int HARMS = 12;
  private static final int READS_PER_HARM_MIN = 12;
  private static final Duration END_LIMIT = Duration.ofMinutes(50);
  private static final Duration POLL = Duration.ofMillis(5);

  private static ReadCluster cluster;
  private static ExecutorService threads;

  static List<ReadCode> codes() throws IOException {
    return ReadCode.all().stream()
        .filter(code -> ONLY.isEmpty() || List.of(ONLY.split(",")).contains(code.toString()))
        .collect(Collectors.toList());
  }

  static Stream<ReadCode> allCodes() throws IOException {
    return codes().stream();
  }

  @BeforeAll
  static void startCluster() throws Exception {
    System.out.println("read.seed=" + SEED + " read.count=" + COUNT);
    // One more node than the widest group has units, so that the groups use different nodes.
    int units = codes().stream().map(code -> code.policy).mapToInt(
        policy -> policy.getNumDataUnits() + policy.getNumParityUnits()).max().orElseThrow();
    cluster = ReadCluster.start("reads", units + 1);
    List<ErasureCodingPolicy> policies =
        codes().stream().map(code -> code.policy).collect(Collectors.toList());
    cluster.enable(policies);
    threads = Executors.newFixedThreadPool(THREADS);
  }

  @AfterAll
  static void endCluster() throws Exception {
    if (threads != null) {
      threads.shutdownNow();
    }
    if (cluster != null) {
      cluster.close();
    }
  }

  @ParameterizedTest
  @MethodSource("allCodes")
  void everyByteIsTheOneThatWasWritten(ReadCode code) throws Exception {
    long seed = SEED ^ code.toString().hashCode();
    Random random = new Random(seed);
    Path directory = new Path("/" + code);
    cluster.writer().mkdirs(directory);
    cluster.writer().setErasureCodingPolicy(directory, code.toString());
    List<ReadFile> files = files(code, directory, random);
    for (ReadFile file : files) {
      file.write(cluster);
    }
    int reads = Math.max(1, COUNT / codes().size());
    Semaphore quota = new Semaphore(0);
    AtomicBoolean over = new AtomicBoolean();
    Losses losses = new Losses(files);
    List<RandomReader> readers = new ArrayList<>();
    ReadHarm harm = new ReadHarm(cluster, files, losses, readers, random);
    long start = System.nanoTime();
    try (SharedStreams shared = new SharedStreams(cluster)) {
      for (int i = 0; i < THREADS; i++) {
        readers.add(new RandomReader(cluster, files, shared, losses, random.nextLong(), quota,
            over::get));
      }
      // A node is down from the start, so that each code has something to decode.
      harm.killHolder(files.get(0), 0);
      List<Future<Void>> ends = new ArrayList<>();
      readers.forEach(reader -> ends.add(threads.submit(reader)));
      int perHarm = Math.min(reads, Math.max(READS_PER_HARM_MIN, reads / HARMS));
      for (int granted = 0; granted < reads; granted += perHarm) {
        // Half of the reads run during the fault, which may take seconds, and half of them after
        // it.
        int more = Math.min(perHarm, reads - granted);
        quota.release(more / 2);
        if (granted > 0) {
          harm.step();
        }
        quota.release(more - more / 2);
        Await.until(() -> quota.availablePermits() + " reads are left of " + more, END_LIMIT,
            POLL, () -> quota.availablePermits() == 0 || ends.stream().anyMatch(Future::isDone));
      }
      over.set(true);
      for (Future<Void> end : ends) {
        end.get();
      }
    } finally {
      over.set(true);
      harm.undo();
      cluster.writer().delete(directory, true);
    }
    report(code, files, readers, harm, start);
  }

  /**
   * Returns the test files: the first has several groups, the second has less than a cell, and the
   * third ends within a few bytes of the end of a cell.
   */
  private static List<ReadFile> files(ReadCode code, Path directory, Random random) {
    int cell = code.cellBytes();
    long block = (long) STRIPES * cell;
    long group = block * code.dataUnits();
    long[] lengths = {
        group + 1 + random.nextInt((int) group),
        1 + random.nextInt(cell),
        (long) cell * (1 + random.nextInt(code.dataUnits())) + random.nextInt(7) - 3};
    List<ReadFile> files = new ArrayList<>();
    for (long length : lengths) {
      files.add(new ReadFile(code, new Path(directory, "f" + files.size()), block, length,
          random.nextLong()));
    }
    return files;
  }

  private static void report(ReadCode code, List<ReadFile> files, List<RandomReader> readers,
      ReadHarm harm, long start) {
    Map<ReadCall, Integer> calls = new TreeMap<>();
    readers.forEach(reader -> reader.calls.forEach(
        (call, times) -> calls.merge(call, times, Integer::sum)));
    long decoded = readers.stream().mapToLong(RandomReader::decoded).sum();
    System.out.printf("%s: %d reads in %.1f s, %d surely decoded; up to %d losses, %s%n    %s%n"
        + "    of %s%n", code, calls.values().stream().mapToInt(Integer::intValue).sum(),
        (System.nanoTime() - start) / 1e9, decoded, code.guaranteed, harm, calls, files);
    List<String> complaints = readers.stream().flatMap(reader -> reader.complaints.stream())
        .collect(Collectors.toList());
    assertEquals(List.of(), complaints, "with read.seed=" + SEED);
    System.out.println("    all codes so far: " + DegradedCounts.of(cluster.reader()));
    assertTrue(decoded > 0, "nothing was decoded: the test says nothing about lost units");
  }
}
