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
package org.hdfsppr.namenode.manage.charge;

import java.util.Optional;
import java.util.function.Supplier;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.server.namenode.FilesRecords;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says whether the namespace has records that this NameNode cannot read, because it has the jar for
 * repairs alone. Another NameNode may have left them before a failover. A repair could then
 * rebuild a unit of a version that is only half made, so this NameNode leaves all repairs to stock.
 * Records of CORE groups forbid nothing: their rows are repaired as other block groups are, but
 * this NameNode does not know their columns.
 *
 * <p>Only the manager's thread calls this class.
 */
@InterfaceAudience.Private
public final class UnreadRecords {
  private static final Logger LOG = LoggerFactory.getLogger(UnreadRecords.class);
  /** The time between two looks at the records while they forbid repairs, ms. */
  private static final long LOOK_MS = 60_000;
  private static final String REMEDY = "install the jar hdfs-ppr-files-namenode"
      + " ('hdfs-ppr-install --role namenode --with-files')";

  private final Supplier<FilesRecords> look;
  private boolean wasActive;
  private long lookedMs;
  private Optional<String> why = Optional.empty();
  private volatile int core;

  /** @param look counts the records in the namespace that this NameNode does not read */
  public UnreadRecords(Supplier<FilesRecords> look) {
    this.look = look;
  }

  /**
   * Looks at the records when this NameNode becomes active, and again from time to time while the
   * last look forbids repairs.
   *
   * @param active whether this NameNode is active
   * @param nowMs the time now, monotonic, ms
   * @return why this NameNode leaves all repairs to stock, in words for an operator; empty if no
   *     record forbids repairs
   */
  public Optional<String> refusal(boolean active, long nowMs) {
    if (!active) {
      wasActive = false;
      why = Optional.empty();
      core = 0;
      return why;
    }
    if (wasActive && (why.isEmpty() || nowMs - lookedMs < LOOK_MS)) {
      return why;
    }
    // A look that throws ends this cycle, and the next cycle looks again: no repair begins before a
    // look has worked.
    FilesRecords records = look.get();
    boolean begins = !wasActive;
    wasActive = true;
    lookedMs = nowMs;
    core = records.core;
    why = records.versions + records.updates == 0 ? Optional.empty()
        : Optional.of("/.hdfs-ppr has " + records.versions + " versions of files and "
            + records.updates + " records of updates, which this NameNode's hdfs-ppr does not"
            + " read: " + REMEDY + ", or clear them up first where a NameNode has it ('hdfs ppr"
            + " -clear')");
    if (begins) {
      log(records);
    }
    return why;
  }

  private void log(FilesRecords records) {
    why.ifPresent(reason -> LOG.error("hdfs-ppr does NOT schedule repairs on this NameNode, stock"
        + " stays in charge: {}", reason));
    if (records.core > 0) {
      LOG.warn("/.hdfs-ppr has {} parity files of CORE groups, whose columns this NameNode's"
          + " hdfs-ppr does not know: it repairs their rows alone, and may put two units of a"
          + " column on one DataNode, and repairs parity files that are only half made. Delete no"
          + " file that fsck calls corrupt: a column may still bring it back. To use the columns,"
          + " {}", records.core, REMEDY);
    }
    if (records.jobs > 0) {
      LOG.warn("/.hdfs-ppr has {} jobs that convert files. They rest while this NameNode is active;"
          + " to go on with them, {}", records.jobs, REMEDY);
    }
  }

  /**
   * Returns how many parity files of CORE groups the last look found whose records this NameNode
   * does not read.
   */
  public int core() {
    return core;
  }
}
