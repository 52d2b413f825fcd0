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
package org.hdfsppr.client.files;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.hdfs.MiniDFSCluster.DataNodeProperties;
import org.apache.hadoop.hdfs.PprFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.hdfsppr.client.read.UntrustedBytesException;
import org.hdfsppr.client.update.FileUpdater;
import org.hdfsppr.datanode.RepairCluster;
import org.hdfsppr.operate.CommitStatus;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Several clients write into one file and read it, at random, while a DataNode that leads is killed
 * and comes back, and the NameNode starts anew. What they read has to be one history. Set the
 * property updates.seed to run one seed again, and updates.seeds for more of them. With
 * updates.files, as many histories have their files in one cluster at the same time, and share the
 * harm; updates.each makes them shorter.
 */
@Timeout(600)
class TestUpdateHistories {
  private static final int WRITERS = 3;
  private static final int READERS = 2;
  /** The longest update, words. */
  private static final int WORDS_MAX = 400;
  /** Updates of each writer. */
  private static final int UPDATES = Integer.getInteger("updates.each", 240);
  /** Histories at the same time. */
  private static final int FILES = Integer.getInteger("updates.files", 1);

  @TempDir
  Path directory;

  @Test
  void whatClientsReadIsOneHistory() throws Exception {
    try (UpdateCluster cluster = UpdateCluster.start(directory)) {
      rounds(cluster, "without commits", false);
    }
  }

  /** As above, with commits all the time. */
  @Test
  void whatClientsReadIsOneHistoryWhileCommitsReplaceVersions() throws Exception {
    try (UpdateCluster cluster = UpdateCluster.start(directory)) {
      rounds(cluster, "with commits", true);
    }
  }

  /** As above, where nodes of parity units calculate changes from what they know. */
  @Test
  void whatClientsReadIsOneHistoryUnderParix() throws Exception {
    runUnder("parix");
  }

  /** As above, where followers have deltas, so that readers add them when a leader is lost. */
  @Test
  @Tag("slow")
  void whatClientsReadIsOneHistoryUnderBaseline() throws Exception {
    runUnder("baseline");
  }

  /** As above, with one follower, which also forwards the changes of its deltas. */
  @Tag("slow")
  @Test
  void whatClientsReadIsOneHistoryUnderDeltaLog() throws Exception {
    runUnder("delta-log");
  }

  private void runUnder(String strategy) throws Exception {
    try (UpdateCluster cluster = UpdateCluster.start(directory)) {
      cluster.plugin().setUpdatable(UpdateCluster.DIRECTORY, true, strategy);
      rounds(cluster, "under " + strategy, true);
      System.out.println("TestUpdateHistories under " + strategy + ": "
          + cluster.hdfs().counter("UnitChangesFromLog") + " changes from logs, "
          + cluster.hdfs().counter("UnitChangesAsked") + " from other nodes");
    }
  }

  private static void rounds(UpdateCluster cluster, String how, boolean isCommitted)
      throws Exception {
    int seeds = Integer.getInteger("updates.seeds", 1);
    long first = Long.getLong("updates.seed", 20261126L);
    for (int i = 0; i < seeds; i += FILES) {
      System.out.println("TestUpdateHistories " + how + ": updates.seed=" + (first + i)
          + " updates.files=" + FILES + " updates.each=" + UPDATES);
      new Round(cluster, first + i, isCommitted).run();
    }
  }

  /** Some histories at the same time, and the harm that they share. */
  private static final class Round {
    private final UpdateCluster cluster;
    private final long seed;
    private final boolean isCommitted;
    private final AtomicInteger nameNodeState = new AtomicInteger();
    private final List<Run> runs = new ArrayList<>();

    Round(UpdateCluster cluster, long seed, boolean isCommitted) throws IOException {
      this.cluster = cluster;
      this.seed = seed;
      this.isCommitted = isCommitted;
      for (int i = 0; i < FILES; i++) {
        runs.add(new Run(cluster, seed + i, isCommitted, nameNodeState));
      }
    }

    void run() throws Exception {
      ExecutorService threads = Executors.newFixedThreadPool(FILES * Run.THREADS);
      List<Future<?>> running = new ArrayList<>();
      try {
        for (Run run : runs) {
          run.start(threads, running);
        }
        harm();
        for (Future<?> one : running) {
          one.get(300, TimeUnit.SECONDS);
        }
      } finally {
        threads.shutdownNow();
        assertTrue(threads.awaitTermination(60, TimeUnit.SECONDS));
      }
      for (Run run : runs) {
        run.end();
      }
    }

