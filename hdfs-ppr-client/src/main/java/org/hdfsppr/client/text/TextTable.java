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
package org.hdfsppr.client.text;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * A table with aligned columns, two blanks between them. If the table is too wide, its first column
 * is cut, but never below {@link #FIRST_WIDTH_MIN} characters. Used by one thread.
 */
@InterfaceAudience.Private
public final class TextTable {
  /** The first column keeps this many characters, which name a node or most of a block. */
  static final int FIRST_WIDTH_MIN = 14;
  private static final String GAP = "  ";
  private static final String CUT = "~";

  private final List<String[]> rows = new ArrayList<>();
  private final boolean[] isNumber;

  /**
   * @param columns the heads of the columns; a head that begins with {@code >} is of a column of
   *     numbers, which are aligned at the right
   */
  public TextTable(String... columns) {
    isNumber = new boolean[columns.length];
    String[] heads = new String[columns.length];
    for (int i = 0; i < columns.length; i++) {
      isNumber[i] = columns[i].startsWith(">");
      heads[i] = isNumber[i] ? columns[i].substring(1) : columns[i];
    }
    rows.add(heads);
  }

  /**
   * Adds a row.
   *
   * @param cells a text for each column
   */
  public void row(String... cells) {
    if (cells.length != isNumber.length) {
      throw new IllegalArgumentException(Arrays.toString(cells) + " is no row of "
          + isNumber.length + " columns");
    }
    rows.add(cells);
  }

  /** @return the lines of the table, the heads first, without blanks at the end of a line */
  public List<String> lines() {
    int[] widths = widths();
    List<String> lines = new ArrayList<>();
    for (String[] row : rows) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < row.length; i++) {
        String cell = i == 0 ? cut(row[i], widths[0]) : row[i];
        String blanks = " ".repeat(widths[i] - cell.length());
        line.append(i == 0 ? "" : GAP).append(isNumber[i] ? blanks + cell : cell + blanks);
      }
      lines.add(line.toString().stripTrailing());
    }
    return lines;
  }

  private int[] widths() {
    int[] widths = new int[isNumber.length];
    for (String[] row : rows) {
      for (int i = 0; i < row.length; i++) {
        widths[i] = Math.max(widths[i], row[i].length());
      }
    }
    int all = Arrays.stream(widths).sum() + (widths.length - 1) * GAP.length();
    int tooMany = Math.max(0, all - TextLines.WIDTH);
    widths[0] = Math.max(Math.min(widths[0], FIRST_WIDTH_MIN), widths[0] - tooMany);
    return widths;
  }

  /**
   * Cuts a name. If the name is that of a node, its port stays, because nodes on the same host
   * differ only in their ports.
   */
  private static String cut(String cell, int width) {
    if (cell.length() <= width) {
      return cell;
    }
    String end = cell.substring(Math.max(cell.lastIndexOf(':'), 0));
    String kept = cell.lastIndexOf(':') < 0 || end.length() > width / 2 ? CUT : CUT + end;
    return cell.substring(0, width - kept.length()) + kept;
  }
}
