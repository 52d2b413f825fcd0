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
package org.hdfsppr.it.codes;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.hdfsppr.it.cluster.BlockGroup;
import org.hdfsppr.it.cluster.HdfsProcessCluster;
import org.hdfsppr.it.cluster.LossKind;
import org.hdfsppr.it.cluster.UnitFiles;
import org.hdfsppr.it.cluster.Unit;
import org.hdfsppr.it.util.EcCode;
import org.hdfsppr.it.util.TestFile;

/** A file of one block group, and its units that are lost together. */
final class Loss {
  private static final long CELLS_PER_BLOCK = 4;

  private final TestedPolicy policy;
  final int[] indices;
  private final long fileBytes;
  private final Path file;
  private final long seed;
  private final Map<Unit, String> digests = new HashMap<>();

  /**
   * Chooses the lost units by their indices. The file must have at least one cell in each lost data
   * unit.
   */
  Loss(TestedPolicy policy, int[] indices, long fileBytes, long seed) {
    this.policy = policy;
    this.indices = indices;
    this.fileBytes = fileBytes;
    this.seed = seed;
    this.file = new Path(policy.directory(), fileBytes + "-without-"
        + Arrays.toString(indices).replaceAll("[^0-9]+", "."));
  }

  void write(DistributedFileSystem client) throws IOException {
    TestFile.write(client, file, CELLS_PER_BLOCK * policy.cellBytes(), fileBytes, seed);
  }

  private BlockGroup group(HdfsProcessCluster cluster, DistributedFileSystem client)
      throws IOException {
    List<BlockGroup> groups = BlockGroup.of(cluster, client, file);
    if (groups.size() != 1) {
      throw new IOException(file + " has " + groups.size() + " block groups instead of 1");
    }
    return groups.get(0);
  }

  /** Returns whether the NameNode knows exactly one replica of every unit. */
  boolean isWritten(HdfsProcessCluster cluster, DistributedFileSystem client)
      throws IOException {
    long cells = (fileBytes - 1) / policy.cellBytes() + 1;
    EcCode code = policy.code;
    BlockGroup group = group(cluster, client);
    return group.distinctUnits() == Math.min(cells, code.dataUnits()) + code.parityUnits()
        && group.distinctUnits() == group.units.size();
  }

  /** Records digests of the units that are to be lost, and then loses all of them at once. */
  void lose(HdfsProcessCluster cluster, DistributedFileSystem client) throws Exception {
    BlockGroup group = group(cluster, client);
    for (int index : indices) {
      List<Unit> replicas = group.replicasOf(index);
      if (replicas.size() != 1) {
        throw new IOException("Unit " + index + " of " + file + ": " + replicas);
      }
      Unit unit = replicas.get(0);
      digests.put(unit, UnitFiles.of(cluster, unit.node, unit.block).digest());
    }
    LossKind.REPORT.lose(cluster, client, new ArrayList<>(digests.keySet()));
  }

  /** Returns the rebuilt units by their indices. */
  Map<Integer, Unit> rebuilt(HdfsProcessCluster cluster, DistributedFileSystem client)
      throws IOException {
    Map<Integer, Unit> rebuilt = new TreeMap<>();
    BlockGroup now = group(cluster, client);
    for (Unit lost : digests.keySet()) {
      Optional<Unit> other = now.replicasOf(lost.index).stream()
          .filter(unit -> unit.node != lost.node).findFirst();
      other.ifPresent(unit -> rebuilt.put(unit.index, unit));
    }
    return rebuilt;
  }

  boolean isRebuilt(HdfsProcessCluster cluster, DistributedFileSystem client)
      throws IOException {
    return rebuilt(cluster, client).size() == indices.length;
  }

  /**
   * Lists what is wrong with the rebuilt units, or with the file as a client reads it; empty if
   * nothing is wrong.
   */
  List<String> faults(HdfsProcessCluster cluster, DistributedFileSystem client)
      throws IOException {
    List<String> faults = new ArrayList<>();
    Map<Integer, Unit> rebuilt = rebuilt(cluster, client);
    for (Map.Entry<Unit, String> lost : digests.entrySet()) {
      Unit unit = rebuilt.get(lost.getKey().index);
      if (!UnitFiles.of(cluster, unit.node, unit.block).digest()
          .equals(lost.getValue())) {
        faults.add(file + ": " + unit + " is not what " + lost.getKey() + " was");
      }
    }
    if (!TestFile.holds(client, file, fileBytes, seed)) {
      faults.add(file + " does not read as it was written");
    }
    return faults;
  }

  @Override
  public String toString() {
    return file.toString();
  }
}
