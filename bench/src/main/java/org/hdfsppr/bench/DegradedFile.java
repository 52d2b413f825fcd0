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
import java.util.List;
import java.util.concurrent.TimeoutException;

import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.hdfsppr.it.cluster.BlockGroup;
import org.hdfsppr.it.cluster.HdfsProcessCluster;
import org.hdfsppr.it.read.ReadOracle;
import org.hdfsppr.bench.read.ReadRequest;
import org.hdfsppr.it.util.Await;
import org.hdfsppr.it.util.EcCode;

/** The file that the clients read. It consists of full block groups with cells of 1 MiB. */
final class DegradedFile {
  static final int CELL_BYTES = 1 << 20;

  private static final long SEED = 20260101;
  private static final Duration LIMIT = Duration.ofMinutes(3);
  private static final Duration POLL = Duration.ofMillis(250);

  private final EcCode code;
  private final long blockBytes;
  final int groups;

  DegradedFile(EcCode code, long blockBytes, int groups) {
    this.code = code;
    this.blockBytes = blockBytes;
    this.groups = groups;
  }

  int stripesPerGroup() {
    return (int) (blockBytes / CELL_BYTES);
  }

  long bytes() {
    return blockBytes * code.dataUnits() * groups;
  }

  /**
   * Returns the offset in the file, in bytes, of the cell of a data unit in a stripe of a group.
   */
  long cellOffset(int group, int stripe, int unit) {
    return blockBytes * code.dataUnits() * group
        + ((long) stripe * code.dataUnits() + unit) * CELL_BYTES;
  }

  private Path path() {
    return new Path("/bench/" + code.label() + "/degraded");
  }

  /** Writes the file through a client on the host. */
  void write(HdfsProcessCluster cluster, DistributedFileSystem client)
      throws IOException, InterruptedException, TimeoutException {
    client.mkdirs(path().getParent());
    client.setErasureCodingPolicy(path().getParent(), code.policy());
    new ReadOracle(SEED).write(client, path(), blockBytes, bytes());
    awaitUnits(cluster, client, code.units());
  }

  /**
   * Waits until the NameNode reports exactly {@code units} live units of every group, each with a
   * single replica.
   */
  void awaitUnits(HdfsProcessCluster cluster, DistributedFileSystem client, int units)
      throws IOException, InterruptedException, TimeoutException {
    Await.until("the NameNode names " + units + " units of each group of " + path(), LIMIT, POLL,
        () -> located(cluster, client).stream().allMatch(
            group -> group.distinctUnits() == units && group.units.size() == units));
  }

  private List<BlockGroup> located(HdfsProcessCluster cluster, DistributedFileSystem client)
      throws IOException {
    return BlockGroup.of(cluster, client, path());
  }

  /**
   * Returns, for each group, the index of the data unit that a node holds, or -1 if the node holds
   * no data unit of the group.
   */
  int[] dataUnitsOn(HdfsProcessCluster cluster, DistributedFileSystem client, int node)
      throws IOException {
    return located(cluster, client).stream()
        .mapToInt(group -> group.on(node).map(unit -> unit.index)
            .filter(index -> index < code.dataUnits()).orElse(-1)).toArray();
  }

  /**
   * Returns the number of a node that holds the unit with index {@code unit} of the first group.
   */
  int holder(HdfsProcessCluster cluster, DistributedFileSystem client, int unit)
      throws IOException {
    return located(cluster, client).get(0).replicasOf(unit).get(0).node;
  }

  /** Returns a request for ranges of this file. */
  ReadRequest request(List<ReadRequest.Range> ranges) {
    return new ReadRequest(path().toUri().getPath(), SEED, ranges);
  }
}
