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
package org.hdfsppr.client.metrics;

import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsException;
import org.apache.hadoop.metrics2.MetricsInfo;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.MetricsSystem;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.metrics2.lib.Interns;
import org.hdfsppr.client.read.ReadCounters;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The sums of the read counters of all clients of this process, as the Metrics2 source
 * {@code PprClient}. The process decides whether it runs a metrics system; if it runs none, the
 * source costs nothing and shows nothing. Counters count from the start of the process, and keep
 * the counts of closed clients. Thread-safe.
 */
@InterfaceAudience.Private
public final class ClientMetrics implements MetricsSource {
  /** The name of the source and of its record. */
  public static final String NAME = "PprClient";
  private static final Logger LOG = LoggerFactory.getLogger(ClientMetrics.class);
  private static final MetricsInfo RECORD =
      Interns.info(NAME, "Reads of erasure-coded files by clients");
  private static final ReadCounters ALL = new ReadCounters();
  private static final ClientMetrics SOURCE = new ClientMetrics();

  private ClientMetrics() {
  }

  /**
   * Returns the counters of all clients of this process, and registers the source with the
   * process's metrics system if it is not registered. A read must not fail because of metrics, so
   * that this method only logs if the source cannot be registered.
   *
   * @return the counters to which each client of this process adds its counts
   */
  public static ReadCounters ofProcess() {
    register(DefaultMetricsSystem::instance);
    return ALL;
  }

  /**
   * @param system returns the metrics system; it throws what the start of the system throws, if
   *     that fails
   */
  static synchronized void register(Supplier<MetricsSystem> system) {
    try {
      // A metrics system that was shut down has forgotten its sources.
      if (system.get().getSource(NAME) == null) {
        system.get().register(NAME, RECORD.description(), SOURCE);
      }
    } catch (MetricsException e) {
      // Another class loader of this process has registered the same name.
      LOG.debug("The read counters are not in the metrics of this process", e);
    } catch (RuntimeException | LinkageError e) {
      LOG.warn("The read counters are not in the metrics of this process: {}", e.toString());
    }
  }

  @Override
  public void getMetrics(MetricsCollector collector, boolean all) {
    collector.addRecord(RECORD).setContext("dfs")
        .addCounter(info("RangesByTreeTotal", "Ranges of lost units rebuilt by trees of DataNodes"),
            ALL.trees())
        .addCounter(info("TreeBytesTotal", "Bytes that came through trees"), ALL.treeBytes())
        .addCounter(info("RangesByColumnTotal",
            "Ranges of lost units rebuilt from columns of CORE groups"), ALL.columns())
        .addCounter(info("TreesFailedTotal", "Trees that failed"), ALL.treesFailed())
        .addCounter(info("RangesByDecodingTotal", "Ranges of lost units that clients decoded"),
            ALL.decodes())
        .addCounter(info("UnitBytesTotal", "Bytes of units that clients read from DataNodes"),
            ALL.unitBytesRead())
        .addCounter(info("RangesFromMemoryTotal",
            "Ranges of lost units that had been rebuilt for an earlier read"), ALL.cachedRanges())
        .addCounter(info("ComputeMsTotal",
            "Time in which clients multiplied and added to rebuild ranges"),
            TimeUnit.NANOSECONDS.toMillis(ALL.computeNanos()))
        .addCounter(info("HedgesTotal",
            "Second reads that began, and reads that were given up, because a DataNode was slow"),
            ALL.hedged())
        .addCounter(info("NoticesTotal",
            "Notices to DataNodes that a client decodes ranges of a group"), ALL.notices())
        .addCounter(info("ReadsByStockTotal",
            "Reads that stock had to serve because the extension failed to serve them"),
            ALL.stockReads());
  }

  private static MetricsInfo info(String name, String description) {
    return Interns.info(name, description);
  }
}
