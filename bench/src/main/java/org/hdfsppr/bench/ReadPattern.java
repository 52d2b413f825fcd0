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
package org.hdfsppr.bench;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;

import org.hdfsppr.bench.read.ReadRequest.Range;

/** The patterns in which clients read a file that has lost one unit of each group. */
enum ReadPattern {
  /** Reads the whole file in one stream, with 1 MiB per call. */
  SEQUENTIAL("sequential") {
    @Override
    List<Range> ranges(DegradedFile file, int[] lostUnits, int preads, Random random) {
      return List.of();
    }
  },

  /** Reads each cell of the lost units with one positional read. */
  LOST_CELL("lost-cell") {
    @Override
    List<Range> ranges(DegradedFile file, int[] lostUnits, int preads, Random random) {
      List<Range> ranges = new ArrayList<>();
      for (int group = 0; group < file.groups; group++) {
        for (int stripe = 0; stripe < file.stripesPerGroup() && lostUnits[group] >= 0; stripe++) {
          ranges.add(new Range(file.cellOffset(group, stripe, lostUnits[group]),
              DegradedFile.CELL_BYTES));
        }
      }
      return ranges;
    }
  },

  /** Reads 64 KiB at random positions of the file. */
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
   * Makes as many reads of 64 KiB as {@link #PREAD_64K}, but each at a random position of a random
   * lost cell. With {@link #PREAD_64K}, only one in k reads touches a lost cell.
   */
  LOST_64K("lost-64k") {
    @Override
    List<Range> ranges(DegradedFile file, int[] lostUnits, int preads, Random random) {
      List<Range> cells = LOST_CELL.ranges(file, lostUnits, preads, random);
      List<Range> ranges = new ArrayList<>();
      for (int i = 0; i < preads && !cells.isEmpty(); i++) {
        Range cell = cells.get(random.nextInt(cells.size()));
        ranges.add(new Range(cell.offset + random.nextInt(cell.length - SMALL_BYTES + 1),
            SMALL_BYTES));
      }
      return ranges;
    }
  };

  private static final int SMALL_BYTES = 64 * 1024;

  final String label;

  ReadPattern(String label) {
    this.label = label;
  }

  /** Finds a pattern by its label, such as {@code lost-64k}. */
  static ReadPattern parse(String label) {
    return Arrays.stream(values()).filter(pattern -> pattern.label.equals(label)).findFirst()
        .orElseThrow(() -> new IllegalArgumentException("'" + label + "' is not a pattern; there "
            + "are " + Arrays.stream(values()).map(pattern -> pattern.label)
            .collect(Collectors.joining(", "))));
  }

  /**
   * Returns the ranges of the positional reads, in the order in which clients read them. The list
   * is empty if a client reads the whole file in one stream.
   *
   * @param lostUnits the index of the lost data unit of each group; negative if the group has lost
   *     no data unit
   * @param preads the number of reads, for patterns whose number does not follow from the file
   */
  abstract List<Range> ranges(DegradedFile file, int[] lostUnits, int preads, Random random);
}
