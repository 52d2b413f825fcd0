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
package org.apache.hadoop.hdfs;

import java.io.IOException;
import java.util.Arrays;
import java.util.Map;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.protocol.AddErasureCodingPolicyResponse;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.apache.hadoop.io.erasurecode.ECSchema;
import org.hdfsppr.datanode.RepairCluster;

/** A file of several block groups, each of which has lost the same units. */
final class LostFile {
  private static final int CELLS_OF_UNIT = 4;

  final Path path;
  /** The bytes that were written. */
  final byte[] content;

  /**
   * @param spec the codec, k, m and the indices of the lost units, such as {@code rs-6-3:0,8}
   */
  LostFile(RepairCluster cluster, int cellBytes, String spec, int bytes, long seed)
      throws IOException {
    String[] parts = spec.split(":");
    int parity = parts[0].lastIndexOf('-');
    int data = parts[0].lastIndexOf('-', parity - 1);
    int k = Integer.parseInt(parts[0].substring(data + 1, parity));
    int m = Integer.parseInt(parts[0].substring(parity + 1));
    path = new Path(policy(cluster, new ErasureCodingPolicy(
        new ECSchema(parts[0].substring(0, data), k, m), cellBytes)),
        "f" + bytes + "-" + seed + "-" + parts[1].replace(',', '-'));
    content = cluster.write(path, bytes, CELLS_OF_UNIT * cellBytes, seed);
    cluster.awaitUnits(path, Math.min(k, (bytes - 1) / cellBytes + 1) + m);
    for (LocatedStripedBlock group : cluster.groups(path)) {
      Map<Integer, DatanodeInfo> holders = RepairCluster.holders(group);
      int[] units = Arrays.stream(parts[1].split(",")).mapToInt(Integer::parseInt)
          .filter(holders::containsKey).toArray();
      for (int unit : units) {
        RepairCluster.drop(cluster.datanode(holders.get(unit)),
            RepairCluster.internalBlock(group, unit));
      }
    }
  }

  private static Path policy(RepairCluster cluster, ErasureCodingPolicy policy)
      throws IOException {
    AddErasureCodingPolicyResponse added =
        cluster.fs.addErasureCodingPolicies(new ErasureCodingPolicy[] {policy})[0];
    String name = added.getPolicy().getName();
    return cluster.directory("/" + name, name);
  }
}
