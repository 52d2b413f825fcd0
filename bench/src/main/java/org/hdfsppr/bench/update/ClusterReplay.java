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
package org.hdfsppr.bench.update;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.hdfsppr.bench.update.strategy.DirtyStripes;
import org.hdfsppr.client.files.call.PluginUpdates;
import org.hdfsppr.operate.CommitStatus;

/**
 * Replays writes on a cluster, with the same commits as in a simulation: all stripes that have
 * changed are committed before one more than u_s would be. The writes of a stripe keep their order,
 * and those of different stripes are made by several clients at a time.
 */
final class ClusterReplay implements Closeable {
  /** The most writes that wait for a client. */
  private static final int WAITING_MAX = 64;
  /** How long a commit may take, s. */
  private static final int COMMIT_SECONDS_MAX = 600;
  private static final int POLL_MS = 20;

  private final UpdatedStripes stripes;
  private final ReplayOptions options;
  private final PluginUpdates plugin;
  private final boolean durable;
  private final DirtyStripes dirty;
  private final List<ExecutorService> clients = new ArrayList<>();
  private final ExecutorService committers;
  private final Semaphore places = new Semaphore(WAITING_MAX);
  private final List<Future<Long>> underWay = new ArrayList<>();
  private final List<Long> nanos = new ArrayList<>();
  private final Random random;
  private int commits;

  /**
   * @param stripes open for updates
   * @param clientCount how many writes are made at a time
   * @param durable whether each write waits until all logs have it on disk
   * @param seed of the bytes that are written
   */
  ClusterReplay(UpdatedStripes stripes, ReplayOptions options, PluginUpdates plugin,
      int clientCount, boolean durable, long seed) {
    this.durable = durable;
    this.stripes = stripes;
    this.options = options;
    this.plugin = plugin;
    this.dirty = new DirtyStripes(options.stripesPerCommit);
    this.random = new Random(seed);
    for (int i = 0; i < clientCount; i++) {
      clients.add(Executors.newSingleThreadExecutor());
    }
    this.committers = Executors.newFixedThreadPool(clientCount);
  }

  /**
   * Updates a byte of each stripe, and commits. From then on, the nodes that hold the logs are
   * those of the strategy, which may be another one than that of the commit before.
   *
   * @param warmUps how often that is done once more, so that the daemons' compilers are done
   */
  void begin(int warmUps) throws IOException, InterruptedException {
    for (int i = 0; i <= warmUps; i++) {
      commitAll();
    }
  }

  private void commitAll() throws IOException, InterruptedException {
    List<Future<Void>> all = new ArrayList<>();
    for (long stripe : stripes.numbers()) {
      byte[] data = new byte[1];
      random.nextBytes(data);
      all.add(committers.submit(() -> {
        stripes.write(stripe, 0, 0, data, durable);
        return commit(stripe);
      }));
    }
    for (Future<Void> one : all) {
      await(one);
    }
  }

  /** Replays a request. Reads change nothing. */
  void replay(TraceRequest request) throws IOException, InterruptedException {
    long chunkBytes = options.chunkBytes;
    for (long chunk = request.offset / chunkBytes;
        request.isWrite && chunk * chunkBytes < request.end(); chunk++) {
      long begin = chunk * chunkBytes;
      long from = Math.max(request.offset - begin, 0);
      long to = Math.min(request.end() - begin, chunkBytes);
      write(chunk / options.dataUnits, (int) (chunk % options.dataUnits), from, to);
    }
  }

  private void write(long stripe, int unit, long from, long to)
      throws IOException, InterruptedException {
    if (dirty.commitsBefore(stripe)) {
      commit();
    }
    byte[] data = new byte[(int) (to - from)];
    random.nextBytes(data);
    places.acquire();
    underWay.add(clients.get((int) (stripe % clients.size())).submit(() -> {
      try {
        long began = System.nanoTime();
        stripes.write(stripe, unit, from, data, durable);
        return System.nanoTime() - began;
      } finally {
        places.release();
      }
    }));
    dirty.add(stripe, unit, from, to);
  }

  /** Commits what is left. */
  void end() throws IOException, InterruptedException {
    if (!dirty.stripes().isEmpty()) {
      commit();
    }
  }

  private void commit() throws IOException, InterruptedException {
    for (Future<Long> write : underWay) {
      nanos.add(await(write));
    }
    underWay.clear();
    List<Future<Void>> all = new ArrayList<>();
    for (long stripe : dirty.stripes().keySet()) {
      all.add(committers.submit(() -> commit(stripe)));
    }
    for (Future<Void> one : all) {
      await(one);
    }
    dirty.committed();
    commits++;
  }

  private Void commit(long stripe) throws IOException, InterruptedException {
    String path = stripes.file(stripe).toUri().getPath();
    long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(COMMIT_SECONDS_MAX);
    CommitStatus status = plugin.commit(path, null);
    while (!status.state.isEnd()) {
      if (System.nanoTime() - until >= 0) {
        throw new IOException("A commit of " + path + " takes more than " + COMMIT_SECONDS_MAX
            + " s: " + status);
      }
      Thread.sleep(POLL_MS);
      status = plugin.commit(path, status.id);
    }
    // A full log may have had all updates of the file committed before. The files are read at the
    // end, so that a commit that misses updates shows.
    if (status.state == CommitStatus.State.FAILED) {
      throw new IOException("A commit of " + path + " has failed: " + status);
    }
    return null;
  }

  private static <T> T await(Future<T> future) throws IOException, InterruptedException {
    try {
      return future.get();
    } catch (ExecutionException e) {
      throw new IOException(e.getCause());
    }
  }

  /** {@return how often all dirty stripes were committed} */
  int commits() {
    return commits;
  }

  /** {@return how many ranges were written, each within one chunk} */
  int updates() {
    return nanos.size();
  }

  /**
   * {@return the time that an update took, ms}
   *
   * @param share 0.5 for the median
   */
  double percentileMs(double share) {
    long[] sorted = nanos.stream().mapToLong(Long::longValue).toArray();
    Arrays.sort(sorted);
    int rank = (int) Math.ceil(share * sorted.length);
    return sorted[Math.max(rank, 1) - 1] / 1e6;
  }

  @Override
  public void close() {
    clients.forEach(ExecutorService::shutdownNow);
    committers.shutdownNow();
  }
}
