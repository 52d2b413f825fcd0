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

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.hdfs.PprFileSystem;
import org.hdfsppr.client.files.UpdateHistory;
import org.hdfsppr.client.nbd.server.NbdClient;
import org.hdfsppr.client.read.UntrustedBytesException;
import org.hdfsppr.client.update.FileUpdater;
import org.hdfsppr.it.util.Await;
import org.hdfsppr.operate.CommitStatus;
import org.hdfsppr.operate.GroupReplacedException;

/**
 * Clients that write into one file and read it at random until they are told to end: some in this
 * process, each with connections of its own, and a process that serves the file as a block device.
 * Another one commits the file all the time. They bear what the product's documentation says that
 * they have to, and nothing else.
 */
final class UpdateClients implements AutoCloseable {
  private static final int WRITERS = 2;
  private static final int READERS = 2;
  /** The longest update, words. */
  private static final int WORDS_MAX = 400;
  /** A client rests this time after each call, so that the daemons get the processors, ms. */
  private static final int REST_MS_MAX = 40;
  private static final int COMMIT_REST_MS = 500;
  /** The log of all client processes of a cluster. */
  private static final String LOG = "client.log";
  private static final String WARNING = " WARN ";
  /** Longer than a client waits for holders of a log. */
  private static final long END_SECONDS_MAX = 300;

  private final UpdatesCluster cluster;
  final UpdatedFile file;
  private final UpdateTally tally;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<Future<?>> running = new ArrayList<>();
  private final AtomicInteger reads = new AtomicInteger();
  private final AtomicInteger commits = new AtomicInteger();
  private final AtomicInteger deviceWrites = new AtomicInteger();
  private volatile boolean isEnding;
  /** Guarded by this, like the next field. Null while none serves. */
  private DeviceProcess device;
  private boolean isDeviceKilled;

  private UpdateClients(UpdatesCluster cluster, UpdatedFile file, UpdateTally tally) {
    this.cluster = cluster;
    this.file = file;
    this.tally = tally;
  }

  static UpdateClients start(UpdatesCluster cluster, UpdatedFile file, UpdateTally tally,
      long seed) {
    UpdateClients made = new UpdateClients(cluster, file, tally);
    for (int i = 0; i < WRITERS; i++) {
      Random random = new Random(seed * 31 + i);
      made.begin(() -> made.write(random));
    }
    for (int i = 0; i < READERS; i++) {
      Random random = new Random(seed * 37 + i);
      made.begin(() -> made.read(random));
    }
    Random random = new Random(seed * 41);
    made.begin(() -> made.writeToDevices(random));
    made.begin(made::commit);
    return made;
  }

  private interface Work {
    void run() throws Exception;
  }

  private void begin(Work work) {
    Callable<Void> all = () -> {
      work.run();
      return null;
    };
    running.add(threads.submit(all));
  }

  /** Kills the process that serves the block device. Another one is started. */
  synchronized boolean killDevice() {
    if (device == null) {
      return false;
    }
    device.close();
    isDeviceKilled = true;
    return true;
  }

  /** Returns whether the last process was killed. */
  private synchronized boolean nextDevice(DeviceProcess next) {
    boolean wasKilled = isDeviceKilled;
    device = next;
    isDeviceKilled = false;
    return wasKilled;
  }

  /** Waits until all kinds of clients have got on by some steps, and a commit was published. */
  void awaitProgress(boolean isCommitWanted)
      throws IOException, InterruptedException, TimeoutException {
    long updates = file.history.acknowledged();
    int readsBefore = reads.get();
    int commitsBefore = commits.get();
    int devicesBefore = deviceWrites.get();
    Await.until(() -> "clients of " + file + " get on: " + (file.history.acknowledged() - updates)
        + " updates, " + (deviceWrites.get() - devicesBefore) + " of the device, "
        + (reads.get() - readsBefore) + " reads, " + (commits.get() - commitsBefore) + " commits",
        UpdatesCluster.LIMIT, UpdatesCluster.POLL, () -> {
          check();
          return file.history.acknowledged() >= updates + 10
              && reads.get() >= readsBefore + 2 && deviceWrites.get() >= devicesBefore + 2
              && (!isCommitWanted || commits.get() > commitsBefore);
        });
  }

  /** Fails if a client has failed. */
  private void check() throws IOException, InterruptedException {
    file.assertOneHistory();
    for (Future<?> one : running) {
      if (one.isDone()) {
        join(one);
      }
    }
  }

  private static void join(Future<?> client) throws IOException, InterruptedException {
    try {
      client.get(END_SECONDS_MAX, TimeUnit.SECONDS);
    } catch (ExecutionException | java.util.concurrent.TimeoutException e) {
      throw new IOException("A client has failed: " + e.getCause(), e);
    }
  }

  /** Lets all clients end in order. */
  void end() throws IOException, InterruptedException {
    isEnding = true;
    for (Future<?> one : running) {
      join(one);
    }
    tally.add("updates", file.history.acknowledged());
    tally.add("reads", reads.get());
    tally.add("commits", commits.get());
    tally.add("writes of devices", deviceWrites.get());
  }

  @Override
  public void close() throws IOException {
    isEnding = true;
    killDevice();
    threads.shutdownNow();
    try {
      assertTrue(threads.awaitTermination(END_SECONDS_MAX, TimeUnit.SECONDS), "clients end");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("The wait for the clients of " + file + " was interrupted", e);
    }
  }

  private UpdateHistory.Update begin(Random random) {
    int words = 1 + random.nextInt(WORDS_MAX);
    return file.history.begin(random.nextInt(file.history.words() - words + 1), words);
  }

