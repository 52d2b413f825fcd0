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
 * Checks the columns of a CORE group: the blocks of each add up to zero. A column has one relation,
 * which does not show the block that is wrong, so that a contradiction is followed by a check of
 * each row by its own parities. Thread-safe.
 */
final class SquareVerification {
  /** Asks the NameNode for a CORE group once more. */
  interface Squares {
    /** @return the block groups beside one; empty if it is in no CORE group */
    Optional<SquareBlocks> of(long blockGroup) throws IOException;
  }

  /** What is checked of a square. */
  private interface Part {
    SeenGroup of(SquareBlocks square) throws IOException;
  }

  private final Squares squares;
  private final VerifySession session;
  private final Function<GroupLookup, GroupVerification> checks;

  /** @param session reads units, and knows codes */
  SquareVerification(VerifySession session, Squares squares) {
    this.session = session;
    this.squares = squares;
    this.checks = session.checks(false);
  }

  /**
   * Checks all columns of some block groups. Throws nothing: what fails is part of the finding.
   *
   * @param square the block groups, with rows
   */
  SquareFinding check(SquareBlocks square) {
    return new OneSquare(square).check();
  }

  /** The check of one square. */
  private final class OneSquare {
    private final SquareBlocks square;
    private final List<String> files = new ArrayList<>();
    /** What was found in each row; null until a column has a contradiction. */
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

    /** Shows the square as it was found, and asks the NameNode each time afterwards. */
    private GroupLookup lookup(Part part) {
      AtomicBoolean isFirst = new AtomicBoolean(true);
      return spot -> {
        SquareBlocks now = isFirst.getAndSet(false) ? square
            : squares.of(spot.groupId).filter(this::isSame).orElse(null);
        return now == null ? SeenGroup.without(SeenGroup.State.GONE) : part.of(now);
      };
    }

    /** Returns whether an answer is about the same bytes; their places may be others. */
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

    /** Returns whether a row's own parity says that its unit may be the wrong one. */
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

  /** A column of a CORE group: the blocks of one unit that have bytes. Immutable. */
  static final class ColumnUnits implements LocatedUnits {
    /** The rows of the square that have a block here, in the order of the code. */
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
     * @return the column; null if it has no bytes in any file
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

    /** Returns the code, of which the parity file's block is the parity. */
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