    /** Does harm when parts of the updates are acknowledged. */
    private void harm() throws Exception {
      int all = WRITERS * UPDATES;
      DatanodeInfo leader = RepairCluster.holders(cluster.hdfs().groups(
          UpdateCluster.path(runs.get(0).name)).get(0)).get((int) (seed % UpdateCluster.K));
      awaitAcknowledged(all / 5);
      for (Run run : runs) {
        run.awaitCommit();
      }
      DataNodeProperties killed = cluster.kill(leader);
      awaitAcknowledged(2 * all / 5);
      nameNodeState.incrementAndGet();
      cluster.hdfs().mini().restartNameNode(0, false);
      // Until then, a read of a unit of the lost node may fail.
      for (Run run : runs) {
        run.awaitUnits();
      }
      nameNodeState.incrementAndGet();
      awaitAcknowledged(3 * all / 5);
      cluster.hdfs().mini().restartDataNode(killed, true);
      cluster.hdfs().mini().waitActive();
    }

    private void awaitAcknowledged(int updates) {
      for (Run run : runs) {
        run.awaitAcknowledged(updates);
      }
    }
  }

  /** One history. */
  private static final class Run {
    static final int THREADS = WRITERS + READERS + 1;

    private final UpdateCluster cluster;
    private final long seed;
    private final boolean isCommitted;
    /** Odd while the NameNode starts anew. */
    private final AtomicInteger nameNodeState;
    private final AtomicInteger commits = new AtomicInteger();
    private final String name;
    private final UpdateHistory history;
    private final AtomicInteger writing = new AtomicInteger(WRITERS);
    private final AtomicInteger reads = new AtomicInteger();

    Run(UpdateCluster cluster, long seed, boolean isCommitted, AtomicInteger nameNodeState)
        throws IOException {
      this.isCommitted = isCommitted;
      this.cluster = cluster;
      this.seed = seed;
      this.nameNodeState = nameNodeState;
      this.name = "history-" + seed;
      byte[] content = cluster.write(name, seed);
      history = new UpdateHistory(content);
    }

    void start(ExecutorService threads, List<Future<?>> running) {
      for (int i = 0; i < WRITERS; i++) {
        Random random = new Random(seed * 31 + i);
        running.add(threads.submit(() -> {
          try {
            write(random);
          } finally {
            writing.decrementAndGet();
          }
          return null;
        }));
      }
      for (int i = 0; i < READERS; i++) {
        Random random = new Random(seed * 37 + i);
        running.add(threads.submit(() -> {
          read(random);
          return null;
        }));
      }
      if (isCommitted) {
        running.add(threads.submit(() -> {
          commit();
          return null;
        }));
      }
    }

    void end() throws IOException {
      readAll();
      assertEquals(List.of(), history.wrong, "seed " + seed);
      assertEquals(WRITERS * UPDATES, history.acknowledged(), "seed " + seed);
      if (isCommitted) {
        assertTrue(commits.get() > 0, "no commit was published");
        commitAll();
      }
      try (PprFileSystem fs = cluster.client()) {
        fs.delete(UpdateCluster.path(name), false);
      }
    }

    /** Commits while clients write. With a DataNode killed, units are lost, and commits fail. */
    private void commit() throws IOException, InterruptedException {
      while (writing.get() > 0) {
        try {
          CommitStatus status = cluster.commit(UpdateCluster.path(name));
          commits.addAndGet(status.state == CommitStatus.State.PUBLISHED ? 1 : 0);
          System.out.println("TestUpdateHistories: " + status);
        } catch (IOException | UncheckedIOException e) {
          // The only NameNode starts anew. The next round asks it again.
          System.out.println("TestUpdateHistories: " + e);
        }
        TimeUnit.MILLISECONDS.sleep(200);
      }
    }

