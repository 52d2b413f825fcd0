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
package org.hdfsppr.client.verify;

import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.io.erasurecode.ECSchema;
import org.hdfsppr.datanode.RepairCluster;

/** A cluster whose files are verified, and whose NameNode starts no repairs. */
final class VerifiedCluster implements Closeable {
  static final int CELL = 16 << 10;
  private static final int CELLS_OF_UNIT = 4;

  final RepairCluster cluster;
  final Configuration conf;

  VerifiedCluster(File directory, int nodes, String... racks) throws IOException {
    conf = RepairCluster.configuration(directory);
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_REPLICATION_MAX_STREAMS_KEY, 0);
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_REPLICATION_STREAMS_HARD_LIMIT_KEY, 0);
    cluster = RepairCluster.start(conf, nodes, racks);
    conf.set("fs.defaultFS", cluster.fs.getUri().toString());
  }

  /** Makes a directory under a policy, such as {@code rs-6-3}. */
  Path directory(String spec, String name) throws IOException {
    int parity = spec.lastIndexOf('-');
    int data = spec.lastIndexOf('-', parity - 1);
    ErasureCodingPolicy policy = new ErasureCodingPolicy(new ECSchema(spec.substring(0, data),
        Integer.parseInt(spec.substring(data + 1, parity)),
        Integer.parseInt(spec.substring(parity + 1))), CELL);
    String policyName = cluster.fs.addErasureCodingPolicies(
        new ErasureCodingPolicy[] {policy})[0].getPolicy().getName();
    return cluster.directory(name, policyName);
  }

  /** Writes a file, and waits until the NameNode knows all of its units. */
  Path write(Path directory, String name, int bytes)
      throws IOException {
    Path path = new Path(directory, name);
    cluster.write(path, bytes, CELLS_OF_UNIT * CELL, bytes);
    RepairCluster.await("all units of " + path + " are there", () -> {
      try {
        for (LocatedStripedBlock group : cluster.groups(path)) {
          int k = cluster.fs.getErasureCodingPolicy(path).getNumDataUnits();
          int m = cluster.fs.getErasureCodingPolicy(path).getNumParityUnits();
          long there = Math.min(k, (group.getBlockSize() - 1) / CELL + 1) + m;
          if (group.getLocations().length < there) {
            return false;
          }
        }
        return true;
      } catch (IOException e) {
        throw new IllegalStateException(e);
      }
    });
    return path;
  }

  DataNode holder(LocatedStripedBlock group, int unit) {
    return cluster.datanode(RepairCluster.holders(group).get(unit));
  }

  /** Flips bits of a byte of a unit. The checksums are those of the new bytes, or of the old. */
  void spoil(LocatedStripedBlock group, int unit, int offset, boolean mended)
      throws IOException {
    cluster.spoil(group, unit, offset, mended);
  }

  /** Verifies paths, and returns a finding for each group. */
  List<GroupFinding> verify(boolean all, Path... paths)
      throws IOException {
    List<GroupFinding> findings = Collections.synchronizedList(new ArrayList<>());
    try (VerifySession session = VerifySession.open(conf, paths[0])) {
      session.verify(Arrays.asList(paths), new VerifyOptions(0, 0, all, 4), findings::add,
          problem -> {
            throw new AssertionError(problem);
          });
    }
    return findings;
  }

  @Override
  public void close() {
    cluster.close();
  }
}
