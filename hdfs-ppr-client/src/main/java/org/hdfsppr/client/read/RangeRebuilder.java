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
package org.hdfsppr.client.read;

import java.io.IOException;
import java.util.Arrays;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicLong;
import org.hdfsppr.coder.code.CoreRow;
import org.hdfsppr.coder.code.LinearCode;
import org.hdfsppr.coder.code.Recipe;

/**
 * Rebuilds ranges of units for one stream. If a tree of DataNodes is expected to be faster than
 * decoding, a tree rebuilds the range. Otherwise, or if the tree fails or is late, the client
 * decodes. Thread-safe.
 */
final class RangeRebuilder {
  /**
   * Counts the ranges that were rebuilt in this JVM, so that one in {@code checkOneIn} is checked.
   */
  private static final AtomicLong RANGES = new AtomicLong();

  /**
   * If a DataNode is only late, a tree is used only to rebuild at least this many bytes. Trees
   * rebuild whole slices, and all helpers work for them. For fewer bytes, a tree costs a busy
   * cluster several times as much as decoding.
   */
  private static final int LATE_TREE_BYTES_LEAST = 256 << 10;

  private final LinearCode code;
  /**
   * The number of files in a CORE group (t), as the file's policy says; empty if the policy is no
   * CORE policy.
   */
  private final OptionalInt files;
  private final int checkOneIn;
  private final TreeRebuild trees;
  private final DecodeRebuild decoding;
  private final ColumnRebuild columns;
  private final ReadAhead readAhead;
  private final ReadPlans plans;
  /** For each unit, how many units the code's cheapest repair of this unit alone reads. */
  private final int[] recipeReads;

  /** @param code of the stream's file */
  RangeRebuilder(ReadContext context, UnitReader units, LinearCode code) {
    this.code = code;
    this.files = CoreRow.filesOf(code);
    this.checkOneIn = context.settings.checkOneIn;
    this.plans = new ReadPlans(context, code);
    this.trees = new TreeRebuild(context, units, plans);
    this.decoding = new DecodeRebuild(context, units, plans);
    this.columns = new ColumnRebuild(context, units, plans);
    this.readAhead = new ReadAhead(context.settings.cacheBytes / 2);
    this.recipeReads = recipeReads(code);
  }

  private static int[] recipeReads(LinearCode code) {
    int[] reads = new int[code.units()];
    Arrays.fill(reads, code.dataUnits());
    for (Recipe recipe : code.recipes()) {
      if (recipe.lostUnits().size() == 1) {
        int unit = recipe.lostUnits().get(0);
        int units = (recipe.needed() + code.subChunks() - 1) / code.subChunks();
        reads[unit] = Math.min(reads[unit], units);
      }
    }
    return reads;
  }

  /**
   * Estimates what a rebuild of a range costs, without making a plan.
   *
   * @param read as for {@link #rebuild}
   * @return how many units have to be read for the range, in addition to what the read gets anyway
   */
  int reads(OpenRead read, UnitRange range) {
    return Math.min(missing(read, range), recipeReads[range.unit]);
  }

  /**
   * Rebuilds a range.
   *
   * @param read the read that wants the range; bytes of other pieces of this read may be used for
   *     decoding
   * @param ahead whether later reads will probably need a rebuild of the unit, too, so that more
   *     than the range is rebuilt for a sequential reader; false if the DataNode is only late
   * @param found receives all bytes that were rebuilt, which may be more than the range
   * @throws UntrustedBytesException if the bytes are not to be trusted, so that no other way may be
   *     tried
   * @throws IOException if neither a tree nor decoding can rebuild the range
   */
  void rebuild(OpenRead read, UnitRange range, boolean ahead, UnitByteCache found,
      ReadAttempt attempt)
      throws IOException {
    LocatedGroup group = read.group;
    Exception last = null;
    UnitRange wanted = range;
    boolean checked = isCheckDue();
    int missing = missing(read, range);
    if (!checked && isColumnCheaper(group, range, missing)) {
      try {
        if (columns.rebuild(group, range, true, found, attempt)) {
          return;
        }
      } catch (IOException | RuntimeException e) {
        last = e;
      }
      attempt.checkWanted();
    }
    // If a chain over a column was late, no tree is tried: the reader has waited long enough.
    if (!isDecodingCheaper(missing) && !attempt.isLate()
        && (ahead || plans.bytesOfWindows(group, range) >= LATE_TREE_BYTES_LEAST)) {
      try {
        if (ahead) {
          wanted = readAhead.widen(group.id().blockId(range.unit), range,
              group.unitBytes(range.unit));
        }
        TreeOutcome tree = trees.rebuild(group, wanted, checked, found, attempt);
        if (tree == TreeOutcome.REBUILT) {
          return;
        }
        if (tree == TreeOutcome.LATE) {
          // The reader has already waited for the tree, so only the range that the reader has asked
          // for is decoded.
          wanted = range;
        }
      } catch (UntrustedBytesException e) {
        throw e;
      } catch (IOException | RuntimeException e) {
        if (last != null) {
          e.addSuppressed(last);
        }
        last = e;
        wanted = range;
      }
      attempt.checkWanted();
    }
    try {
      decoding.rebuild(read, wanted, checked, found, attempt);
    } catch (UntrustedBytesException e) {
      throw e;
    } catch (IOException | RuntimeException e) {
      if (last != null) {
        e.addSuppressed(last);
      }
      if (IoFailures.isInterrupt(e) || !isRebuiltByColumn(group, range, found, attempt, e)) {
        throw e;
      }
    }
  }

