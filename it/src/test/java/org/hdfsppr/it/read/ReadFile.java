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
package org.hdfsppr.it.read;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeoutException;

import org.apache.hadoop.fs.Path;
import org.hdfsppr.it.cluster.BlockGroup;
import org.hdfsppr.it.cluster.Unit;
import org.hdfsppr.it.util.Await;

/**
 * A striped file: its content, and the positions of its cells.
 *
 * <pre>
 *   group g, stripe s, data unit u: the cell from g * group + (s * k + u) * cell on
 * </pre>
 */
final class ReadFile {
  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final Duration POLL = Duration.ofMillis(100);

  final ReadCode code;
  final Path path;
  private final long blockBytes;
  final long length;
  final ReadOracle oracle;
  final List<BlockGroup> groups = new ArrayList<>();

  /** Describes a file. Only {@link #write} writes it. */
  ReadFile(ReadCode code, Path path, long blockBytes, long length, long seed) {
    this.code = code;
    this.path = path;
    this.blockBytes = blockBytes;
    this.length = length;
    this.oracle = new ReadOracle(seed);
  }

  /** Writes the file, and returns when the NameNode knows all its units. */
  void write(ReadCluster cluster) throws IOException, InterruptedException, TimeoutException {
    oracle.write(cluster.writer(), path, blockBytes, length);
    Await.until("all units of " + path + " are reported", LIMIT, POLL, () -> {
      groups.clear();
      groups.addAll(BlockGroup.of(cluster.processes(), cluster.writer(), path));
      for (int group = 0; group < groups.size(); group++) {
        if (groups.get(group).distinctUnits() != unitsOf(group)) {
          return false;
        }
      }
      return true;
    });
  }

  private long unitsOf(int group) {
    long cells = Math.min(bytesOf(group) + code.cellBytes() - 1, groupBytes()) / code.cellBytes();
    return Math.min(cells, code.dataUnits()) + code.policy.getNumParityUnits();
  }

  private long bytesOf(int group) {
    return Math.min(groupBytes(), length - group * groupBytes());
  }

  private long groupBytes() {
    return blockBytes * code.dataUnits();
  }

  /** Returns the index of the group that contains an offset. */
  int groupAt(long offset) {
    return (int) (offset / groupBytes());
  }

  /** Returns the index of the data unit that contains an offset. */
  int unitAt(long offset) {
    return (int) (offset % groupBytes() / code.cellBytes() % code.dataUnits());
  }

  /** Returns the offset of the first byte behind a cell. */
  long cellEnd(long offset) {
    return (offset / code.cellBytes() + 1) * code.cellBytes();
  }

  /** Returns the node that held the byte when the file was written; empty if no node did. */
  Optional<Integer> nodeAt(long offset) {
    return groups.get(groupAt(offset)).replicasOf(unitAt(offset)).stream().map(unit -> unit.node)
        .findFirst();
  }

  /**
   * Returns the offset in the file of a byte of a data unit's replica. The result is beyond the
   * file's end if the byte is not part of the file.
   */
  long offsetOf(int group, Unit unit, long inReplica) {
    long stripe = inReplica / code.cellBytes();
    return group * groupBytes() + (stripe * code.dataUnits() + unit.index) * code.cellBytes()
        + inReplica % code.cellBytes();
  }

  boolean isData(Unit unit) {
    return unit.index < code.dataUnits();
  }

  @Override
  public String toString() {
    return path + " (" + length + " bytes)";
  }
}
