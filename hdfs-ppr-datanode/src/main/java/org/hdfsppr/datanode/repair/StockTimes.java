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
package org.hdfsppr.datanode.repair;

import java.util.concurrent.TimeUnit;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.server.datanode.metrics.DataNodeMetrics;
import org.hdfsppr.stream.NodeStats;
import org.hdfsppr.stream.Rebuild;

/**
 * Adds the times of repairs to stock's metrics of reconstruction times, which count whole
 * milliseconds.
 */
@InterfaceAudience.Private
final class StockTimes {
  private StockTimes() {
  }

  /** Adds a repair's times. Each time counts as at least one millisecond. */
  static void add(DataNodeMetrics metrics, Rebuild rebuild) {
    NodeStats stats = rebuild.stats;
    metrics.incrECReconstructionReadTime(
        roundUp(stats.childWaitNanos() + stats.localNanos() + stats.throttleNanos()));
    metrics.incrECReconstructionDecodingTime(roundUp(stats.multiplyNanos()));
    metrics.incrECReconstructionWriteTime(roundUp(rebuild.sinkNanos()));
    metrics.incrECDecodingTime(stats.multiplyNanos());
  }

  private static long roundUp(long nanos) {
    return Math.max(1, TimeUnit.NANOSECONDS.toMillis(nanos));
  }
}
