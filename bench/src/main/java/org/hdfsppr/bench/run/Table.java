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
package org.hdfsppr.bench.run;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

import org.apache.hadoop.classification.InterfaceAudience;

/**
 * A table that a benchmark prints. Each line has a group of rows, such as the runs of a mode, and
 * columns have medians of the group; a group may have one row. Widths are those of {@link
 * String#format}: a negative one puts the text to the left. What is no number is a dash.
 */
@InterfaceAudience.Private
public final class Table {
  private final StringBuilder head = new StringBuilder();
  private final List<Function<List<Row>, String>> columns = new ArrayList<>();
  private boolean saysNotOk;

  /**
   * Adds a column.
   *
   * @param title the column's title
   * @param width the column's width
   * @param text makes the text of a group
   * @return this
   */
  public Table column(String title, int width, Function<List<Row>, String> text) {
    String format = (columns.isEmpty() ? "%" : " %") + width + "s";
    head.append(String.format(format, title));
    columns.add(group -> String.format(format, text.apply(group)));
    return this;
  }

  /**
   * Adds a column with a value of the group's first row as it stands in the file.
   *
   * @param title the column's title
   * @param width the column's width
   * @param name the value's name
   * @return this
   */
  public Table text(String title, int width, String name) {
    return column(title, width, group -> group.get(0).text(name));
  }

  /**
   * Adds a column with the number of rows of the group.
   *
   * @param title the column's title
   * @param width the column's width
   * @return this
   */
  public Table count(String title, int width) {
    return column(title, width, group -> String.valueOf(group.size()));
  }

  /**
   * Adds a column with the median of a number.
   *
   * @param title the column's title
   * @param width the column's width
   * @param digits how many digits follow the point
   * @param value the number
   * @return this
   */
  public Table median(String title, int width, int digits, ToDoubleFunction<Row> value) {
    return column(title, width, group -> number(digits, Row.median(group, value)));
  }

  /**
   * Adds a column with the median of a number in a larger unit.
   *
   * @param title the column's title
   * @param width the column's width
   * @param digits how many digits follow the point
   * @param name the number's name
   * @param unit how many of the number's units the column's unit has
   * @return this
   */
  public Table median(String title, int width, int digits, String name, double unit) {
    return median(title, width, digits, row -> row.number(name) / unit);
  }

  /**
   * Adds a column with the median of a number.
   *
   * @param title the column's title
   * @param width the column's width
   * @param digits how many digits follow the point
   * @param name the number's name
   * @return this
   */
  public Table median(String title, int width, int digits, String name) {
    return median(title, width, digits, name, 1);
  }

  /**
   * Adds a column with the least and the largest value of a number.
   *
   * @param title the column's title
   * @param width the column's width
   * @param digits how many digits follow the point
   * @param name the number's name
   * @return this
   */
  public Table range(String title, int width, int digits, String name) {
    return column(title, width, group -> "("
        + number(digits, group.stream().mapToDouble(row -> row.number(name)).min().getAsDouble())
        + " - "
        + number(digits, group.stream().mapToDouble(row -> row.number(name)).max().getAsDouble())
        + ")");
  }

  /** {@return this table, which marks each line that has a row that is not ok} */
  public Table markNotOk() {
    saysNotOk = true;
    return this;
  }

  /**
   * Groups rows that have the same label.
   *
   * @param rows the rows
   * @param label makes the label of a row
   * @return the rows of each label, in the order of the first ones
   */
  public static Map<String, List<Row>> groups(Collection<Row> rows, Function<Row, String> label) {
    return rows.stream()
        .collect(Collectors.groupingBy(label, LinkedHashMap::new, Collectors.toList()));
  }

  /**
   * Prints the titles, and a line for each group.
   *
   * @param out the user's
   * @param groups the groups; none is empty
   */
  public void print(PrintWriter out, Collection<List<Row>> groups) {
    out.println(head);
    for (List<Row> group : groups) {
      columns.forEach(column -> out.print(column.apply(group)));
      out.println(saysNotOk && !group.stream().allMatch(Row::ok) ? "   NOT OK" : "");
    }
    out.flush();
  }

  /**
   * Prints the titles, and a line for each row.
   *
   * @param out the user's
   * @param rows the rows
   */
  public void printEach(PrintWriter out, Collection<Row> rows) {
    print(out, rows.stream().map(List::of).collect(Collectors.toList()));
  }

  private static String number(int digits, double value) {
    return Double.isNaN(value) ? "-" : String.format(Locale.ROOT, "%." + digits + "f", value);
  }
}
