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

import java.util.EnumMap;
import java.util.Map;

import org.hdfsppr.it.cluster.PeerBytes;

/** What a cluster has used until a moment, or between two moments. Immutable. */
final class Usage {
  final double seconds;
  private final Map<DaemonKind, ProcessUsage> processes;
  final PeerBytes peers;

  /**
   * @param seconds the moment, since 1970, or the time between two moments
   * @param processes what each kind of processes has used
   * @param peers what has crossed the network
   */
  Usage(double seconds, Map<DaemonKind, ProcessUsage> processes, PeerBytes peers) {
    this.seconds = seconds;
    this.processes = new EnumMap<>(DaemonKind.class);
    this.processes.putAll(processes);
    this.peers = peers;
  }

  /** {@return what a kind of processes has used} */
  ProcessUsage of(DaemonKind kind) {
    return processes.getOrDefault(kind, ProcessUsage.NONE);
  }

  /** {@return what NameNodes and DataNodes have used together} */
  ProcessUsage ofCluster() {
    return of(DaemonKind.NAMENODE).plus(of(DaemonKind.DATANODES));
  }

  /** {@return what was used since an earlier moment} */
  Usage since(Usage earlier) {
    Map<DaemonKind, ProcessUsage> since = new EnumMap<>(DaemonKind.class);
    for (DaemonKind kind : DaemonKind.values()) {
      since.put(kind, of(kind).since(earlier.of(kind)));
    }
    return new Usage(seconds - earlier.seconds, since, peers.since(earlier.peers));
  }
}
