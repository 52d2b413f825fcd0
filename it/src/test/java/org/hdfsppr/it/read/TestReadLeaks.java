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
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import com.fasterxml.jackson.databind.JsonNode;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;
import org.hdfsppr.it.util.Await;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Thousands of streams read a little of a lost unit. Then they are closed, or abandoned without a
 * close, as some programs do. Afterwards the client and the DataNodes must have as many threads and
 * sockets as before.
 *
 * <p>An abandoned stream has read by position, or was unbuffered. A stream that has read from its
 * own position holds its sockets until it is closed, in Hadoop's client as well.
 *
 * <p>{@code -Dread.streams=N} sets the number of streams, {@code -Dread.client=LABEL} the client.
 */
@Tag("process")
@Timeout(value = 30, unit = TimeUnit.MINUTES)
class TestReadLeaks {
  private static final long SEED = Long.getLong("read.seed", 20261120L);
  private static final int STREAMS = Integer.getInteger("read.streams", 2_000);
  /**
   * After this number of streams, a client and the DataNodes have opened the sockets and threads
   * that they keep.
   */
  private static final int WARM_UP = 100;
  private static final int THREADS = 4;
  private static final String POLICY = "RS-3-2-1024k";
  private static final long BLOCK_BYTES = 2L << 20;
  private static final int BYTES_MAX = 8 * 1024;
  /** Stock keeps sockets for seconds. DataNodes keep the threads of their peers for a minute. */
  private static final Duration LIMIT = Duration.ofMinutes(4);
  private static final Duration POLL = Duration.ofMillis(500);
  private static final List<String> GAUGES = List.of("HelpersInFlight", "BuffersInUseBytes");

  @Test
  void streamsLeaveNothingBehind() throws Exception {
    System.out.println("read.seed=" + SEED + " read.streams=" + STREAMS);
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try (ReadCluster cluster = ReadCluster.start("leaks", 5)) {
      ReadCode code = ReadCode.all().stream().filter(one -> one.toString().equals(POLICY))
          .findFirst().orElseThrow();
      cluster.enable(List.of(code.policy));
      cluster.writer().mkdirs(new Path("/leaks"));
      cluster.writer().setErasureCodingPolicy(new Path("/leaks"), POLICY);
      ReadFile file = new ReadFile(code, new Path("/leaks/file"), BLOCK_BYTES,
          3 * BLOCK_BYTES * code.dataUnits(), SEED);
      file.write(cluster);
      Losses losses = new Losses(List.of(file));
      int node = file.nodeAt(0).orElseThrow();
      assertTrue(losses.takeDown(node));
      cluster.processes().kill(node);

      open(cluster, file, losses, threads, WARM_UP);
      ReadUse before = ReadUse.now(cluster);
      System.out.println("before: " + before);
      int decoded = open(cluster, file, losses, threads, STREAMS);
      assertEquals(STREAMS, decoded, "streams that read what had to be decoded");
      System.out.println("at once: " + ReadUse.now(cluster));
      List<String> more = new ArrayList<>();
      Await.until(() -> "nothing is left of " + STREAMS + " streams: " + more, LIMIT, POLL, () -> {
        more.clear();
        more.addAll(ReadUse.now(cluster).moreThan(before));
        more.addAll(inFlight(cluster, node));
        return more.isEmpty();
      });
      System.out.println("after: " + ReadUse.now(cluster));
    } finally {
      threads.shutdownNow();
    }
  }

  private static List<String> inFlight(ReadCluster cluster, int down) throws IOException {
    List<String> left = new ArrayList<>();
    for (int node = 1; node <= cluster.nodes(); node++) {
      if (node != down) {
        JsonNode metrics =
            cluster.processes().state().jmx(node, "Hadoop:service=DataNode,name=PprDataNode-*");
        for (String gauge : GAUGES) {
          if (metrics.get(gauge).asLong() != 0) {
            left.add("dn" + node + " " + gauge + " " + metrics.get(gauge));
          }
        }
      }
    }
    return left;
  }

  /**
   * Opens and reads the streams, and returns how many of them read bytes that had to be decoded.
   */
  private static int open(ReadCluster cluster, ReadFile file, Losses losses,
      ExecutorService threads, int streams) throws Exception {
    AtomicInteger left = new AtomicInteger(streams);
    AtomicInteger decoded = new AtomicInteger();
    List<Callable<Void>> tasks = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      Random random = new Random(SEED + i);
      tasks.add(() -> {
        while (left.getAndDecrement() > 0) {
          long offset = lostPlace(file, losses, random);
          int length = (int) Math.min(1 + random.nextInt(BYTES_MAX), file.length - offset);
          readOnce(cluster, file, offset, length, random);
          decoded.incrementAndGet();
        }
        return null;
      });
    }
    for (Future<Void> task : threads.invokeAll(tasks)) {
      task.get();
    }
    return decoded.get();
  }

  private static long lostPlace(ReadFile file, Losses losses, Random random) {
    while (true) {
      long at = (long) (random.nextDouble() * file.length);
      if (losses.mustBeDecoded(file, at, 1)) {
        return at;
      }
    }
  }

  private static void readOnce(ReadCluster cluster, ReadFile file, long offset, int length,
      Random random) throws Exception {
    FSDataInputStream in = cluster.reader().open(file.path);
    switch (random.nextInt(4)) {
      case 0:
        ReadCall.PREAD_FULLY.read(in, file, offset, length, random);
        break;
      case 1:
        // This call ends with unbuffer().
        ReadCall.UNBUFFER.read(in, file, offset, length, random);
        break;
      case 2:
        ReadCall.READ_FULLY.read(in, file, offset, length, random);
        in.close();
        break;
      default:
        ReadCall.READ_VECTORED.read(in, file, offset, length, random);
        in.close();
        break;
    }
  }
}