    /** Commits what is left. Stock then reads what the extension does, and parities are right. */
    private void commitAll() throws IOException {
      // The NameNode may not have all units back yet, and refuses commits until then.
      RepairCluster.await("all updates of " + name + " are committed", () -> {
        try {
          CommitStatus status = cluster.commit(UpdateCluster.path(name));
          boolean isRefused = status.toString().contains("which repairs bring back first")
              || status.toString().contains("a repair brings it back first");
          assertTrue(isRefused || status.state != CommitStatus.State.FAILED, status.toString());
          return !isRefused;
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      });
      int length = history.words() * UpdateHistory.WORD;
      byte[] content;
      try (PprFileSystem fs = cluster.client()) {
        content = CommitChecks.read(fs, UpdateCluster.path(name), length);
      }
      new CommitChecks(cluster).assertCommitted(UpdateCluster.path(name), content);
      readAll();
      assertEquals(List.of(), history.wrong, "seed " + seed);
    }

    /** Waits for the first commit. While a DataNode is away there may be none. */
    private void awaitCommit() {
      if (isCommitted) {
        RepairCluster.await("a commit is published", () -> commits.get() > 0);
      }
    }

    /** Waits until the NameNode knows enough units of each group to decode the others. */
    private void awaitUnits() {
      RepairCluster.await("the NameNode knows units of " + name, () -> {
        try {
          return !cluster.hdfs().mini().getNamesystem().isInSafeMode()
              && cluster.hdfs().groups(UpdateCluster.path(name)).stream().allMatch(group ->
                  RepairCluster.holders(group).size() >= Math.min(UpdateCluster.K,
                      (group.getBlockSize() + UpdateCluster.CELL - 1) / UpdateCluster.CELL));
        } catch (IOException e) {
          // The NameNode does not answer yet.
          return false;
        }
      });
    }

    /** Waits until there are enough reads to show something. */
    private void awaitReads() {
      RepairCluster.await("files are read while they change", () -> reads.get() >= UPDATES / 8);
    }

    /** Waits for acknowledged updates, or until a writer has failed, as its result will say. */
    private void awaitAcknowledged(int updates) {
      RepairCluster.await(updates + " updates are acknowledged", () ->
          history.acknowledged() >= updates || writing.get() < WRITERS);
    }

    private void write(Random random) throws IOException {
      try (PprFileSystem fs = cluster.client()) {
        FileUpdater updater = fs.openForUpdate(UpdateCluster.path(name));
        int left = UPDATES;
        while (left > 0) {
          if (left <= UPDATES / 2) {
            // The slower the machine is, the more updates are made during one commit or one read.
            awaitCommit();
            awaitReads();
          }
          List<UpdateHistory.Update> under = new ArrayList<>();
          for (int i = Math.min(left, 1 + random.nextInt(4)); i > 0; i--) {
            int words = 1 + random.nextInt(WORDS_MAX);
            UpdateHistory.Update update =
                history.begin(random.nextInt(history.words() - words + 1), words);
            updater.write(update.position(), update.bytes());
            under.add(update);
            left--;
          }
          int stateBefore = nameNodeState.get();
          try {
            updater.hflush();
          } catch (IOException e) {
            updater = doubted(fs, updater, stateBefore, e);
            left += under.size();
            continue;
          }
          if (random.nextInt(8) == 0) {
            updater = synced(fs, updater, stateBefore);
          }
          history.acknowledge(under);
        }
        updater.close();
      }
    }

    /**
     * Opens the file anew after a flush that does not know whether updates are in the file: a
     * commit may have dropped them from the logs before the writer could ask again, or the only
     * NameNode has started anew, for which stock's clients do not wait. The updates may take effect
     * or not, and the caller writes others.
     *
     * @param stateBefore {@link #nameNodeState} when the flush began
     */
    private FileUpdater doubted(PprFileSystem fs, FileUpdater updater, int stateBefore,
        IOException why) throws IOException {
      System.out.println("TestUpdateHistories: " + why.getMessage());
      boolean isOfNameNode = wasAway(stateBefore);
      boolean isOfCommit = isCommitted && why.getMessage().contains("It is not known whether");
      if (!isOfNameNode && !isOfCommit) {
        throw why;
      }
      closeDoubted(updater, isOfNameNode);
      return reopened(fs);
    }

    /** Closes after a failure. Closing fails too, unless a NameNode that was away was the cause. */
    private static void closeDoubted(FileUpdater updater, boolean isOfNameNode) {
      if (!isOfNameNode) {
        assertThrows(IOException.class, updater::close);
        return;
      }
      try {
        updater.close();
      } catch (IOException e) {
        System.out.println("TestUpdateHistories: closed, " + e.getMessage());
      }
    }

    /** Returns whether the only NameNode has started anew since then. */
    private boolean wasAway(int stateBefore) {
      return stateBefore % 2 == 1 || stateBefore != nameNodeState.get();
    }

    /** Opens the file, also while the only NameNode starts anew, for which stock does not wait. */
    private FileUpdater reopened(PprFileSystem fs) {
      AtomicReference<FileUpdater> updater = new AtomicReference<>();
      RepairCluster.await("the file is open", () -> {
        try {
          updater.set(fs.openForUpdate(UpdateCluster.path(name)));
        } catch (IOException e) {
          System.out.println("TestUpdateHistories: " + e.getMessage());
        }
        return updater.get() != null;
      });
      return updater.get();
    }

    /**
     * Syncs. If holders have changed twice since the last one, it may fail and say so.
     *
     * @param stateBefore {@link #nameNodeState} at some time before
     * @return the updater with which the caller goes on
     */
    private FileUpdater synced(PprFileSystem fs, FileUpdater updater, int stateBefore) {
      try {
        updater.hsync();
        return updater;
      } catch (IOException e) {
        assertTrue(e.getMessage().contains("survived the failures") || wasAway(stateBefore),
            e.toString());
        closeDoubted(updater, wasAway(stateBefore));
        return reopened(fs);
      }
    }

    private void read(Random random) throws IOException {
      try (PprFileSystem fs = cluster.client()) {
        try {
          readOpen(fs, random);
        } catch (UntrustedBytesException e) {
          // It opened the file before its first update, and has not seen one before the commit.
          assertTrue(isCommitted, e.toString());
          readOpen(fs, random);
        }
      }
    }

    private void readOpen(PprFileSystem fs, Random random) throws IOException {
      try (FSDataInputStream in = fs.open(UpdateCluster.path(name))) {
        while (writing.get() > 0) {
          int words = 1 + random.nextInt(random.nextInt(4) == 0 ? history.words() : 500);
          int stateBefore = nameNodeState.get();
          try {
            read(in, random.nextInt(history.words() - words + 1), words);
          } catch (IOException e) {
            if (!wasAway(stateBefore)) {
              throw e;
            }
            System.out.println("TestUpdateHistories: " + e.getMessage());
            continue;
          }
          reads.incrementAndGet();
        }
      }
    }

    private void read(FSDataInputStream in, int first, int words) throws IOException {
      byte[] read = new byte[words * UpdateHistory.WORD];
      Arrays.fill(read, (byte) -1);
      long begun = history.now();
      in.readFully((long) first * UpdateHistory.WORD, read);
      history.check(first, read, begun);
    }

    private void readAll() throws IOException {
      try (PprFileSystem fs = cluster.client();
          FSDataInputStream in = fs.open(UpdateCluster.path(name))) {
        read(in, 0, history.words());
      }
    }
  }

