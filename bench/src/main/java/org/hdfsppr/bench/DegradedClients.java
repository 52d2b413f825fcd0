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
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

import org.hdfsppr.it.cluster.HdfsProcessCluster;
import org.hdfsppr.bench.read.PlacedClient;
import org.hdfsppr.it.util.EcCode;

/**
 * Starts and closes the client processes that read. A warm benchmark has one client for each mode.
 * A cold benchmark has a new client for each mode and pattern.
 */
final class DegradedClients implements Closeable {
  private final HdfsProcessCluster cluster;
  private final EcCode code;
  private final boolean isCold;
  /** The drop-in jar of another version of the project; null if no mode needs it. */
  private final Path otherJar;
  private final Map<DegradedMode, PlacedClient> clients = new EnumMap<>(DegradedMode.class);

  /**
   * @param otherJar the drop-in jar of another version of the project, for the mode {@code other};
   *     null if that mode is not measured
   */
  DegradedClients(HdfsProcessCluster cluster, EcCode code, boolean isCold, Path otherJar) {
    this.otherJar = otherJar;
    this.cluster = cluster;
    this.code = code;
    this.isCold = isCold;
  }

  /**
   * Starts all clients of a warm benchmark, which run until {@link #close}. Does nothing for a cold
   * benchmark.
   */
  void start(List<DegradedMode> modes) throws IOException, InterruptedException {
    for (DegradedMode mode : modes) {
      if (!isCold) {
        of(mode);
      }
    }
  }

  /**
   * Returns the client that reads the next pattern of a mode. In a cold benchmark, this is a new
   * process.
   */
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
      client = start(mode);
      clients.put(mode, client);
    }
    return client;
  }

  /** Starts a client of a mode that the caller closes. */
  PlacedClient start(DegradedMode mode) throws IOException, InterruptedException {
    return mode == DegradedMode.OTHER
        ? PlacedClient.startOther(cluster, mode.client, otherJar)
        : PlacedClient.start(cluster, mode.client, mode.needsJar(code));
  }

  @Override
  public void close() throws IOException {
    for (PlacedClient client : clients.values()) {
      client.close();
    }
  }
}
