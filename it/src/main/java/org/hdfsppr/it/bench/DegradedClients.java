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
package org.hdfsppr.it.bench;

import java.io.Closeable;
import java.io.IOException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.it.cluster.HdfsProcessCluster;
import org.hdfsppr.it.read.PlacedClient;
import org.hdfsppr.it.util.EcCode;

/** The clients that read: one for each mode, or with a cold start a new one for each pattern. */
@InterfaceAudience.Private
final class DegradedClients implements Closeable {
  private final HdfsProcessCluster cluster;
  private final EcCode code;
  private final boolean isCold;
  private final Map<DegradedMode, PlacedClient> clients = new EnumMap<>(DegradedMode.class);

  DegradedClients(HdfsProcessCluster cluster, EcCode code, boolean isCold) {
    this.cluster = cluster;
    this.code = code;
    this.isCold = isCold;
  }

  /** Starts the clients that live as long as the benchmark. */
  void start(List<DegradedMode> modes) throws IOException, InterruptedException {
    for (DegradedMode mode : modes) {
      if (!isCold) {
        of(mode);
      }
    }
  }

  /** The client for the next pattern of a mode. */
  PlacedClient next(DegradedMode mode) throws IOException, InterruptedException {
    if (isCold) {
      PlacedClient before = clients.remove(mode);
      if (before != null) {
        before.close();
      }
    }
    return of(mode);
  }

  private PlacedClient of(DegradedMode mode) throws IOException, InterruptedException {
    PlacedClient client = clients.get(mode);
    if (client == null) {
      client = PlacedClient.start(cluster, mode.client(), mode.needsJar(code));
      clients.put(mode, client);
    }
    return client;
  }

  @Override
  public void close() throws IOException {
    for (PlacedClient client : clients.values()) {
      client.close();
    }
  }
}
