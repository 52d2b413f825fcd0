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
import org.hdfsppr.namenode.manage.status.ManagerMetrics;
import org.hdfsppr.operate.CommitStatus;
import org.hdfsppr.operate.ConversionCounts;

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

  private void add(String name, long more) {
    metrics.counter(name).incr(more);
  }

  @Override
  public void formed(long memberBytes, long movedBytes) {
    add("CoreGroupsFormedTotal", 1);
    add("CoreMemberBytesTotal", memberBytes);
    add("CoreMovedBytesTotal", movedBytes);
  }

  @Override
  public void dissolved() {
    add("CoreGroupsDissolvedTotal", 1);
  }

  @Override
  public void failed() {
    add("CoreGroupsFailedTotal", 1);
  }

  /**
   * Counts files that conversion jobs are done with.
   *
   * @param more how many files were converted, refused, changed or failed, and their bytes
   */
  public void converted(ConversionCounts more) {
    add("ConvertedFilesTotal", more.get(ConversionCounts.Number.CONVERTED));
    add("ConvertedBytesTotal", more.get(ConversionCounts.Number.BYTES_CONVERTED));
    add("ConversionMovedBytesTotal", more.get(ConversionCounts.Number.BYTES_MOVED));
    add("ConversionRefusedTotal", more.refusedInAll());
    add("ConversionChangedTotal", more.get(ConversionCounts.Number.CHANGED));
    add("ConversionFailedTotal", more.get(ConversionCounts.Number.FAILED));
  }

  /**
   * Counts a commit that has ended.
   *
   * @param commit the status of the commit after its end
   */
  public void committed(CommitStatus commit) {
    if (commit.state == CommitStatus.State.PUBLISHED) {
      add("CommitsTotal", 1);
      add("CommittedUpdatesTotal", commit.updates);
      add("CommittedBytesTotal", commit.bytes);
    } else if (commit.state == CommitStatus.State.FAILED) {
      add("CommitsFailedTotal", 1);
    }
  }
}