  /**
   * Rebuilds a range from the unit's column, because the other units of its block group do not
   * suffice. Returns false if the unit is in no column, or if the column fails, too.
   */
  private boolean isRebuiltByColumn(LocatedGroup group, UnitRange range, UnitByteCache found,
      ReadAttempt attempt, Exception ofRow) {
    try {
      return !attempt.isCancelled() && columns.rebuild(group, range, false, found, attempt);
    } catch (IOException | RuntimeException e) {
      ofRow.addSuppressed(e);
      return false;
    }
  }

  /**
   * Whether rebuilding the range from the unit's column moves fewer bytes over links than
   * rebuilding it from other units of the row. Only a CORE policy says, without a request to the
   * NameNode, how many blocks a column has. So for files of other policies, a column is used only
   * if the row cannot rebuild the range.
   */
  private boolean isColumnCheaper(LocatedGroup group, UnitRange range, int missing) {
    if (files.isEmpty() || files.getAsInt() >= missing) {
      return false;
    }
    int sources = columns.sources(group, range.unit);
    return sources > 0 && sources < missing;
  }

  /**
   * Whether this range is to be checked. The setting dfs.ppr.verify says how many ranges are
   * checked.
   */
  private boolean isCheckDue() {
    return checkOneIn != 0 && RANGES.incrementAndGet() % checkOneIn == 0;
  }

  /**
   * Whether decoding has to read at most one unit in addition to those that the read gets anyway.
   * The read gets a unit anyway if the reader wants it, or if other ranges are decoded from it. A
   * tree would then bring no fewer bytes, because its sum is as long as one unit.
   */
  private boolean isDecodingCheaper(int missing) {
    return code.subChunks() == 1 && missing <= 1;
  }

  /**
   * Returns how many units of the row a rebuild of a range has to read, in addition to those that
   * the read gets anyway.
   */
  private int missing(OpenRead read, UnitRange range) {
    int missing = code.dataUnits();
    for (int unit = 0; unit < code.dataUnits(); unit++) {
      if (read.group.unitBytes(unit) <= range.from) {
        // A unit that ends before the range consists of zeros there, so it need not be read.
        missing--;
      }
    }
    for (PendingUnitRead other : read.underway) {
      if (other.unit() != range.unit && (other.covers(range) || other.sharesSources(range))) {
        missing--;
      }
    }
    return missing;
  }

  /**
   * Notices a reader that reads sequentially in a lost unit, and enlarges the range that is rebuilt
   * for that reader. A tree takes a few round trips to set up, which is expensive if the tree then
   * rebuilds only a few KiB. Thread-safe.
   */
  static final class ReadAhead {
    /**
     * The least length of an enlarged range, bytes. A shorter range is hardly worth the round trips
     * of a tree.
     */
    private static final int BYTES_LEAST = 256 << 10;

    /**
     * How far after the last rebuilt byte the next range of a sequential reader may begin, bytes.
     * Trees rebuild whole slices, so the bytes directly after a range may have been rebuilt with
     * it. The reader gets those bytes from memory, and its next range to rebuild begins after them.
     */
    private static final int GAP_BYTES_MOST = 64 << 10;

    private final long bytesMost;
    private long blockId;
    private long from;
    private long end;

    /**
     * @param bytesMost the length up to which a range is enlarged, bytes; 0: no range is enlarged
     */
    ReadAhead(long bytesMost) {
      this.bytesMost = bytesMost;
    }

    /**
     * Returns the range to rebuild for a reader. If the wanted range follows the range that was
     * rebuilt last, this method enlarges it to twice its length or to {@link #BYTES_LEAST},
     * whichever is more, but not beyond {@code bytesMost} bytes or the end of the unit. Otherwise
     * it returns the wanted range.
     *
     * @param unitBytes the unit's length, bytes
     */
    synchronized UnitRange widen(long block, UnitRange wanted, long unitBytes) {
      long length = wanted.length();
      if (block == blockId && wanted.from > from && wanted.from <= end + GAP_BYTES_MOST) {
        length = Math.max(length, Math.min(bytesMost, Math.max(2 * length, BYTES_LEAST)));
      }
      blockId = block;
      from = wanted.from;
      end = Math.min(unitBytes, wanted.from + length);
      return new UnitRange(wanted.unit, wanted.from, end);
    }
  }
}
