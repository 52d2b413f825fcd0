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

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.io.erasurecode.ErasureCodeConstants;
import org.hdfsppr.coder.code.CrossedCode;
import org.hdfsppr.coder.code.PprCodec;
import org.hdfsppr.core.FailureMatrix;
import org.hdfsppr.core.ReedSolomonRow;
import org.hdfsppr.core.RepairSchedule;
import org.hdfsppr.core.RepairStep;
import org.hdfsppr.core.RepairStep.Direction;
import org.hdfsppr.core.RepairStrategy;
import org.hdfsppr.namenode.model.CoreColumn;
import org.hdfsppr.namenode.model.CoreRows;
import org.hdfsppr.namenode.model.CoreWork;
import org.hdfsppr.namenode.model.CoreWork.RowStep;
import org.hdfsppr.namenode.model.CoreWork.State;
import org.hdfsppr.namenode.model.GroupPolicy;
import org.hdfsppr.namenode.model.LostGroup;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.UnitHolder;

/**
 * Decides what the repairs of the rows of a CORE group may do now, at one index of their block
 * groups. It compares the record of the group with what there is now, and makes the
 * {@link FailureMatrix} of it. A strategy orders the repairs of each cluster, that is, of losses
 * that depend on each other. A row may take the steps that read no block which is lost or being
 * rebuilt, unless an earlier step of the row itself rebuilds this block. All other steps wait. When
 * the blocks that they read are on their nodes, the caller asks again. The result depends only on
 * the arguments: this class uses no clock and no I/O.
 *
 * <p>A row whose block group is not the recorded one makes its columns unusable for all rows.
 */
final class CoreSquare {
  /** The codecs of Hadoop that rebuild all units from any k units. */
  private static final Set<String> MDS = Set.of(ErasureCodeConstants.RS_CODEC_NAME,
      ErasureCodeConstants.RS_LEGACY_CODEC_NAME, ErasureCodeConstants.XOR_CODEC_NAME);

  private final CoreRows rows;
  private final List<RowState> now;
  private final long contradicted;
  private final RepairStrategy strategy;
  private final GroupPolicy policy;
  private final ReedSolomonRow code;
  private final Set<Integer> broken = new HashSet<>();
  private final FailureMatrix matrix;

  private CoreSquare(CoreRows rows, List<RowState> now, long contradicted,
      RepairStrategy strategy) {
    this.contradicted = contradicted;
    this.rows = rows;
    this.now = now;
    this.strategy = strategy;
    this.policy = rows.policy;
    this.code = new ReedSolomonRow(policy.dataUnits + policy.parityUnits, policy.dataUnits);
    this.matrix = matrix();
  }

  /**
   * Returns whether columns of these rows can be used at all, which depends on their code and their
   * number.
   *
   * @param rows the rows of a CORE group at one index
   */
  static boolean isSupported(CoreRows rows) {
    GroupPolicy policy = rows.policy;
    boolean mds = MDS.contains(policy.codec) || PprCodec.byName(policy.codec)
        .filter(codec -> codec.filesPerGroup().isPresent()).isPresent();
    return mds && rows.rows.size() <= FailureMatrix.ROWS_MAX
        && CrossedCode.fits(policy.dataUnits + policy.parityUnits, rows.rows.size() - 1);
  }

  /**
   * Decides for all rows.
   *
   * @param rows the rows as they are recorded; {@link #isSupported} must be true for them
   * @param now the state of each row now, in the same order; ignored where {@code rows} has null
   * @param contradicted the columns that may not be read, because they contradict a row; bit i
   *     stands for column i
   * @param strategy orders the repairs where several rows have losses
   * @return what each row that waits for a repair may do, by the row's index
   */
  static Map<Integer, CoreWork> decide(CoreRows rows, List<RowState> now, long contradicted,
      RepairStrategy strategy) {
    return new CoreSquare(rows, now, contradicted, strategy).decide();
  }

  private FailureMatrix matrix() {
    int size = rows.rows.size();
    long all = -1L >>> Long.SIZE - code.units();
    long[] lost = new long[size];
    long[] absent = new long[size];
    long[] stale = new long[size];
    for (int row = 0; row < size; row++) {
      CoreRows.Row recorded = rows.rows.get(row);
      LostGroup view = now.get(row).view;
      absent[row] = recorded == null ? all : zeros(recorded.bytes);
      if (recorded == null) {
        continue;
      }
      if (recorded.stale || view == null || !view.id.equals(recorded.id)
          || view.groupBytes != recorded.bytes || !view.policy.equals(policy)) {
        broken.add(row);
        stale[row] = all & ~absent[row];
        continue;
      }
      long there = mask(now.get(row).rebuilt.keySet()) | mask(now.get(row).underWay.keySet());
      lost[row] = mask(view.lost) & ~absent[row] & ~there;
      long readable = 0;
      for (UnitHolder holder : view.live) {
        readable |= 1L << holder.unit;
      }
      if (now.get(row).doubted) {
        // Any of its units may be the wrong one, and a column would carry it into other files.
        readable = 0;
        there = 0;
      }
      // A unit on a node in maintenance is not lost, but cannot be read either.
      stale[row] = all & ~absent[row] & ~there & ~lost[row] & ~readable;
    }
    // The blocks of a column with a stale block need not add up to zero, so that no repair reads
    // it. The mark has no effect on rows: the parity file's row is read as before.
    stale[size - 1] |= contradicted;
    FailureMatrix made = FailureMatrix.of(code, lost);
    for (int row = 0; row < size; row++) {
      made = made.withAbsent(row, absent[row]).withStale(row, stale[row]);
    }
    return made;
  }

