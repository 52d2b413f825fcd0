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
package org.hdfsppr.it.versions;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;
import org.hdfsppr.client.device.DeviceLayout;
import org.hdfsppr.client.nbd.server.NbdClient;
import org.hdfsppr.client.nbd.server.Programs;
import org.hdfsppr.it.convert.ParityOnDisk;
import org.hdfsppr.it.util.Await;
import org.hdfsppr.operate.CommitStatus;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A real client, fio, writes into a block device at random and verifies what it reads, while the
 * device's files are committed, DataNodes that lead are killed, and another NameNode becomes
 * active.
 *
 * <p>{@code -Dfaults.seed=N} chooses other writes, {@code -Ddevice.rounds=N} how often all that
 * happens.
 */
@Tag("process")
@Timeout(value = 60, unit = TimeUnit.MINUTES)
class TestDeviceFailovers {
  private static final int ROUNDS = Integer.getInteger("device.rounds", 1);
  private static final String DEVICE = "/images/fio";
  private static final String SIZE = "1m";
  private static final int BYTES = 1 << 20;
  private static final long FIO_SECONDS_MAX = 600;

  @TempDir
  java.nio.file.Path directory;

  /** One kind of load after the other, until it has to end. */
  private final class Load {
    private final String uri;
    private final AtomicInteger jobs = new AtomicInteger();
    private volatile boolean isEnding;

    Load(String uri) {
      this.uri = uri;
    }

    Void run() throws Exception {
      while (!isEnding) {
        int job = jobs.get();
        fio(job % 2 == 0 ? "randrw" : "randwrite", List.of("4k", "64k", "16k").get(job % 3),
            job % 4 == 3 ? 1 : 16, job);
        jobs.incrementAndGet();
      }
      return null;
    }

    private void fio(String kind, String block, int depth, int job) throws Exception {
      String out = new Programs(directory).run("fio", "--name=job", "--ioengine=nbd",
          "--uri=" + uri, "--rw=" + kind, "--bs=" + block, "--iodepth=" + depth,
          "--size=" + SIZE, "--randseed=" + (RandomRuns.SEED + job), "--verify=crc32c",
          "--verify_fatal=1", "--fsync=16", "--end_fsync=1", "--output-format=json");
      JsonNode result = new ObjectMapper().readTree(out.substring(out.indexOf("\n{") + 1))
          .path("jobs").path(0);
      assertEquals(0, result.path("error").asInt(), out);
      assertTrue(result.path("write").path("total_ios").asLong() > 0, out);
      RandomRuns.say("fio " + kind + " " + block + " depth " + depth + ": "
          + result.path("write").path("total_ios").asLong() + " writes, "
          + result.path("read").path("total_ios").asLong() + " reads, slowest write "
          + result.path("write").path("clat_ns").path("max").asLong() / 1_000_000 + " ms");
    }
  }

  @Test
  void fioFindsNoWrongByte() throws Exception {
    Programs.need("fio", "fio");
    System.out.println("faults.seed=" + RandomRuns.SEED + " device.rounds=" + ROUNDS);
    ExecutorService thread = Executors.newSingleThreadExecutor();
    try (UpdatesCluster cluster = UpdatesCluster.start("ufio", true);
        DeviceProcess device = DeviceProcess.start(cluster, "--create", "--size", SIZE,
            "--object", "144k", DEVICE)) {
      Load load = new Load(device.uri);
      Future<Void> running = thread.submit(load::run);
      for (int round = 0; round < ROUNDS; round++) {
        harm(cluster, load, running);
      }
      load.isEnding = true;
      running.get(FIO_SECONDS_MAX, TimeUnit.SECONDS);
      cluster.versions().heal();
      check(cluster, device);
    } finally {
      thread.shutdownNow();
      assertTrue(thread.awaitTermination(FIO_SECONDS_MAX, TimeUnit.SECONDS));
    }
  }

  /** Waits until fio has ended two jobs, so that one of them ran from its begin to its end. */
  private static void awaitJobs(Load load, Future<Void> running) throws Exception {
    int before = load.jobs.get();
    Await.until("fio goes on", UpdatesCluster.LIMIT.multipliedBy(2), UpdatesCluster.POLL, () ->
        load.jobs.get() >= before + 2 || running.isDone());
    if (running.isDone()) {
      running.get();
    }
  }

  private void harm(UpdatesCluster cluster, Load load, Future<Void> running) throws Exception {
    awaitJobs(load, running);
    assertTrue(commit(cluster) > 0, "no object is committed");
    int leader = cluster.holders(objects(cluster).get(0), 0, 0).get(0);
    cluster.processes().kill(leader);
    RandomRuns.say("dn" + leader + " is killed");
    awaitJobs(load, running);
    cluster.versions().killActiveNameNode();
    RandomRuns.say("the active NameNode is killed");
    int commits = commit(cluster);
    RandomRuns.say(commits + " commits without dn" + leader);
    awaitJobs(load, running);
    cluster.versions().heal();
    cluster.versions().killActiveNameNode();
    RandomRuns.say("the active NameNode is killed");
    assertTrue(commit(cluster) > 0, "no object is committed");
    awaitJobs(load, running);
  }

  /** Returns the device's objects in their order. */
  private static List<Path> objects(UpdatesCluster cluster) throws IOException {
    List<Path> objects = new ArrayList<>();
    Path next = new Path(DEVICE, DeviceLayout.nameOf(0));
    while (cluster.versions().client().exists(next)) {
      objects.add(next);
      next = new Path(DEVICE, DeviceLayout.nameOf(objects.size()));
    }
    return objects;
  }

  /** Commits all objects; returns how many commits were published. */
  private static int commit(UpdatesCluster cluster)
      throws IOException, InterruptedException, TimeoutException {
    int commits = 0;
    for (Path object : objects(cluster)) {
      CommitStatus status = cluster.commit(object);
      if (status.state == CommitStatus.State.PUBLISHED) {
        commits++;
      } else {
        RandomRuns.say(status.toString());
      }
    }
    return commits;
  }

  /** Stock's client reads after a last commit what the device reads, and parities are right. */
  private static void check(UpdatesCluster cluster, DeviceProcess device)
      throws IOException, InterruptedException, TimeoutException {
    byte[] bytes;
    try (NbdClient client = device.connect()) {
      bytes = client.read(0, BYTES);
    }
    ByteArrayOutputStream stock = new ByteArrayOutputStream();
    for (Path object : objects(cluster)) {
      cluster.commitAll(object);
      try (FSDataInputStream in = cluster.versions().client().open(object)) {
        in.transferTo(stock);
      }
      assertEquals(List.of(), new ParityOnDisk(cluster.processes(),
          cluster.versions().client()).wrong(object));
    }
    assertArrayEquals(bytes, Arrays.copyOf(stock.toByteArray(), BYTES));
  }
}
