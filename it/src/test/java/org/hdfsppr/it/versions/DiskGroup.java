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

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.util.StripedBlockUtil;
import org.hdfsppr.core.membership.GroupIdentity;
import org.hdfsppr.it.cluster.BlockGroup;
import org.hdfsppr.it.cluster.LossKind;
import org.hdfsppr.it.cluster.Unit;
import org.hdfsppr.it.cluster.UnitFiles;

/** A block group of a file, and its finalised replicas on the disks of all nodes. */
final class DiskGroup {
  private final VersionsCluster cluster;
  final Path path;
  final ErasureCodingPolicy policy;
  private final ExtendedBlock block;
  private final BlockGroup located;

  /**
   * @param path a file that has the block group
   * @param block the block group
   * @param located its units as the NameNode knows them
   */
  DiskGroup(VersionsCluster cluster, Path path, ErasureCodingPolicy policy, ExtendedBlock block,
      BlockGroup located) {
    this.cluster = cluster;
    this.path = path;
    this.policy = policy;
    this.block = block;
    this.located = located;
  }

  long id() {
    return block.getBlockId();
  }

  GroupIdentity identity() {
    return new GroupIdentity(block.getBlockId(), block.getGenerationStamp(), block.getNumBytes());
  }

  /** Returns how many units the file's code bears to be lost. */
  int parityUnits() {
    return policy.getNumParityUnits();
  }

  /** Returns the units that the block group has if nothing is lost. */
  List<Integer> units() {
    List<Integer> units = new ArrayList<>();
    for (int unit = 0; unit < policy.getNumDataUnits() + parityUnits(); unit++) {
      if (StripedBlockUtil.getInternalBlockLength(block.getNumBytes(), policy.getCellSize(),
          policy.getNumDataUnits(), unit) > 0) {
        units.add(unit);
      }
    }
    return units;
  }

  /** Returns the files of a unit's replica on a node, whether they exist or not. */
  UnitFiles replica(int node, int unit) {
    ExtendedBlock internal = new ExtendedBlock(block);
    internal.setBlockId(block.getBlockId() + unit);
    return UnitFiles.of(cluster.processes, node, internal);
  }

  /** Returns those of some nodes that have a replica of a unit. */
  List<Integer> holders(int unit, Collection<Integer> nodes) {
    List<Integer> holders = new ArrayList<>();
    for (int node : nodes) {
      if (replica(node, unit).exists()) {
        holders.add(node);
      }
    }
    return holders;
  }

  /** Returns a mask of the units of which none of some nodes has a replica. */
  long lost(Collection<Integer> nodes) {
    long lost = 0;
    for (int unit : units()) {
      lost |= holders(unit, nodes).isEmpty() ? 1L << unit : 0;
    }
    return lost;
  }

  /** Returns whether no more units are lost than the file's own code bears. */
  boolean isWithinRow(Collection<Integer> nodes) {
    return Long.bitCount(lost(nodes)) <= parityUnits();
  }

  /**
   * Deletes all replicas of some units from disks, and reports the loss as a reader would that
   * finds out.
   *
   * @param units a mask of units
   */
  void lose(long units) throws IOException, InterruptedException, TimeoutException {
    List<Unit> known = new ArrayList<>();
    for (int unit : units()) {
      if ((units & 1L << unit) != 0) {
        for (int node = 1; node <= VersionsCluster.NODES; node++) {
          UnitFiles replica = replica(node, unit);
          if (replica.exists()) {
            delete(replica);
          }
        }
        known.addAll(located.replicasOf(unit));
      }
    }
    if (!known.isEmpty()) {
      LossKind.REPORT.lose(cluster.processes, cluster.client(), known);
    }
  }

  private static void delete(UnitFiles replica) throws IOException {
    try {
      Files.delete(replica.meta());
      Files.delete(replica.data);
    } catch (NoSuchFileException e) {
      // The node has just deleted an excess replica itself.
      return;
    }
  }

  @Override
  public String toString() {
    return path.toUri().getPath() + " " + block.getLocalBlock();
  }
}