  private static long mask(Iterable<Integer> units) {
    long mask = 0;
    for (int unit : units) {
      mask |= 1L << unit;
    }
    return mask;
  }

  private long zeros(long groupBytes) {
    long zeros = 0;
    for (int unit = 0; unit < code.units(); unit++) {
      zeros |= CoreColumn.unitBytes(policy, groupBytes, unit) == 0 ? 1L << unit : 0;
    }
    return zeros;
  }

  private static List<Integer> units(long mask) {
    List<Integer> units = new ArrayList<>();
    for (long rest = mask; rest != 0; rest &= rest - 1) {
      units.add(Long.numberOfTrailingZeros(rest));
    }
    return units;
  }

  private Map<Integer, CoreWork> decide() {
    Map<Integer, CoreWork> works = new HashMap<>();
    for (FailureMatrix cluster : matrix.clusters()) {
      List<Integer> lossy = new ArrayList<>();
      for (int row = 0; row < cluster.rows(); row++) {
        if (cluster.lost(row) != 0) {
          lossy.add(row);
        }
      }
      boolean alone = lossy.size() == 1 && code.recovers(cluster.lost(lossy.get(0)))
          && (cluster.lost(lossy.get(0)) & underWayElsewhere(lossy.get(0))) == 0;
      RepairSchedule schedule = alone ? null : strategy.schedule(cluster);
      for (int row : lossy) {
        if (now.get(row).wanted) {
          works.put(row, alone ? work(State.ALONE, row, List.of()) : ordered(row, schedule));
        }
      }
    }
    return works;
  }

  /** Returns the columns in which other rows' blocks are being rebuilt. */
  private long underWayElsewhere(int row) {
    long columns = 0;
    for (int other = 0; other < now.size(); other++) {
      columns |= other == row ? 0 : mask(now.get(other).underWay.keySet());
    }
    return columns & matrix.relatedColumns();
  }

  /** Returns those of a row's steps that may be taken now. */
  private CoreWork ordered(int row, RepairSchedule schedule) {
    List<RowStep> steps = new ArrayList<>();
    Map<Integer, Integer> numbers = new HashMap<>();
    boolean any = false;
    for (int i = 0; i < schedule.steps.size(); i++) {
      RepairStep step = schedule.steps.get(i);
      if (step.row != row) {
        continue;
      }
      any = true;
      boolean vertical = step.direction == Direction.VERTICAL;
      if (!numbers.keySet().containsAll(step.after)
          || vertical && column(row, units(step.rebuilt).get(0)).isEmpty()) {
        continue;
      }
      Set<Integer> after = new LinkedHashSet<>();
      step.after.forEach(before -> after.add(numbers.get(before)));
      numbers.put(i, steps.size());
      steps.add(new RowStep(new LinkedHashSet<>(units(step.rebuilt)), vertical, after));
    }
    return work(!steps.isEmpty() ? State.ORDERED : any ? State.WAITS : State.HOPELESS, row, steps);
  }

  private CoreWork work(State state, int row, List<RowStep> steps) {
    Map<Integer, CoreColumn> columns = new HashMap<>();
    Map<Integer, Set<String>> holders = new HashMap<>();
    for (int unit : units(matrix.lost(row))) {
      column(row, unit).ifPresent(column -> columns.put(unit, column));
      holders.put(unit, holders(row, unit));
    }
    return new CoreWork(state, columns, holders, steps);
  }

  /**
   * Returns the column that can rebuild a unit now. The sum of its blocks has to be zero, and each
   * other block needs a readable replica, which a block that is being rebuilt does not have yet.
   */
  private Optional<CoreColumn> column(int row, int unit) {
    if ((matrix.relatedColumns() >>> unit & 1) == 0) {
      return Optional.empty();
    }
    List<CoreRows.Row> others = new ArrayList<>();
    List<UnitHolder> holders = new ArrayList<>();
    for (int other = 0; other < rows.rows.size(); other++) {
      if (other == row || (matrix.absent(other) >>> unit & 1) != 0) {
        continue;
      }
      Set<NodeRef> nodes = new LinkedHashSet<>();
      for (UnitHolder holder : now.get(other).view.live) {
        if (holder.unit == unit && !now.get(other).view.lost.contains(unit)) {
          nodes.add(holder.node);
        }
      }
      NodeRef rebuiltOn = now.get(other).rebuilt.get(unit);
      if (rebuiltOn != null) {
        nodes.add(rebuiltOn);
      }
      if (nodes.isEmpty()) {
        return Optional.empty();
      }
      int block = others.size();
      nodes.forEach(node -> holders.add(new UnitHolder(block, node)));
      others.add(rows.rows.get(other));
    }
    return Optional.of(new CoreColumn(policy, unit, others, holders));
  }

  /** Returns the nodes that hold other blocks of a unit's column, or are about to. */
  private Set<String> holders(int row, int unit) {
    Set<String> uuids = new HashSet<>();
    for (int other = 0; other < rows.rows.size(); other++) {
      RowState one = now.get(other);
      if (other == row || rows.rows.get(other) == null || broken.contains(other)) {
        continue;
      }
      one.view.live.stream().filter(holder -> holder.unit == unit)
          .forEach(holder -> uuids.add(holder.node.uuid));
      // A replica that cannot be read now may be readable again later.
      uuids.addAll(one.places(unit));
      for (Map<Integer, NodeRef> more : List.of(one.rebuilt, one.underWay)) {
        if (more.containsKey(unit)) {
          uuids.add(more.get(unit).uuid);
        }
      }
    }
    return uuids;
  }
}
