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
package org.hdfsppr.it.cluster;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;

import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.apache.hadoop.hdfs.util.StripedBlockUtil;

/** A block group of a file as the NameNode sees it now. */
@InterfaceAudience.Private
public final class BlockGroup {
  private final List<Unit> units;

  private BlockGroup(List<Unit> units) {
    this.units = Collections.unmodifiableList(units);
  }

  /** All groups of a file, in the file's order. */
  public static List<BlockGroup> of(HdfsProcessCluster cluster, DistributedFileSystem client,
      Path file) throws IOException {
    List<BlockGroup> groups = new ArrayList<>();
    for (LocatedBlock located : client.getClient()
        .getLocatedBlocks(file.toUri().getPath(), 0, Long.MAX_VALUE).getLocatedBlocks()) {
      groups.add(of(cluster, client, file, (LocatedStripedBlock) located));
    }
    return groups;
  }

  private static BlockGroup of(HdfsProcessCluster cluster, DistributedFileSystem client, Path file,
      LocatedStripedBlock located) throws IOException {
    int cellSize = client.getErasureCodingPolicy(file).getCellSize();
    int dataUnits = client.getErasureCodingPolicy(file).getNumDataUnits();
    byte[] indices = located.getBlockIndices();
    DatanodeInfo[] locations = located.getLocations();
    List<Unit> units = new ArrayList<>();
    for (int i = 0; i < indices.length; i++) {
      units.add(new Unit(indices[i],
          StripedBlockUtil.constructInternalBlock(located.getBlock(), cellSize, dataUnits,
              indices[i]),
          locations[i], cluster.nodeAt(locations[i].getIpAddr())));
    }
    units.sort(Comparator.comparingInt(Unit::index));
    return new BlockGroup(units);
  }

  /** The live units by their index; a unit that is lost is not among them. */
  public List<Unit> units() {
    return units;
  }

  /** How many different units are live. */
  public long distinctUnits() {
    return units.stream().mapToInt(Unit::index).distinct().count();
  }
}
