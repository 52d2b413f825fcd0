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
package org.hdfsppr.bench.papers;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;
import org.hdfsppr.bench.run.Medians;

/** Draws the values of a series out of the rows of its runs. Immutable. */
final class RowQuery {
  private static final Pattern FIELD = Pattern.compile("\\{([A-Za-z0-9_.]+)\\}");

  private final OurSeries series;
  private final List<JsonNode> rows;

  /**
   * @param rows the rows of all runs of the series
   */
  RowQuery(OurSeries series, List<JsonNode> rows) {
    this.series = series;
    this.rows = rows;
  }

  /** {@return whether rows can make this text of a template} */
  static boolean couldBe(String template, String text) {
    return text.matches(Stream.of(FIELD.split(template, -1)).map(Pattern::quote)
        .collect(Collectors.joining(".+")));
  }

  /** {@return for each label, and each x, the values of all rows} */
  Map<String, Map<String, List<Double>>> values() {
    Map<String, Map<String, List<Double>>> values = new LinkedHashMap<>();
    for (JsonNode row : rows) {
      if (matches(row, series.where)) {
        List<Double> found = of(row);
        if (!found.isEmpty()) {
          values.computeIfAbsent(fill(series.label, row), label -> new LinkedHashMap<>())
              .computeIfAbsent(fill(series.x, row), x -> new ArrayList<>()).addAll(found);
        }
      }
    }
    return values;
  }

  /** {@return whether there are rows that the series asks for} */
  boolean hasRows() {
    return rows.stream().anyMatch(row -> matches(row, series.where));
  }

  /** {@return whether there are rows that the series is compared with; true if it is not} */
  boolean hasBaseRows() {
    return series.comparison().isEmpty()
        || rows.stream().anyMatch(row -> matches(row, series.baseWhere));
  }

  /**
   * {@return how many of these rows have no value: it was not measured, or has no counterpart} A
   * series that may have rows without a counterpart needs one row with it.
   */
  long rowsWithoutValue() {
    List<JsonNode> without = rows.stream()
        .filter(row -> matches(row, series.where) && of(row).isEmpty())
        .collect(Collectors.toList());
    return series.unpaired && !values().isEmpty()
        ? without.stream().filter(row -> numbers(row, series.y).isEmpty()).count()
        : without.size();
  }

  private List<Double> of(JsonNode row) {
    List<Double> values = new ArrayList<>();
    if (series.comparison().isEmpty()) {
      numbers(row, series.y).forEach(value -> values.add(value * series.scale));
      return values;
    }
    List<Double> bases = new ArrayList<>();
    for (JsonNode base : rows) {
      if (matches(base, series.baseWhere) && series.baseSame.stream()
          .allMatch(field -> text(base, field).equals(text(row, field)))
          && (!series.baseWhere.isEmpty() || !series.baseSame.isEmpty() || base == row)) {
        bases.addAll(numbers(base, series.baseY));
      }
    }
    if (!bases.isEmpty() && Medians.of(bases) != 0) {
      double base = Medians.of(bases);
      numbers(row, series.y).forEach(value ->
          values.add(series.comparison().get().of(value, base) * series.scale));
    }
    return values;
  }

  private static boolean matches(JsonNode row, Map<String, List<String>> where) {
    return where.entrySet().stream().allMatch(field -> row.has(field.getKey())
        && field.getValue().contains(row.get(field.getKey()).asText()));
  }

  /** Returns the number of a field, or those of an array. A null was not measured. */
  private static List<Double> numbers(JsonNode row, String field) {
    List<Double> numbers = new ArrayList<>();
    JsonNode value = row.path(field);
    if (value.isMissingNode()) {
      throw new IllegalStateException("The results have no field " + field + ": " + row);
    }
    (value.isArray() ? value : List.of(value)).forEach(each -> {
      if (each.isNumber()) {
        numbers.add(each.asDouble());
      }
    });
    return numbers;
  }

  private static String text(JsonNode row, String field) {
    if (!row.has(field)) {
      throw new IllegalStateException("The results have no field " + field + ": " + row);
    }
    return row.get(field).asText();
  }

  private static String fill(String template, JsonNode row) {
    return FIELD.matcher(template).replaceAll(use ->
        Matcher.quoteReplacement(text(row, use.group(1))));
  }
}
