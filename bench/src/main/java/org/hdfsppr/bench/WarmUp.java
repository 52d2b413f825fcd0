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
import java.util.concurrent.TimeoutException;

import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.it.cluster.BlockGroup;
import org.hdfsppr.it.cluster.HdfsProcessCluster;
import org.hdfsppr.it.cluster.LossKind;
import org.hdfsppr.it.cluster.Unit;
import org.hdfsppr.it.util.EcCode;
import org.hdfsppr.it.util.TestFile;

/**
 * Runs small repairs before the measurement, the same for all modes, so that the DataNodes load and
 * compile their classes. On a fresh DataNode this takes up to a second, which is more than some
 * differences between modes. A DataNode in production has loaded and compiled its classes long ago.
 */
final class WarmUp {
  private static final long BLOCK_BYTES_MAX = 8L * 1024 * 1024;
  private static final Duration LIMIT = Duration.ofMinutes(3);

  private final HdfsProcessCluster cluster;
  private final DistributedFileSystem client;
  private final EcCode code;

  WarmUp(HdfsProcessCluster cluster, DistributedFileSystem client, EcCode code) {
    this.cluster = cluster;
    this.client = client;
    this.code = code;
  }

  /**
   * Writes {@code groups} groups, and has one unit of each group lost and repaired. The links are
   * not shaped during the warm-up, unless the cluster's settings give their rate: DataNodes would
   * remember that a link has carried more than that, and their repairs would not yield to users.
   */
  void run(int groups, long blockBytes)
      throws IOException, InterruptedException, TimeoutException {
    Path file = new Path("/bench/" + code.label() + "/warm-up");
    long warmBytes = Math.min(blockBytes, BLOCK_BYTES_MAX);
    cluster.links().setShaping(
        cluster.spec().conf.containsKey(PprKeys.NAMENODE_LINK_RATE_KEY));
    try {
      client.mkdirs(file.getParent());
      client.setErasureCodingPolicy(file.getParent(), code.policy());
      TestFile.write(client, file, warmBytes, warmBytes * code.dataUnits() * groups, 0);
      AwaitedUnits.known(cluster, client, file, code, LIMIT);
      List<Unit> lost = new ArrayList<>();
      for (BlockGroup group : BlockGroup.of(cluster, client, file)) {
        lost.addAll(LossChoice.choose(cluster.spec(), group, lost.size(), 1));
      }
      LossKind.REPORT.lose(cluster, client, lost);
      AwaitedUnits.known(cluster, client, file, code, LIMIT);
    } finally {
      cluster.links().setShaping(true);
    }
    client.delete(file, true);
  }
}
