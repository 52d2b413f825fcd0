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
package org.hdfsppr.it.bench;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;

import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.it.read.ReadRequest.Range;

/** What is read of a file while one unit of each of its groups is lost. */
@InterfaceAudience.Private
enum ReadPattern {
  /** The whole file by one stream, 1 MiB a call. */
  SEQUENTIAL("sequential") {
    @Override
    List<Range> ranges(DegradedFile file, int[] lostUnits, int preads, Random random) {
      return List.of();
    }
  },

  /** Every cell of the lost units, one positional read each. */
  LOST_CELL("lost-cell") {
    @Override
    List<Range> ranges(DegradedFile file, int[] lostUnits, int preads, Random random) {
      List<Range> ranges = new ArrayList<>();
      for (int group = 0; group < file.groups(); group++) {
        for (int stripe = 0; stripe < file.stripesPerGroup() && lostUnits[group] >= 0; stripe++) {
          ranges.add(new Range(file.cellOffset(group, stripe, lostUnits[group]),
              DegradedFile.CELL_BYTES));
        }
      }
      return ranges;
    }
  },

  /** Positional reads of 64 KiB, anywhere in the file. */
  PREAD_64K("pread-64k") {
    @Override
    List<Range> ranges(DegradedFile file, int[] lostUnits, int preads, Random random) {
      List<Range> ranges = new ArrayList<>();
      for (int i = 0; i < preads; i++) {
        ranges.add(new Range(
            (long) (random.nextDouble() * (file.bytes() - SMALL_BYTES)), SMALL_BYTES));
      }
      return ranges;
    }
  },

  /**
   * The same number of such reads, all within lost cells; {@link #PREAD_64K} meets one in k times.
   */
  LOST_64K("lost-64k") {
    @Override
    List<Range> ranges(DegradedFile file, int[] lostUnits, int preads, Random random) {
      List<Range> cells = LOST_CELL.ranges(file, lostUnits, preads, random);
      List<Range> ranges = new ArrayList<>();
      for (int i = 0; i < preads && !cells.isEmpty(); i++) {
        Range cell = cells.get(random.nextInt(cells.size()));
        ranges.add(new Range(cell.offset() + random.nextInt(cell.length() - SMALL_BYTES + 1),
            SMALL_BYTES));
      }
      return ranges;
    }
  };

  private static final int SMALL_BYTES = 64 * 1024;

  private final String label;

  ReadPattern(String label) {
    this.label = label;
  }

  /** Finds a pattern by its label, as in {@code lost-64k}. */
  static ReadPattern parse(String label) {
    return Arrays.stream(values()).filter(pattern -> pattern.label.equals(label)).findFirst()
        .orElseThrow(() -> new IllegalArgumentException("'" + label + "' is not a pattern; there "
            + "are " + Arrays.stream(values()).map(pattern -> pattern.label)
            .collect(Collectors.joining(", "))));
  }

  String label() {
    return label;
  }

  /**
   * The positional reads, in their order; none for the whole file.
   *
   * @param lostUnits of each group the data unit that is lost; negative where none is
   * @param preads how many, where that is not given by the file
   */
  abstract List<Range> ranges(DegradedFile file, int[] lostUnits, int preads, Random random);
}
