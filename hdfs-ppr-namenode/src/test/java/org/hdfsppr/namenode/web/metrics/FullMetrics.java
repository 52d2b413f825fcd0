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
import java.util.Optional;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.datanode.SampleAnswers;
import org.hdfsppr.namenode.files.FilesCounters;
import org.hdfsppr.namenode.files.page.CommitFamilies;
import org.hdfsppr.namenode.files.page.ConversionFamilies;
import org.hdfsppr.namenode.files.page.CoreFamilies;
import org.hdfsppr.namenode.manage.status.ManagerMetrics;
import org.hdfsppr.namenode.manage.status.ManagerStatus;
import org.hdfsppr.namenode.schedule.NoPlanReason;
import org.hdfsppr.namenode.scrub.ScrubCounts;
import org.hdfsppr.namenode.track.EndReason;
import org.hdfsppr.namenode.version.EngineStatuses;
import org.hdfsppr.namenode.web.FullStatus;

/** Metrics in which everything has happened, each thing another number of times. */
@InterfaceAudience.Private
final class FullMetrics {
  private static final long MIB = 1 << 20;

  private FullMetrics() {
  }

  static void fill(ManagerMetrics metrics) {
    repairs(metrics);
    times(3, metrics::leftToStock);
    times(4, metrics::promoted);
    times(5, metrics::cycleFailed);
    times(6, metrics::rescueFailed);
    times(7, metrics::lookFailed);
    metrics.planned(8, 2_000_000);
    for (long nanos = 500_000; nanos < 40_000_000_000L; nanos *= 3) {
      metrics.cycleTook(nanos);
    }
    metrics.scrubbed(new ScrubCounts(30, 20, 3, 7, 9 * MIB));
    FilesCounters files = new FilesCounters(metrics);
    files.formed(10 * MIB, 4 * MIB);
    times(2, files::dissolved);
    times(3, files::failed);
    SampleAnswers.jobs().forEach(job -> files.converted(job.counts));
    SampleAnswers.commits().forEach(files::committed);
    metrics.services.open("ppr-core", e -> { });
    metrics.services.open("ppr-scrub", e -> { }).failed(new OutOfMemoryError("a test"));
    metrics.show(FullStatus.make().build());
  }

  private static void repairs(ManagerMetrics metrics) {
    times(9, metrics::started);
    times(2, metrics::startedByColumn);
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

  static MetricsPage page(ManagerMetrics metrics) {
    ManagerStatus status = FullStatus.make().build();
    return new MetricsPage(() -> status, metrics, List.of(
        new ConversionFamilies(SampleAnswers::jobs, () -> Optional.of(EngineStatuses.full()),
            metrics),
        new CommitFamilies(metrics), new CoreFamilies(SampleAnswers::core, metrics)));
  }
}
