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
import java.util.concurrent.TimeoutException;

import org.hdfsppr.it.cluster.HdfsProcessCluster;
import org.hdfsppr.bench.run.Meters;
import org.hdfsppr.bench.read.PlacedClient;
import org.hdfsppr.bench.read.ReadRequest;
import org.hdfsppr.bench.read.ReadResult;

/** One read of the lost block, with all that was measured meanwhile. Immutable. */
final class PhasesTrial {
  private static final double MS = 1e3;

  final PhaseTimes times;
  final String complaint;
  final long diskReadBytes;
  final double otherCpuSeconds;

  /**
   * @param complaint what was wrong with the bytes; empty if they were right
   * @param diskReadBytes bytes that came from the disks, and not from the page cache
   * @param otherCpuSeconds processor time of all other programs
   */
  PhasesTrial(PhaseTimes times, String complaint, long diskReadBytes, double otherCpuSeconds) {
    this.times = times;
    this.complaint = complaint;
    this.diskReadBytes = diskReadBytes;
    this.otherCpuSeconds = otherCpuSeconds;
  }

  /** Lets a client read the block. */
  static PhasesTrial run(HdfsProcessCluster cluster, PlacedClient client, ReadRequest block)
      throws IOException, InterruptedException, TimeoutException {
    NodeClocks clocksBefore = NodeClocks.read(cluster);
    Duration cpuBefore = client.cpuTime();
    Meters metersBefore = Meters.read(cluster);
    ReadResult result = client.read(block);
    Meters meters = Meters.read(cluster);
    double clientCpuSeconds = client.cpuTime().minus(cpuBefore).toMillis() / MS;
    return new PhasesTrial(
        new PhaseTimes(result.times, NodeClocks.read(cluster).since(clocksBefore)),
        result.complaint, meters.diskReadSince(metersBefore),
        Math.max(0, meters.otherCpuSecondsSince(metersBefore) - clientCpuSeconds));
  }

  boolean ok() {
    return complaint.isEmpty();
  }
}
