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
package org.hdfsppr.namenode.web.metrics;

import java.util.List;
import java.util.Map;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.namenode.manage.status.ManagerCounter;
import org.hdfsppr.namenode.manage.status.ManagerMetrics;
import org.hdfsppr.namenode.manage.status.ManagerStatus;
import org.hdfsppr.namenode.schedule.NoPlanReason;
import org.hdfsppr.namenode.scrub.ScrubCounts;
import org.hdfsppr.namenode.track.EndReason;
import org.hdfsppr.namenode.web.FullStatus;

/** Metrics in which everything has happened, each thing another number of times. */
@InterfaceAudience.Private
public final class FullMetrics {
  private static final long MIB = 1 << 20;
  /** The counters that an extension lets rise, and how often each rises. */
  private static final Map<ManagerCounter, Long> OTHERS = Map.ofEntries(
      Map.entry(ManagerCounter.CORE_GROUPS_FORMED, 1L),
      Map.entry(ManagerCounter.CORE_GROUPS_DISSOLVED, 2L),
      Map.entry(ManagerCounter.CORE_GROUPS_FAILED, 3L),
      Map.entry(ManagerCounter.CORE_MEMBER_BYTES, 10485760L),
      Map.entry(ManagerCounter.CORE_MOVED_BYTES, 4194304L),
      Map.entry(ManagerCounter.CONVERTED_FILES, 107L),
      Map.entry(ManagerCounter.CONVERTED_BYTES, 80551L),
      Map.entry(ManagerCounter.CONVERSION_MOVED_BYTES, 19574740L),
      Map.entry(ManagerCounter.CONVERSION_REFUSED, 28L),
      Map.entry(ManagerCounter.CONVERSION_CHANGED, 991L),
      Map.entry(ManagerCounter.CONVERSION_FAILED, 2980L),
      Map.entry(ManagerCounter.COMMITS, 1L),
      Map.entry(ManagerCounter.COMMITS_FAILED, 1L),
      Map.entry(ManagerCounter.COMMITTED_UPDATES, 21L),
      Map.entry(ManagerCounter.COMMITTED_BYTES, 8192L));

  private FullMetrics() {
  }

  /**
   * Lets everything happen but what an extension counts.
   *
   * @param metrics count it
   */
  public static void fill(ManagerMetrics metrics) {
    repairs(metrics);
    metrics.count(ManagerCounter.GROUPS_LEFT_TO_STOCK, 3);
    metrics.count(ManagerCounter.GROUPS_PROMOTED, 4);
    metrics.count(ManagerCounter.CYCLES_FAILED, 5);
    times(6, metrics::rescueFailed);
    times(7, metrics::lookFailed);
    metrics.count(ManagerCounter.PLANS, 8);
    metrics.count(ManagerCounter.PLANNING_NANOS, 2_000_000);
    for (long nanos = 500_000; nanos < 40_000_000_000L; nanos *= 3) {
      metrics.cycleTook(nanos);
    }
    metrics.scrubbed(new ScrubCounts(30, 20, 3, 7, 9 * MIB));
    metrics.services.open("ppr-core", e -> { });
    metrics.services.open("ppr-scrub", e -> { }).failed(new OutOfMemoryError("a test"));
    metrics.show(FullStatus.make().build());
  }

  private static void repairs(ManagerMetrics metrics) {
    metrics.count(ManagerCounter.REPAIRS_STARTED, 9);
    metrics.count(ManagerCounter.REPAIRS_BY_COLUMN, 2);
    for (long ms = 50; ms < 4_000_000; ms *= 3) {
      metrics.rebuilt("rs", 1, 64 * MIB, ms);
    }
    metrics.rebuilt("lrc-l2", 2, 128 * MIB, 200);
    for (EndReason reason : EndReason.values()) {
      if (reason.outcome == EndReason.Outcome.FAILED) {
        times(1 + reason.ordinal(), () -> metrics.failed("rs", reason));
      } else if (reason.outcome == EndReason.Outcome.DROPPED) {
        times(1 + reason.ordinal(), () -> metrics.dropped("lrc-l2", reason));
      }
    }
    for (NoPlanReason reason : NoPlanReason.values()) {
      times(1 + reason.ordinal(), () -> metrics.refused(reason));
    }
  }

  private static void times(int number, Runnable action) {
    for (int i = 0; i < number; i++) {
      action.run();
    }
  }

  /** Lets the counters of an extension rise, as that one does in the tests of its own. */
  static void fillOthers(ManagerMetrics metrics) {
    OTHERS.forEach(metrics::count);
  }

  /**
   * @param metrics have counted
   * @param others what an extension shows
   * @return the page
   */
  public static MetricsPage page(ManagerMetrics metrics, List<MetricFamily> others) {
    ManagerStatus status = FullStatus.make().build();
    return new MetricsPage(() -> status, metrics, others);
  }
}
