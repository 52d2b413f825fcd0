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
package org.hdfsppr.client.files.square;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.hdfsppr.client.read.LocatedGroup;
import org.hdfsppr.client.read.LocatedUnits;
import org.hdfsppr.client.verify.GroupFinding;
import org.hdfsppr.client.verify.GroupLookup;
import org.hdfsppr.client.verify.GroupSpot;
import org.hdfsppr.client.verify.GroupVerification;
import org.hdfsppr.client.verify.SeenGroup;
import org.hdfsppr.client.verify.Verdict;
import org.hdfsppr.client.verify.VerifySession;
import org.hdfsppr.coder.code.CoreRow;
import org.hdfsppr.coder.code.LinearCode;
import org.hdfsppr.column.SquareBlocks;
import org.hdfsppr.plan.BlockLayout;
import org.hdfsppr.plan.BlockRef;
import org.hdfsppr.plan.ListedBlocks;

/**
 * Checks whether the blocks of each column of a CORE group add up to zero. A column has only this
 * one equation, which does not show the block that is wrong. So if one does not hold, this class
 * checks each row, which is a block group of one file, by its own parities. Thread-safe.
 */
final class SquareVerification {
  /** Asks the NameNode for the block groups of a CORE group. */
  interface Squares {
    /**
     * @return the block groups with the same index in the CORE group; empty if the given one is in
     *     no CORE group
     */
    Optional<SquareBlocks> of(long blockGroup) throws IOException;
  }

  /** Chooses what is checked of the block groups: a column or a row. */
  private interface Part {
    SeenGroup of(SquareBlocks square) throws IOException;
  }

  private final Squares squares;
  private final VerifySession session;
  private final Function<GroupLookup, GroupVerification> checks;

  /** @param session reads units and knows codes */
  SquareVerification(VerifySession session, Squares squares) {
    this.session = session;
    this.squares = squares;
    this.checks = session.checks(false);
  }

  /**
   * Checks all columns of the block groups with one index in a CORE group. It throws no exception:
   * a failure becomes part of the result.
   *
   * @param square the block groups, at least one
   */
  SquareFinding check(SquareBlocks square) {
    return new OneSquare(square).check();
  }

  /** The check of the block groups with one index in a CORE group. */
  private final class OneSquare {
    private final SquareBlocks square;
    private final List<String> files = new ArrayList<>();
    /**
     * The result of each row's check by its own parities; null before a column contradicts itself.
     */
    private List<GroupFinding> rows;
    private long unitBytes;
    private long clientBytes;

    OneSquare(SquareBlocks square) {
      this.square = square;
      square.rows.forEach(row -> files.add(row.path));
    }

    SquareFinding check() {
      List<ColumnFinding> columns = new ArrayList<>();
      int units = square.policy.getNumDataUnits() + square.policy.getNumParityUnits();
      for (int unit = 0; unit < units; unit++) {
        ColumnUnits column = ColumnUnits.of(square, unit);
        if (column != null) {
          columns.add(column(column, unit));
        }
      }
      return new SquareFinding(square.coreGroup, square.index, files, columns, unitBytes,
          clientBytes);
    }

    private ColumnFinding column(ColumnUnits column, int unit) {
      GroupFinding found = check(now -> {
        ColumnUnits again = ColumnUnits.of(now, unit);
        return SeenGroup.there(again, again.code());
      });
      switch (found.verdict) {
        case CONTRADICTION:
          return contradiction(column, unit);
        case GONE:
          return ColumnFinding.of(unit, Verdict.GONE, "its group was dissolved meanwhile", "");
        case NOT_CHECKED:
        case UNREADABLE:
          return ColumnFinding.of(unit, found.verdict, found.missing.isEmpty() ? found.text
              : "the blocks of " + names(found.missing.stream().map(column.rows::get)
                  .collect(Collectors.toList())) + " cannot be read, and a column has no block to"
                  + " spare", "");
        default:
          return ColumnFinding.of(unit, found.verdict, found.text, "");
      }
    }

    private GroupFinding check(Part part) {
      LocatedStripedBlock first = square.rows.get(0).group;
      GroupFinding found = checks.apply(lookup(part))
          .check(new GroupSpot(files.get(0), 0, first.getBlock().getBlockId()));
      unitBytes += found.unitBytes;
      clientBytes += found.clientBytes;
      return found;
    }

    /**
     * Returns a lookup that at first gives the block groups as the walk has found them, and later
     * asks the NameNode each time.
     */
    private GroupLookup lookup(Part part) {
      AtomicBoolean isFirst = new AtomicBoolean(true);
      return spot -> {
        SquareBlocks now = isFirst.getAndSet(false) ? square
            : squares.of(spot.groupId).filter(this::isSame).orElse(null);
        return now == null ? SeenGroup.without(SeenGroup.State.GONE) : part.of(now);
      };
    }

