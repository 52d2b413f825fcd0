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
package org.hdfsppr.bench;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.TimeoutException;

import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.hdfsppr.it.cluster.BlockGroup;
import org.hdfsppr.it.cluster.HdfsProcessCluster;
import org.hdfsppr.it.cluster.Unit;
import org.hdfsppr.it.cluster.UnitFiles;
import org.hdfsppr.it.convert.PprCommand;
import org.hdfsppr.it.read.ReadOracle;
import org.hdfsppr.it.util.Await;
import org.hdfsppr.it.util.EcCode;

/**
 * Files that are converted while a node is lost, each of one full block group. None of them has a
 * unit on the lost node, so that a run with the conversion repairs the same units as one without.
 */
final class FilesToConvert {
  private static final Duration WHOLE_LIMIT = Duration.ofMinutes(3);
  private static final Duration CONVERTED_LIMIT = Duration.ofMinutes(60);
  private static final Duration POLL = Duration.ofSeconds(1);
  /** The node is lost when this many files are converted: the conversion is in full swing then. */
  private static final int BEFORE_LOSS = 4;
  /** Seeds of the files' bytes, which no file of the lost node has. */
  private static final int SEED = 1_000_000;

  private final Path folder;
  private final EcCode to;
  private final long fileBytes;
  private final List<Path> files = new ArrayList<>();

  private FilesToConvert(Path folder, EcCode to, long fileBytes) {
    this.folder = folder;
    this.to = to;
    this.fileBytes = fileBytes;
  }

  /**
   * Writes the files, and keeps those without a unit on one node.
   *
   * @param count how many files are written
   * @param without the number of the node
   */
  static FilesToConvert write(HdfsProcessCluster cluster, DistributedFileSystem client,
      EcCode from, EcCode to, long blockBytes, int count, int without)
      throws IOException, InterruptedException, TimeoutException {
    FilesToConvert written = new FilesToConvert(new Path("/bench/" + from.label() + "/convert"),
        to, blockBytes * from.dataUnits());
    client.mkdirs(written.folder);
    client.setErasureCodingPolicy(written.folder, from.policy());
    List<Unit> deleted = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Path file = new Path(written.folder, "f" + i);
      new ReadOracle(SEED + written.files.size()).write(client, file, blockBytes,
          written.fileBytes);
      AwaitedUnits.known(cluster, client, file, from, WHOLE_LIMIT);
      BlockGroup group = BlockGroup.of(cluster, client, file).get(0);
      if (group.on(without).isPresent()) {
        client.delete(file, false);
        deleted.addAll(group.units);
      } else {
        written.files.add(file);
      }
    }
    if (written.files.size() <= BEFORE_LOSS) {
      throw new IllegalArgumentException("of " + count + " files to convert only "
          + written.files.size() + " have no unit on dn" + without + "; write more of them");
    }
    // The cluster is saved next. No NameNode would know a unit that is there still.
    Await.until("the units of deleted files are gone", WHOLE_LIMIT, POLL, () -> {
      for (Unit unit : deleted) {
        if (UnitFiles.of(cluster, unit.node, unit.block).exists()) {
          return false;
        }
      }
      return true;
    });
    return written;
  }

  /** Begins the conversion, and returns when it is under way. */
  Conversion start(HdfsProcessCluster cluster, DistributedFileSystem client)
      throws IOException, InterruptedException, TimeoutException {
    to.enable(client);
    PprCommand.run(cluster, CONVERTED_LIMIT, List.of("-convert", "-policy", to.policy(), "-idle",
        "0", "-grace", "30s", folder.toUri().getPath()));
    Conversion conversion = new Conversion(client);
    conversion.start();
    boolean isUnderWay = false;
    try {
      Await.until("files are converted", CONVERTED_LIMIT, POLL,
          () -> conversion.convertedBy(System.currentTimeMillis()) >= BEFORE_LOSS);
      isUnderWay = true;
    } finally {
      if (!isUnderWay) {
        conversion.close();
      }
    }
    return conversion;
  }

  /** A conversion that is under way. Counts the files that have the new policy each second. */
  final class Conversion extends Thread implements AutoCloseable {
    private final DistributedFileSystem client;
    private final NavigableMap<Long, Integer> convertedByMs = new TreeMap<>();
    private volatile boolean isClosed;

    private Conversion(DistributedFileSystem client) {
      super("bench-converted");
      this.client = client;
      setDaemon(true);
    }

    @Override
    public void run() {
      while (!isClosed) {
        try {
          int converted = count();
          synchronized (convertedByMs) {
            convertedByMs.put(System.currentTimeMillis(), converted);
          }
          Thread.sleep(POLL.toMillis());
        } catch (IOException e) {
          // A file is between its two versions for a moment, or the NameNode is busy.
          System.err.println("The converted files cannot be counted now: " + e);
        } catch (InterruptedException e) {
          return;
        }
      }
    }

    private int count() throws IOException {
      int converted = 0;
      for (Path file : files) {
        converted += client.getErasureCodingPolicy(file).getName().equals(to.policy()) ? 1 : 0;
      }
      return converted;
    }

    /** Returns how many files had the new policy at a time, ms since 1970. */
    int convertedBy(long timeMs) {
      synchronized (convertedByMs) {
        return convertedByMs.isEmpty() || convertedByMs.floorEntry(timeMs) == null ? 0
            : convertedByMs.floorEntry(timeMs).getValue();
      }
    }

    /** Returns how many files are to be converted. */
    int files() {
      return files.size();
    }

    /** Waits until all files are converted, and returns what is wrong with them. */
    List<String> finish() throws IOException, InterruptedException, TimeoutException {
      Await.until("all files are converted", CONVERTED_LIMIT, POLL,
          () -> count() == files.size());
      List<String> wrong = new ArrayList<>();
      for (int i = 0; i < files.size(); i++) {
        if (!new ReadOracle(SEED + i).isContentOf(client, files.get(i), fileBytes)) {
          wrong.add(files.get(i) + " has other bytes");
        }
      }
      return wrong;
    }

    @Override
    public void close() {
      // The thread ends with its sleep, or with its count.
      isClosed = true;
      interrupt();
    }
  }
}
