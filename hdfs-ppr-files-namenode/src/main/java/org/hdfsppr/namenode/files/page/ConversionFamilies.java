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

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.namenode.manage.status.ManagerCounter;
import org.hdfsppr.namenode.manage.status.ManagerMetrics;
import org.hdfsppr.namenode.version.EngineStatus;
import org.hdfsppr.namenode.web.metrics.MetricFamily;
import org.hdfsppr.namenode.web.metrics.MetricsText;
import org.hdfsppr.namenode.web.metrics.MetricsText.Family;
import org.hdfsppr.operate.ConversionState;
import org.hdfsppr.operate.ConversionStatus;

/** The metrics of conversion jobs, and of the old and new versions of their files. */
@InterfaceAudience.Private
public final class ConversionFamilies implements MetricFamily {
  private final Supplier<List<ConversionStatus>> jobs;
  private final Supplier<Optional<EngineStatus>> versions;
  private final ManagerMetrics metrics;

  /**
   * @param jobs returns the conversion jobs
   * @param versions returns the status of the engine of versions; empty if there is no engine
   * @param metrics the repair manager's counters
   */
  public ConversionFamilies(Supplier<List<ConversionStatus>> jobs,
      Supplier<Optional<EngineStatus>> versions, ManagerMetrics metrics) {
    this.jobs = jobs;
    this.versions = versions;
    this.metrics = metrics;
  }

  @Override
  public void write(MetricsText text) {
    jobs(jobs.get(), text);
    versions.get().ifPresent(engine -> engine(engine, text));
  }

  private void jobs(List<ConversionStatus> now, MetricsText text) {
    Map<ConversionState, Integer> counts = new EnumMap<>(ConversionState.class);
    double rate = 0;
    int files = 0;
    for (ConversionStatus job : now) {
      counts.merge(job.state, 1, Integer::sum);
      rate += job.bytesPerSecond.orElse(0);
      files += job.runningFiles;
    }
    Family states = text.gauge("hdfs_ppr_conversion_jobs",
        "Conversion jobs that this NameNode keeps, by state.");
    for (ConversionState state : ConversionState.values()) {
      states.sample(counts.getOrDefault(state, 0), "state", state.word());
    }
    text.gauge("hdfs_ppr_conversion_files_running", "Files that jobs convert now.").sample(files);
    text.gauge("hdfs_ppr_conversion_bytes_per_second",
        "Bytes of file data that jobs get on in a second, over the last minute.").sample(rate);
    text.counters(metrics, ManagerCounter.CONVERTED_FILES, ManagerCounter.CONVERTED_BYTES,
        ManagerCounter.CONVERSION_MOVED_BYTES);
    Family others = text.counter("hdfs_ppr_conversion_files_not_converted_total",
        "Files that were not converted, by outcome.");
    others.sample(metrics.counted(ManagerCounter.CONVERSION_REFUSED), "outcome", "refused");
    others.sample(metrics.counted(ManagerCounter.CONVERSION_CHANGED), "outcome", "changed");
    others.sample(metrics.counted(ManagerCounter.CONVERSION_FAILED), "outcome", "failed");
  }

  /**
   * Writes how many old versions are still read, and how many groups of new versions lacked
   * digests.
   */
  private static void engine(EngineStatus engine, MetricsText text) {
    text.gauge("hdfs_ppr_old_versions_read", "Old versions of converted files that are kept for"
        + " longer than their grace, because clients read them.").sample(engine.read);
    text.gauge("hdfs_ppr_old_versions_asking", "Those of them that are still read after eight"
        + " graces, so that an operator has to close their readers.").sample(engine.asking);
    text.counter("hdfs_ppr_version_groups_without_digests_total", "Groups whose units were read"
        + " over the network for a full check, because DataNodes have not sent all digests.")
        .sample(engine.withoutDigests);
  }
}
