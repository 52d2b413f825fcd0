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
package org.hdfsppr.bench.characterize;

import java.io.IOException;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

import org.hdfsppr.it.cluster.Daemon;
import org.hdfsppr.it.cluster.HdfsProcessCluster;

/** Reads the kernel's counters of a cluster and of the process of a client. */
final class UsageMeter {
  private final HdfsProcessCluster cluster;
  private final Map<Long, ProcessMeter> meters = new HashMap<>();
  private long client;

  /**
   * @param cluster a running cluster whose links count by peers
   */
  UsageMeter(HdfsProcessCluster cluster) {
    this.cluster = cluster;
  }

  /**
   * Meters a client from now on.
   *
   * @param pid the process of the client; 0 for none
   */
  synchronized void client(long pid) {
    client = pid;
  }

  /**
   * {@return what was used so far}
   *
   * @throws IOException if a process has ended
   * @throws InterruptedException if the calling thread is interrupted
   */
  synchronized Usage read() throws IOException, InterruptedException {
    Map<DaemonKind, ProcessUsage> usage = new EnumMap<>(DaemonKind.class);
    double seconds = System.currentTimeMillis() / (double) TimeUnit.SECONDS.toMillis(1);
    for (int node = 1; node <= cluster.spec().nodes; node++) {
      add(usage, DaemonKind.DATANODES, pid(cluster.dataNode(node)));
    }
    for (int number = 1; number <= cluster.nameNodes().count(); number++) {
      add(usage, DaemonKind.NAMENODE, pid(cluster.nameNodes().daemon(number)));
    }
    if (client != 0) {
      add(usage, DaemonKind.CLIENT, client);
    }
    return new Usage(seconds, usage, cluster.links().peerBytes());
  }

  private static long pid(Daemon daemon) throws IOException {
    Optional<Long> pid = daemon.pid();
    if (pid.isEmpty()) {
      throw new IOException(daemon.name + " has ended:\n" + daemon.tail());
    }
    return pid.get();
  }

  private void add(Map<DaemonKind, ProcessUsage> usage, DaemonKind kind, long pid)
      throws IOException {
    usage.merge(kind, meters.computeIfAbsent(pid, ProcessMeter::of).read(), ProcessUsage::plus);
  }
}
