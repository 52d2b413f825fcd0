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
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.hdfsppr.it.cluster.BlockGroup;
import org.hdfsppr.it.cluster.HdfsProcessCluster;
import org.hdfsppr.it.cluster.Unit;
import org.hdfsppr.it.cluster.UnitFiles;
import org.hdfsppr.it.util.Await;
import org.hdfsppr.it.util.EcCode;

/**
 * Waits for units on a cluster of processes: until the NameNode knows all of a file, or until
 * DataNodes have rebuilt the lost ones.
 */
final class AwaitedUnits {
  /** The end of a repair is part of a measured time. */
  private static final Duration REBUILT_POLL = Duration.ofMillis(2);
  private static final Duration KNOWN_POLL = Duration.ofMillis(100);

  private AwaitedUnits() {
  }

  /**
   * Returns when the NameNode knows one replica of each unit of each block group of a file. Stock
   * may have rebuilt a unit twice. The NameNode deletes the second replica soon, and a caller that
   * has seen it would look for it in vain.
   */
  static void known(HdfsProcessCluster cluster, DistributedFileSystem client, Path file,
      EcCode code, Duration limit) throws IOException, InterruptedException, TimeoutException {
    Await.until("the NameNode knows all units of " + file + " once", limit, KNOWN_POLL,
        () -> BlockGroup.of(cluster, client, file).stream()
            .allMatch(group -> !group.isCorrupt && group.distinctUnits() == code.units()
                && group.units.size() == code.units()));
  }

  /**
   * Returns when each lost unit is among the finalised replicas of some other node.
   *
   * @return the node of each rebuilt unit, from 1
   */
  static Map<Unit, Integer> rebuilt(HdfsProcessCluster cluster, List<Unit> lost, Duration limit)
      throws IOException, InterruptedException, TimeoutException {
    Map<Unit, Integer> nodes = new HashMap<>();
    Await.until(() -> "rebuilt: " + nodes.keySet() + " of " + lost, limit, REBUILT_POLL, () -> {
      for (Unit unit : lost) {
        if (!nodes.containsKey(unit)) {
          holder(cluster, unit).ifPresent(node -> nodes.put(unit, node));
        }
      }
      return nodes.size() == lost.size();
    });
    return nodes;
  }

  /**
   * Returns the digest of a unit that was rebuilt. Stock may have rebuilt it twice. The NameNode
   * then deletes one replica, perhaps while it is read here, and the other one is read instead.
   */
  static String digest(HdfsProcessCluster cluster, Unit lost, Duration limit)
      throws IOException, InterruptedException, TimeoutException {
    AtomicReference<String> digest = new AtomicReference<>();
    Await.until("a replica of " + lost + " is read", limit, KNOWN_POLL, () -> {
      OptionalInt node = holder(cluster, lost);
      if (node.isPresent()) {
        try {
          digest.set(UnitFiles.of(cluster, node.getAsInt(), lost.block).digest());
        } catch (NoSuchFileException e) {
          System.out.println("The NameNode has deleted a second replica of " + lost + ": " + e);
        }
      }
      return digest.get() != null;
    });
    return digest.get();
  }

  private static OptionalInt holder(HdfsProcessCluster cluster, Unit lost) {
    for (int node = 1; node <= cluster.spec().nodes; node++) {
      if (node != lost.node && UnitFiles.of(cluster, node, lost.block).exists()) {
        return OptionalInt.of(node);
      }
    }
    return OptionalInt.empty();
  }
}
