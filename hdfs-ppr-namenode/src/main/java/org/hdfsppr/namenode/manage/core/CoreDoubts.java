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
package org.hdfsppr.namenode.manage.core;

import java.util.Optional;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.conf.Runbook;
import org.hdfsppr.namenode.model.Assignment;
import org.hdfsppr.namenode.model.CoreRows;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.UnitHolder;
import org.hdfsppr.wire.PeerLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes note of what repairs find out about columns and rows of CORE. All rows that share columns
 * with such a row are then planned again. Used by the manager's thread.
 */
@InterfaceAudience.Private
public final class CoreDoubts implements DoubtListener {
  private static final Logger LOG = LoggerFactory.getLogger(CoreDoubts.class);
  /** How many CORE groups with findings one call of {@link #forgetDissolved} checks. */
  private static final int LOOKED_FOR_MAX = 32;

  private final PeerLog peerLog = new PeerLog(LOG);
  private final CoreLosses losses;
  private final TrustedColumns trusted;
  private final ContradictedColumns contradicted;

  /**
   * @param losses looks at rows again when what is known of their columns changes
   * @param trusted says which columns may be read
   */
  public CoreDoubts(CoreLosses losses, TrustedColumns trusted) {
    this.losses = losses;
    this.trusted = trusted;
    this.contradicted = trusted.contradicted;
  }

  private Optional<CoreRows> rowsOf(long groupId) {
    return trusted.book().rowsOf(groupId);
  }

  @Override
  public void doubtChanged(GroupId group) {
    losses.doubtChanged(group);
  }

  @Override
  public void columnContradicts(GroupId group, int unit) {
    CoreRows rows = rowsOf(group.groupId).orElse(null);
    if (rows == null || !contradicted.add(rows, group, unit)) {
      return;
    }
    losses.doubtChanged(group);
    peerLog.error("contradicted", "No repair and no client reads column {} of CORE group {}, block"
        + " group {}, any more: what it gave contradicts the units of {}. If the next repair of"
        + " that block group finds its units right, a block of another file is wrong: 'hdfs ppr"
        + " -core -check' finds which. " + Runbook.CONTRADICTING_UNITS + " says how the column"
        + " comes into use again", unit, rows.coreGroup, rows.index, group);
    if (contradicted.isOverfull()) {
      peerLog.error("overfull", "More than {} columns of CORE groups contradict rows: no column is"
          + " read any more, by repairs and clients, until each of these findings has ended or"
          + " this NameNode has been started anew", ContradictedColumns.COLUMNS_MAX);
    }
  }

  @Override
  public void rowIsWrong(GroupId group) {
    if (!contradicted.isEmpty() && rowsOf(group.groupId)
        .map(rows -> contradicted.explained(rows, group)).orElse(0) > 0) {
      losses.doubtChanged(group);
    }
  }

  /**
   * Takes note that a DataNode has carried out a command.
   *
   * @param command the command, which has rebuilt all its units
   */
  public void rebuilt(Assignment command) {
    GroupId group = command.group.id;
    losses.moved(group);
    if (contradicted.isEmpty() || command.column().isPresent()) {
      return;
    }
    rowsOf(group.groupId).ifPresent(rows -> {
      for (UnitHolder target : command.targets) {
        if (contradicted.rewritten(rows, group, target.unit)) {
          LOG.warn("Column {} of CORE group {}, block group {}, may be read again: all blocks that"
              + " may have been wrong have been rebuilt by their own files", target.unit,
              rows.coreGroup, rows.index);
          losses.doubtChanged(group);
        }
      }
    });
  }

  /**
   * Returns how many of the columns to which a block group belongs may not be read.
   *
   * @param groupId the block group's id
   */
  public int contradicted(long groupId) {
    return rowsOf(groupId).map(rows -> Long.bitCount(contradicted.of(rows))).orElse(0);
  }

  /**
   * Lets the columns that a block group is in be read again, because a superuser knows that they
   * are right.
   *
   * @param groupId the block group's id
   * @return how many columns there are that were not read
   */
  public int lift(long groupId) {
    CoreRows rows = rowsOf(groupId).orElse(null);
    int lifted = rows == null ? 0 : contradicted.lift(rows);
    if (lifted > 0) {
      rows.rows.stream().filter(row -> row != null).forEach(row -> losses.moved(row.id));
    }
    return lifted;
  }

  /** Forgets what was found about some CORE groups that are not there any more. */
  public void forgetDissolved() {
    if (!contradicted.isEmpty() && trusted.book().isComplete()) {
      contradicted.forget(LOOKED_FOR_MAX, parity -> rowsOf(parity.groupId).isEmpty());
    }
  }
}