  private static void rest(Random random) throws InterruptedException {
    TimeUnit.MILLISECONDS.sleep(random.nextInt(REST_MS_MAX));
  }

  private void write(Random random)
      throws IOException, InterruptedException, TimeoutException {
    try (PprFileSystem fs = cluster.client()) {
      FileUpdater updater = reopened(fs);
      while (!isEnding) {
        int before = tally.nameNodeState();
        try {
          List<UpdateHistory.Update> under = new ArrayList<>();
          for (int i = 1 + random.nextInt(4); i > 0; i--) {
            UpdateHistory.Update update = begin(random);
            updater.write(update.position(), update.bytes());
            under.add(update);
          }
          updater.hflush();
          file.history.acknowledge(under);
          if (random.nextInt(8) == 0) {
            updater.hsync();
            tally.add("syncs", 1);
          }
        } catch (IOException e) {
          bear(e, before);
          try {
            updater.close();
          } catch (IOException again) {
            tally.note(file + ": closed, " + again.getMessage());
          }
          updater = reopened(fs);
        }
        rest(random);
      }
      updater.close();
    }
  }

  /** Bears a failure that the documentation promises, or throws it. */
  private void bear(IOException failure, int nameNodeStateBefore) throws IOException {
    String text = String.valueOf(failure.getMessage());
    String what;
    if (text.contains("It is not known whether")) {
      what = "doubts";
    } else if (text.contains("too few of them answer")) {
      what = "refusals while all holders of a log were dead";
    } else if (tally.wasAway(nameNodeStateBefore)) {
      what = "failures without a NameNode";
    } else {
      throw failure;
    }
    tally.note(file + ": " + text);
    tally.add(what, 1);
  }

  /** Opens the file, also while the only NameNode is away. */
  private FileUpdater reopened(PprFileSystem fs)
      throws IOException, InterruptedException, TimeoutException {
    FileUpdater[] opened = {null};
    Await.until(file + " is open", UpdatesCluster.LIMIT, UpdatesCluster.POLL, () -> {
      int before = tally.nameNodeState();
      try {
        opened[0] = fs.openForUpdate(file.path);
        return true;
      } catch (IOException e) {
        bear(e, before);
        return false;
      }
    });
    return opened[0];
  }

  private void read(Random random) throws IOException, InterruptedException {
    try (PprFileSystem fs = cluster.client()) {
      while (!isEnding) {
        int before = tally.nameNodeState();
        try {
          readOpen(fs, random);
        } catch (UntrustedBytesException | GroupReplacedException e) {
          // It opened the file before its first update, and has not seen one before the commit.
          tally.note(file + ": " + e.getMessage());
          tally.add("streams opened again", 1);
        } catch (IOException e) {
          bear(e, before);
        }
      }
    }
  }

  /** Reads from a stream for a while. */
  private void readOpen(PprFileSystem fs, Random random)
      throws IOException, InterruptedException {
    int words = file.history.words();
    try (FSDataInputStream in = fs.open(file.path)) {
      for (int i = random.nextInt(100); i >= 0 && !isEnding; i--) {
        int length = 1 + random.nextInt(random.nextInt(8) == 0 ? words : 500);
        file.read(in, random.nextInt(words - length + 1), length);
        reads.incrementAndGet();
        rest(random);
      }
    }
  }

  private void writeToDevices(Random random)
      throws IOException, InterruptedException, TimeoutException {
    while (!isEnding) {
      int before = tally.nameNodeState();
      try (DeviceProcess serving = DeviceProcess.start(cluster, file.path.toUri().getPath())) {
        nextDevice(serving);
        tally.add("devices", 1);
        writeTo(serving, random);
        nextDevice(null);
      } catch (IOException e) {
        if (!nextDevice(null) && !isEnding) {
          bear(e, before);
        }
      }
    }
  }

  private void writeTo(DeviceProcess serving, Random random)
      throws IOException, InterruptedException {
    try (NbdClient client = serving.connect()) {
      while (!isEnding) {
        UpdateHistory.Update update = begin(random);
        byte[] bytes = update.bytes();
        int flags = random.nextInt(8) == 0 ? NbdClient.FUA : 0;
        if (client.call(flags, NbdClient.WRITE, update.position(), bytes.length, bytes).error
            != 0) {
          throw failed(serving);
        }
        file.history.acknowledge(List.of(update));
        deviceWrites.incrementAndGet();
        if (random.nextInt(16) == 0
            && client.call(0, NbdClient.FLUSH, 0, 0).error != 0) {
          throw failed(serving);
        }
        rest(random);
      }
    }
  }

  /** Returns what the device has answered with an error, as it has logged it. */
  private IOException failed(DeviceProcess serving) throws IOException {
    tally.add("errors of devices", 1);
    List<String> log = Files.readAllLines(cluster.processes().clientConfDir().resolve(LOG));
    log.removeIf(line -> !line.contains(WARNING));
    return new IOException("The device answers with an error: " + serving.text() + " "
        + log.subList(Math.max(0, log.size() - 2), log.size()));
  }

  private void commit() throws IOException, InterruptedException, TimeoutException {
    while (!isEnding) {
      try {
        CommitStatus status = cluster.commit(file.path);
        boolean isPublished = status.state == CommitStatus.State.PUBLISHED;
        commits.addAndGet(isPublished ? 1 : 0);
        if (!isPublished) {
          tally.note(status.toString());
        }
      } catch (IOException e) {
        // Nodes are away, and perhaps the NameNode that knew the commit. The next round asks anew.
        tally.note("commit of " + file + ": " + e.getMessage());
        tally.add("commits without an answer", 1);
      }
      TimeUnit.MILLISECONDS.sleep(COMMIT_REST_MS);
    }
  }
}
