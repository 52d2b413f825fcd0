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
package org.hdfsppr.bench.update;

import java.util.Collection;
import java.util.stream.Collectors;

import org.hdfsppr.bench.run.Medians;

/**
 * One repeat: updates, one at a time, beside the parts of which each update consists at least. An
 * update goes from the client to the leader of its unit and from there to a follower; both append
 * it to their logs, and answers travel back:
 *
 * <pre>
 *   client --- 4 KiB ---> leader --- 4 KiB ---> follower
 *                         append                append
 *          <-- answer ---        <-- answer ---
 * </pre>
 *
 * The bound is the sum of the two round trips and the two appends, each measured by itself.
 * Immutable.
 */
final class LatencyRun {
  final double clientTripUs;
  final double followerTripUs;
  final double appendUs;
  final Latencies updates;

  /**
   * @param clientTrips round trips between the client and each leader
   * @param followerTrips round trips between each leader and its follower
   * @param appends appends on each node with a log
   * @param updates the updates
   */
  LatencyRun(Collection<Latencies> clientTrips, Collection<Latencies> followerTrips,
      Collection<Latencies> appends, Latencies updates) {
    this.clientTripUs = median(clientTrips);
    this.followerTripUs = median(followerTrips);
    this.appendUs = median(appends);
    this.updates = updates;
  }

  /** Nodes are alike: this is the median node's median. */
  private static double median(Collection<Latencies> all) {
    return Medians.of(all.stream().map(latencies -> latencies.p50Us).collect(Collectors.toList()));
  }

  /** {@return two round trips and two appends, µs} */
  double boundUs() {
    return clientTripUs + followerTripUs + 2 * appendUs;
  }

  /** {@return how often the bound fits into the median update} */
  double p50Ratio() {
    return updates.p50Us / boundUs();
  }

  /** {@return how often the bound fits into what 99 of 100 updates do not exceed} */
  double p99Ratio() {
    return updates.p99Us / boundUs();
  }
}
