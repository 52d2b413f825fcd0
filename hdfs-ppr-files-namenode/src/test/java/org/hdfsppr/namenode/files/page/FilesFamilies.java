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
package org.hdfsppr.namenode.files.page;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.datanode.SampleAnswers;
import org.hdfsppr.namenode.manage.status.ManagerMetrics;
import org.hdfsppr.namenode.version.EngineStatus;
import org.hdfsppr.namenode.version.EngineStatuses;
import org.hdfsppr.namenode.web.metrics.MetricFamily;
import org.hdfsppr.namenode.web.metrics.SampleMetrics;
import org.hdfsppr.operate.ConversionStatus;
import org.hdfsppr.operate.CoreDirectory;
import org.hdfsppr.operate.CoreStatus;
import org.hdfsppr.operate.ReasonCounts;

/** The families of the page for Prometheus that are added to those of repairs. */
@InterfaceAudience.Private
final class FilesFamilies {
  private FilesFamilies() {
  }

  private static List<MetricFamily> of(ManagerMetrics metrics,
      Supplier<List<ConversionStatus>> jobs, Supplier<Optional<EngineStatus>> engine,
      Supplier<CoreStatus> core) {
    return List.of(new ConversionFamilies(jobs, engine, metrics), new CommitFamilies(metrics),
        new CoreFamilies(core, metrics));
  }

  /** Returns the families of a NameNode that has no job, no version and no CORE group. */
  static List<MetricFamily> empty(ManagerMetrics metrics) {
    return of(metrics, List::of, Optional::empty, () -> CoreStatus.NONE);
  }

  static List<MetricFamily> full(ManagerMetrics metrics) {
    return of(metrics, SampleAnswers::jobs, () -> Optional.of(EngineStatuses.full()),
        SampleAnswers::core);
  }

  /** Returns metrics in which each family has a sample. */
  static SampleMetrics sample() {
    return new SampleMetrics(metrics -> of(metrics, List::of,
        () -> Optional.of(EngineStatuses.waiting("")),
        () -> new CoreStatus("", List.of(CoreDirectory.of("/d", 5, false).with(d -> d
            .addAllWaiting(ReasonCounts.toProtos(Map.of("open", 1L))))), 0, Map.of(), 0)));
  }
}
