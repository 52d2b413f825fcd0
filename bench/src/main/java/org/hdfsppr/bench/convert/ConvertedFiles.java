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
package org.hdfsppr.bench.convert;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.util.StripedBlockUtil;
import org.hdfsppr.it.cluster.BlockGroup;
import org.hdfsppr.it.cluster.HdfsProcessCluster;
import org.hdfsppr.it.cluster.Unit;
import org.hdfsppr.it.convert.ParityOnDisk;
import org.hdfsppr.it.read.ReadOracle;
import org.hdfsppr.it.util.Await;
import org.hdfsppr.it.util.EcCode;

/** The files of a benchmark in one folder, all of the same length. */
final class ConvertedFiles {
  private static final Duration WHOLE_LIMIT = Duration.ofMinutes(3);
  private static final Duration POLL = Duration.ofMillis(200);

  /** Streams that write or read at a time. More do not help two cores. */
  private static final int STREAMS = 8;

  final Path folder;
  private final int files;
  final long fileBytes;
  private final long blockBytes;

  /**
   * @param fileBytes the length of each file, bytes
   * @param blockBytes the size of an internal block, bytes
   */
  ConvertedFiles(Path folder, int files, long fileBytes, long blockBytes) {
    this.folder = folder;
    this.files = files;
    this.fileBytes = fileBytes;
    this.blockBytes = blockBytes;
  }

  int count() {
    return files;
  }

  /** Returns how many block groups all files have together. */
  long groups(EcCode code) {
    long groupBytes = blockBytes * code.dataUnits();
    return files * ((fileBytes + groupBytes - 1) / groupBytes);
  }

  /** Returns the paths of the files; a {@link ReadOracle} with seed i wrote file i. */
  List<Path> paths() {
    return IntStream.range(0, files).mapToObj(i -> new Path(folder, "f" + i))
        .collect(Collectors.toList());
  }

  /** Writes the files, and returns when the NameNode knows all their units. */
  void write(HdfsProcessCluster cluster, DistributedFileSystem client, EcCode code)
      throws IOException, InterruptedException, TimeoutException {
    client.mkdirs(folder);
    client.setErasureCodingPolicy(folder, code.policy());
    List<Path> paths = paths();
    ManyTasks.run(STREAMS, IntStream.range(0, files).boxed().collect(Collectors.toList()),
        i -> new ReadOracle(i).write(client, paths.get(i), blockBytes, fileBytes));
    for (Path file : paths) {
      Await.until("the NameNode knows all units of " + file, WHOLE_LIMIT, POLL,
          () -> isWhole(cluster, client, file, code));
    }
  }

  private boolean isWhole(HdfsProcessCluster cluster, DistributedFileSystem client, Path file,
      EcCode code) throws IOException {
    long left = fileBytes;
    for (BlockGroup group : BlockGroup.of(cluster, client, file)) {
      long bytes = Math.min(left, blockBytes * code.dataUnits());
      left -= bytes;
      long units = IntStream.range(0, code.units()).filter(index -> StripedBlockUtil
          .getInternalBlockLength(bytes, EcCode.CELL_BYTES, code.dataUnits(), index) > 0)
          .count();
      if (group.distinctUnits() != units) {
        return false;
      }
    }
    return left == 0;
  }

  /** Returns the ids of the internal blocks that the files have now. */
  Set<Long> blockIds(HdfsProcessCluster cluster, DistributedFileSystem client)
      throws IOException {
    Set<Long> ids = new TreeSet<>();
    for (Path file : paths()) {
      for (BlockGroup group : BlockGroup.of(cluster, client, file)) {
        for (Unit unit : group.units) {
          ids.add(unit.block.getBlockId());
        }
      }
    }
    return ids;
  }

  /**
   * Lists the files that have another policy, other bytes or another parity than they should, or
   * that cannot be read.
   */
  List<String> wrong(HdfsProcessCluster cluster, DistributedFileSystem client, EcCode code)
      throws IOException, InterruptedException {
    List<String> wrong = Collections.synchronizedList(new ArrayList<>());
    List<Path> paths = paths();
    ParityOnDisk parity = new ParityOnDisk(cluster, client);
    ManyTasks.run(STREAMS, IntStream.range(0, files).boxed().collect(Collectors.toList()), i -> {
      Path file = paths.get(i);
      try {
        ErasureCodingPolicy policy = client.getErasureCodingPolicy(file);
        if (policy == null || !policy.getName().equals(code.policy())) {
          wrong.add(file + " has the policy " + policy);
        }
        if (!new ReadOracle(i).isContentOf(client, file, fileBytes)) {
          wrong.add(file + " has other bytes");
        }
        wrong.addAll(parity.wrong(file));
      } catch (IOException e) {
        wrong.add(file + " cannot be checked: " + e);
      }
    });
    return wrong;
  }
}
