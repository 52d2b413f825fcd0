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
package org.hdfsppr.namenode.files;

import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.namenode.core.CoreTally;
import org.hdfsppr.namenode.manage.status.ManagerCounter;
import org.hdfsppr.namenode.manage.status.ManagerMetrics;
import org.hdfsppr.operate.CommitStatus;
import org.hdfsppr.operate.ConversionCounts;
import org.hdfsppr.operate.ConversionCounts.Number;

/**
 * Counts, for metrics, the ends of conversions and commits, and the CORE groups that are formed,
 * dissolved, or fail. The repair manager's metrics have registered these counters. Thread-safe.
 */
@InterfaceAudience.Private
public final class FilesCounters implements CoreTally {
  private final ManagerMetrics metrics;

  /** @param metrics the repair manager's metrics, which have the counters */
  public FilesCounters(ManagerMetrics metrics) {
    this.metrics = metrics;
  }

  @Override
  public void formed(long memberBytes, long movedBytes) {
    metrics.count(ManagerCounter.CORE_GROUPS_FORMED);
    metrics.count(ManagerCounter.CORE_MEMBER_BYTES, memberBytes);
    metrics.count(ManagerCounter.CORE_MOVED_BYTES, movedBytes);
  }

  @Override
  public void dissolved() {
    metrics.count(ManagerCounter.CORE_GROUPS_DISSOLVED);
  }

  @Override
  public void failed() {
    metrics.count(ManagerCounter.CORE_GROUPS_FAILED);
  }

  /**
   * Counts files that conversion jobs are done with.
   *
   * @param more how many files were converted, refused, changed or failed, and their bytes
   */
  public void converted(ConversionCounts more) {
    metrics.count(ManagerCounter.CONVERTED_FILES, more.get(Number.CONVERTED));
    metrics.count(ManagerCounter.CONVERTED_BYTES, more.get(Number.BYTES_CONVERTED));
    metrics.count(ManagerCounter.CONVERSION_MOVED_BYTES, more.get(Number.BYTES_MOVED));
    metrics.count(ManagerCounter.CONVERSION_REFUSED, more.refusedInAll());
    metrics.count(ManagerCounter.CONVERSION_CHANGED, more.get(Number.CHANGED));
    metrics.count(ManagerCounter.CONVERSION_FAILED, more.get(Number.FAILED));
  }

  /**
   * Counts a commit that has ended.
   *
   * @param commit the status of the commit after its end
   */
  public void committed(CommitStatus commit) {
    if (commit.state == CommitStatus.State.PUBLISHED) {
      metrics.count(ManagerCounter.COMMITS);
      metrics.count(ManagerCounter.COMMITTED_UPDATES, commit.updates);
      metrics.count(ManagerCounter.COMMITTED_BYTES, commit.bytes);
    } else if (commit.state == CommitStatus.State.FAILED) {
      metrics.count(ManagerCounter.COMMITS_FAILED);
    }
  }
}
