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

import java.util.function.Supplier;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.namenode.manage.status.ManagerCounter;
import org.hdfsppr.namenode.manage.status.ManagerMetrics;
import org.hdfsppr.namenode.web.metrics.MetricFamily;
import org.hdfsppr.namenode.web.metrics.MetricsText;
import org.hdfsppr.namenode.web.metrics.MetricsText.Family;
import org.hdfsppr.operate.CoreDirectory.Number;
import org.hdfsppr.operate.CoreStatus;

/** The metrics of CORE groups. */
@InterfaceAudience.Private
public final class CoreFamilies implements MetricFamily {
  private final Supplier<CoreStatus> status;
  private final ManagerMetrics metrics;

  /**
   * @param status returns the protected directories, with numbers about their CORE groups
   * @param metrics the repair manager's counters
   */
  public CoreFamilies(Supplier<CoreStatus> status, ManagerMetrics metrics) {
    this.status = status;
    this.metrics = metrics;
  }

  @Override
  public void write(MetricsText text) {
    CoreStatus core = status.get();
    text.gauge("hdfs_ppr_core_directories", "Directories whose files CORE groups protect.")
        .sample(core.directories.size());
    text.gauge("hdfs_ppr_core_groups", "CORE groups whose parity file exists.")
        .sample(core.sum(Number.GROUPS));
    text.gauge("hdfs_ppr_core_groups_not_used",
        "CORE groups whose parity file is kept, and which are not used, because they cannot be"
            + " read.").sample(core.unusedGroups);
    text.gauge("hdfs_ppr_core_parities_kept",
        "Parity files of no CORE group that the NameNode cannot delete yet.")
        .sample(core.keptParities);
    text.gauge("hdfs_ppr_core_groups_forming", "CORE groups that are being made.")
        .sample(core.sum(Number.FORMING));
    text.gauge("hdfs_ppr_core_groups_queued", "CORE groups that wait for a place to be made.")
        .sample(core.sum(Number.QUEUED));
    text.gauge("hdfs_ppr_core_members", "Files in CORE groups.")
        .sample(core.sum(Number.MEMBERS));
    text.gauge("hdfs_ppr_core_member_bytes", "Bytes of file data in CORE groups.")
        .sample(core.sum(Number.MEMBER_BYTES));
    text.gauge("hdfs_ppr_core_parity_space_bytes",
        "Bytes that the parity files of CORE groups take on disks.")
        .sample(core.sum(Number.PARITY_SPACE_BYTES));
    text.gauge("hdfs_ppr_core_stale_block_groups",
        "Block groups of members that are not the recorded ones any more.")
        .sample(core.sum(Number.STALE));
    text.gauge("hdfs_ppr_core_columns_together",
        "Columns that had two blocks on one DataNode when they were last looked at.")
        .sample(core.sum(Number.COLUMNS_TOGETHER));
    Family waiting = text.gauge("hdfs_ppr_core_files_in_no_group",
        "Files of protected directories that are in no CORE group, by reason.");
    core.waiting().forEach((reason, files) -> waiting.sample(files, "reason", reason));
    text.counters(metrics, ManagerCounter.CORE_GROUPS_FORMED, ManagerCounter.CORE_GROUPS_DISSOLVED,
        ManagerCounter.CORE_GROUPS_FAILED, ManagerCounter.CORE_MEMBER_BYTES,
        ManagerCounter.CORE_MOVED_BYTES);
  }
}