  @Test
  void theCheckerFindsWhatIsNoHistory() {
    UpdateHistory history = new UpdateHistory(new byte[4 * UpdateHistory.WORD]);
    UpdateHistory.Update first = history.begin(0, 2);
    history.acknowledge(List.of(first));
    UpdateHistory.Update second = history.begin(1, 2);
    long during = history.now();
    byte[] old = new byte[2 * UpdateHistory.WORD];
    history.check(0, first.bytes(), during);
    history.check(1, second.bytes(), during);
    history.check(2, old, during);
    assertTrue(history.wrong.isEmpty(), history.wrong.toString());
    history.check(0, old, during);
    assertEquals(1, history.wrong.size(), "an acknowledged update is lost");
    history.acknowledge(List.of(second));
    history.check(0, first.bytes(), history.now());
    assertEquals(2, history.wrong.size(), "an older update has come back");
    history.check(0, second.bytes(), history.now());
    assertEquals(3, history.wrong.size(), "an update is where it was not written");
    Arrays.fill(old, (byte) 9);
    history.check(3, Arrays.copyOf(old, UpdateHistory.WORD), history.now());
    assertEquals(4, history.wrong.size(), "what was never written");
    assertFalse(history.acknowledged() == 0);
  }

  @Test
  void theCheckerRemembersWhatReadsHaveSeen() {
    UpdateHistory history = new UpdateHistory(new byte[2 * UpdateHistory.WORD]);
    UpdateHistory.Update first = history.begin(0, 1);
    history.check(0, first.bytes(), history.now());
    assertEquals(List.of(), history.wrong);
    history.check(0, new byte[UpdateHistory.WORD], history.now());
    assertEquals(1, history.wrong.size(), "an update was seen, and is lost");
    // Both under way at the same time: either may be over the other, but not in turn.
    UpdateHistory.Update second = history.begin(1, 1);
    UpdateHistory.Update third = history.begin(1, 1);
    history.check(1, second.bytes(), history.now());
    long early = history.now();
    history.check(1, third.bytes(), history.now());
    assertEquals(1, history.wrong.size());
    history.check(1, second.bytes(), early);
    assertEquals(1, history.wrong.size(), "this read began before the other had ended");
    history.check(1, second.bytes(), history.now());
    assertEquals(2, history.wrong.size(), "an update came back from under another one");
  }
}
