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

import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.namenode.manage.status.ManagerCounter;
import org.hdfsppr.namenode.manage.status.ManagerMetrics;
import org.hdfsppr.namenode.web.metrics.MetricFamily;
import org.hdfsppr.namenode.web.metrics.MetricsText;

/** The metrics of commits, which put updates into versions of their files. */
@InterfaceAudience.Private
public final class CommitFamilies implements MetricFamily {
  private final ManagerMetrics metrics;

  /** @param metrics the repair manager's counters */
  public CommitFamilies(ManagerMetrics metrics) {
    this.metrics = metrics;
  }

  @Override
  public void write(MetricsText text) {
    text.counters(metrics, ManagerCounter.COMMITS, ManagerCounter.COMMITS_FAILED,
        ManagerCounter.COMMITTED_UPDATES, ManagerCounter.COMMITTED_BYTES);
  }
}
