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
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.namenode.manage.status.ManagerMetrics;
import org.hdfsppr.namenode.manage.status.ManagerStatus;
import org.hdfsppr.namenode.version.EngineStatus;
import org.hdfsppr.namenode.web.Page;
import org.hdfsppr.namenode.web.PageSource;
import org.hdfsppr.operate.ConversionStatus;
import org.hdfsppr.operate.CoreStatus;

/**
 * The page {@code /ppr/metrics} for Prometheus, in the text format 0.0.4. {@code docs/metrics.md}
 * lists its metrics. The page is written anew for each request, because counters also rise while
 * cycles fail and no new status is published. Thread-safe.
 */
@InterfaceAudience.Private
public final class MetricsPage implements PageSource {
  private static final String PATH = "/metrics";

  private final Supplier<ManagerStatus> status;
  private final ManagerMetrics metrics;
  private final Supplier<List<ConversionStatus>> jobs;
  private final Supplier<CoreStatus> core;
  private final Supplier<Optional<EngineStatus>> versions;

  /**
   * @param status returns the manager's status at the end of its last cycle
   * @param metrics the manager's counters
   * @param jobs returns the jobs that convert files
   * @param core returns the directories that CORE groups protect
   * @param versions returns what the engine of versions does; empty if there is none
   */
  public MetricsPage(Supplier<ManagerStatus> status, ManagerMetrics metrics,
      Supplier<List<ConversionStatus>> jobs, Supplier<CoreStatus> core,
      Supplier<Optional<EngineStatus>> versions) {
    this.versions = Objects.requireNonNull(versions, "versions");
    this.core = Objects.requireNonNull(core, "core");
    this.jobs = Objects.requireNonNull(jobs, "jobs");
    this.status = Objects.requireNonNull(status, "status");
    this.metrics = Objects.requireNonNull(metrics, "metrics");
  }

  @Override
  public Optional<Page> find(String path) {
    return PATH.equals(path) ? Optional.of(page()) : Optional.empty();
  }

  private Page page() {
    MetricsText text = new MetricsText();
    ManagerStatus now = status.get();
    StatusFamilies.write(now, text);
    CounterFamilies.write(metrics, text);
    ConversionFamilies.write(jobs.get(), metrics, text);
    versions.get().ifPresent(engine -> ConversionFamilies.write(engine, text));
    CommitFamilies.write(metrics, text);
    CoreFamilies.write(core.get(), metrics, text);
    ServiceFamilies.write(metrics.services, text);
    NodeFamilies.write(now, text);
    return Page.of(MetricsText.CONTENT_TYPE, null, text.bytes());
  }
}