    /**
     * Returns whether an answer of the NameNode names the same block groups with the same lengths.
     * The DataNodes of their blocks may have changed.
     */
    private boolean isSame(SquareBlocks now) {
      boolean isSame = now.coreGroup == square.coreGroup && now.index == square.index
          && now.rows.size() == square.rows.size();
      for (int row = 0; isSame && row < now.rows.size(); row++) {
        LocatedGroup before = ColumnUnits.row(square, row);
        LocatedGroup after = ColumnUnits.row(now, row);
        isSame = before.id().equals(after.id()) && before.bytes() == after.bytes();
      }
      return isSame;
    }

    private ColumnFinding contradiction(ColumnUnits column, int unit) {
      if (rows == null) {
        rows = new ArrayList<>();
        for (int row = 0; row < files.size(); row++) {
          int index = row;
          rows.add(check(now -> SeenGroup.there(ColumnUnits.row(now, index),
              session.code(now.policy))));
        }
      }
      List<Integer> wrong = column.rows.stream().filter(row -> isWrong(row, unit))
          .collect(Collectors.toList());
      String text = "the blocks of " + names(column.rows) + " do not add up to zero";
      if (wrong.size() == 1) {
        GroupFinding row = rows.get(wrong.get(0));
        GroupFinding.UnitPlace place = row.namesUnit() ? row.suspects.get(0) : null;
        return ColumnFinding.of(unit, Verdict.CONTRADICTION, text + ": that of "
            + name(wrong.get(0)) + " is wrong, as its own parity says"
            + (place == null ? ", which does not show the unit" : ": " + place), row.next)
            .with(files.get(wrong.get(0)), place);
      }
      if (wrong.size() > 1) {
        return ColumnFinding.of(unit, Verdict.CONTRADICTION, text + ", and the own parities of "
            + names(wrong) + " contradict them, too",
            "Verify these files ('hdfs ppr -verify'), and check again when they are repaired");
      }
      List<Integer> unknown = column.rows.stream()
          .filter(row -> rows.get(row).verdict != Verdict.AGREES).collect(Collectors.toList());
      if (!unknown.isEmpty()) {
        return ColumnFinding.of(unit, Verdict.CONTRADICTION, text + "; the own parities of "
            + names(unknown) + " could not show whether they are right",
            "Check again when these files are whole");
      }
      return ColumnFinding.of(unit, Verdict.CONTRADICTION, text + ", although each of them agrees"
          + " with its own parity, so that it cannot be said which one is wrong",
          "If the files are right, take the record of the parity file away ('hdfs dfs -setfattr -x"
              + " trusted.hdfs-ppr.core-group " + files.get(files.size() - 1)
              + "'): the group is dissolved and formed anew");
    }

    /**
     * Returns whether a row's own parities contradict its data units, and leave open or show that
     * the block of this unit is wrong.
     */
    private boolean isWrong(int row, int unit) {
      GroupFinding found = rows.get(row);
      return found.verdict == Verdict.CONTRADICTION && (found.suspects.isEmpty()
          || found.suspects.stream().anyMatch(place -> place.unit == unit));
    }

    private String name(int row) {
      return row == files.size() - 1 ? "the parity file" : files.get(row);
    }

    private String names(List<Integer> some) {
      return some.stream().map(this::name).collect(Collectors.joining(", "));
    }
  }

  /**
   * A column of a CORE group: the blocks with one unit's index in all rows, as far as they have
   * bytes. Immutable.
   */
  static final class ColumnUnits implements LocatedUnits {
    /**
     * The indices of the rows that have a block in this column, in ascending order. The parity
     * file's row is the last one.
     */
    final List<Integer> rows;
    private final List<LocatedBlock> blocks;
    private final ListedBlocks layout;

    private ColumnUnits(List<Integer> rows, List<LocatedBlock> blocks, ListedBlocks layout) {
      this.rows = rows;
      this.blocks = blocks;
      this.layout = layout;
    }

    /**
     * Returns a column.
     *
     * @param unit index of the unit
     * @return the column; null if fewer than two rows have bytes in it
     */
    static ColumnUnits of(SquareBlocks square, int unit) {
      List<Integer> rows = new ArrayList<>();
      List<LocatedBlock> blocks = new ArrayList<>();
      List<BlockRef> refs = new ArrayList<>();
      LocatedGroup first = null;
      for (int row = 0; row < square.rows.size(); row++) {
        LocatedGroup group = row(square, row);
        first = first == null ? group : first;
        if (group.unitBytes(unit) > 0) {
          rows.add(row);
          blocks.add(group.unit(unit));
          refs.add(group.layout().block(unit));
        }
      }
      return refs.size() < 2 ? null : new ColumnUnits(rows, blocks,
          new ListedBlocks(first.id(), refs, refs.size() - 1, first.cellBytes()));
    }

    /** Returns the block group of a row. */
    static LocatedGroup row(SquareBlocks square, int row) {
      return new LocatedGroup(square.rows.get(row).group, square.policy);
    }

    /** Returns the code of the column, in which the block of the parity file is the parity. */
    LinearCode code() {
      return CoreRow.column(layout.dataUnits());
    }

    @Override
    public BlockLayout layout() {
      return layout;
    }

    @Override
    public LocatedBlock unit(int unit) {
      return blocks.get(unit);
    }
  }
}
