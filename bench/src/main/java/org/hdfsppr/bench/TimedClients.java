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

import java.io.Closeable;
import java.io.IOException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

import org.apache.hadoop.hdfs.TimedFileSystem;
import org.apache.hadoop.hdfs.TimedPprFileSystem;
import org.apache.hadoop.io.erasurecode.rawcoder.TimedCoderFactory;
import org.hdfsppr.it.cluster.HdfsProcessCluster;
import org.hdfsppr.bench.read.PlacedClient;
import org.hdfsppr.it.read.ReadClient;
import org.hdfsppr.it.util.EcCode;

/** The processes that read with clocks, one for each mode. */
final class TimedClients implements Closeable {
  private final Map<DegradedMode, PlacedClient> clients = new EnumMap<>(DegradedMode.class);

  /** Starts the process of each mode. */
  void start(HdfsProcessCluster cluster, EcCode code, List<DegradedMode> modes)
      throws IOException, InterruptedException {
    for (DegradedMode mode : modes) {
      clients.put(mode, PlacedClient.startTimed(cluster, mode.client, mode.needsJar(code),
          clocks(mode.client)));
    }
  }

  PlacedClient of(DegradedMode mode) {
    return clients.get(mode);
  }

  /** Returns the settings with which a client tells the clock of its process what it does. */
  static Map<String, String> clocks(ReadClient client) {
    return Map.of(
        "fs.hdfs.impl", client.isOurs() ? TimedPprFileSystem.class.getName()
            : TimedFileSystem.class.getName(),
        TimedCoderFactory.KEY, TimedCoderFactory.NAME);
  }

  @Override
  public void close() throws IOException {
    for (PlacedClient client : clients.values()) {
      client.close();
    }
  }
}
