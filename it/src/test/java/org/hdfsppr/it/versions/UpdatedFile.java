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

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.hdfsppr.client.files.UpdateHistory;
import org.hdfsppr.client.update.FileUpdater;
import org.hdfsppr.it.convert.ParityOnDisk;
import org.hdfsppr.it.convert.PprCommand;
import org.hdfsppr.it.util.Await;
import org.hdfsppr.operate.WaitingUpdates;

/** A file that clients update, and what they have written into it and read from it. */
final class UpdatedFile {
  static final int WORDS_PER_CELL = UpdatesCluster.CELL / UpdateHistory.WORD;
  private static final Duration COMMAND_LIMIT = Duration.ofMinutes(3);

  private final UpdatesCluster cluster;
  final Path path;
  final UpdateHistory history;
  private final int bytes;

  UpdatedFile(UpdatesCluster cluster, Path path, byte[] content) {
    this.cluster = cluster;
    this.path = path;
    this.history = new UpdateHistory(content);
    this.bytes = content.length;
  }

  /** Writes up to a cell at a time, at random, and flushes. */
  void update(FileUpdater updater, Random random, int updates) throws IOException {
    List<UpdateHistory.Update> under = new ArrayList<>();
    for (int i = 0; i < updates; i++) {
      int words = 1 + random.nextInt(WORDS_PER_CELL);
      UpdateHistory.Update update =
          history.begin(random.nextInt(history.words() - words + 1), words);
      updater.write(update.position(), update.bytes());
      under.add(update);
    }
    updater.hflush();
    history.acknowledge(under);
  }

  /** Reads some words and takes them into the history. */
  void read(FSDataInputStream in, int first, int words) throws IOException {
    byte[] read = new byte[words * UpdateHistory.WORD];
    Arrays.fill(read, (byte) -1);
    long begun = history.now();
    in.readFully((long) first * UpdateHistory.WORD, read);
    history.check(first, read, begun);
  }

  /**
   * Reads all as a client of the extension that knows nothing yet; returns the bytes. The NameNode
   * refuses that as long as it takes all holders of a log for dead.
   */
  byte[] readAll() throws IOException, InterruptedException, TimeoutException {
    byte[][] read = {null};
    try (FileSystem fs = cluster.client()) {
      Await.until("holders of logs are back", UpdatesCluster.LIMIT, UpdatesCluster.POLL, () -> {
        try {
          read[0] = readAll(fs);
          return true;
        } catch (IOException e) {
          if (!String.valueOf(e.getMessage()).contains("too few of them answer")) {
            throw e;
          }
          return false;
        }
      });
    }
    return read[0];
  }

  private byte[] readAll(FileSystem fs) throws IOException {
    byte[] read = new byte[bytes];
    long begun = history.now();
    try (FSDataInputStream in = fs.open(path)) {
      in.readFully(0, read);
    }
    history.check(0, read, begun);
    return read;
  }

  void assertOneHistory() {
    assertEquals(List.of(), history.wrong, () -> "reads of " + path);
  }

  /**
   * Commits all updates. Stock's client and the extension's then read the same version, which has
   * every acknowledged update, all parities are right, and the logs are empty.
   */
  void commitAndCheck() throws IOException, InterruptedException, TimeoutException {
    byte[] before = readAll();
    cluster.commitAll(path);
    PprCommand.run(cluster.processes(), COMMAND_LIMIT,
        List.of("-commit", path.toUri().getPath()));
    byte[] stock = readAll(cluster.versions().client());
    assertArrayEquals(before, stock, () -> path + " as stock reads it");
    assertArrayEquals(stock, readAll(), () -> path + " as the extension reads it");
    assertOneHistory();
    String[] wrong = {""};
    Await.until(() -> "parities are right: " + wrong[0], UpdatesCluster.LIMIT,
        UpdatesCluster.POLL, () -> {
          List<String> found =
              new ParityOnDisk(cluster.processes(), cluster.versions().client()).wrong(path);
          wrong[0] = found.toString();
          assertTrue(found.stream().noneMatch(one -> one.contains("in the stripe")), wrong[0]);
          // Otherwise a unit is not reported yet, or an excess one not deleted.
          return found.isEmpty();
        });
    PprCommand.run(cluster.processes(), COMMAND_LIMIT,
        List.of("-verify", path.toUri().getPath()));
    WaitingUpdates[] pending = {null};
    Await.until(() -> "the logs are empty: " + pending[0], UpdatesCluster.LIMIT,
        UpdatesCluster.POLL, () -> {
          pending[0] = cluster.plugin().pendingUpdates(path.toUri().getPath());
          return pending[0].silentUnits == 0 && pending[0].updates == 0
              && pending[0].committed == pending[0].trimmed;
        });
  }

  @Override
  public String toString() {
    return path.toUri().getPath();
  }
}
