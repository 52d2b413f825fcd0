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

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * A result of a benchmark: values with names, in their order. It is an object of the benchmark's
 * JSON file, and tables and charts read its values by their names.
 */
@InterfaceAudience.Private
public final class Row {
  /** The object in the file; for values that are objects or arrays themselves. */
  public final ObjectNode json = JsonNodeFactory.instance.objectNode();
  private final Map<String, Double> kept = new HashMap<>();

  /**
   * @param bench the name of the benchmark, which is the row's first value
   */
  public Row(String bench) {
    json.put("bench", bench);
  }

  /**
   * Adds a text.
   *
   * @param name the value's name
   * @param value the value
   * @return this
   */
  public Row put(String name, String value) {
    json.put(name, value);
    return this;
  }

  /**
   * Adds a truth.
   *
   * @param name the value's name; {@code ok} says whether the measurement counts
   * @param value the value
   * @return this
   */
  public Row put(String name, boolean value) {
    json.put(name, value);
    return this;
  }

  /**
   * Adds a number.
   *
   * @param name the value's name
   * @param value the value
   * @return this
   */
  public Row put(String name, long value) {
    json.put(name, value);
    return this;
  }

  /**
   * Adds a number.
   *
   * @param name the value's name
   * @param value the value; null in the file if it is no number
   * @return this
   */
  public Row put(String name, double value) {
    json.put(name, Double.isNaN(value) ? null : (Double) value);
    return this;
  }

  /**
   * Adds a number, or null in the file if there is none.
   *
   * @param name the value's name
   * @param value the value
   * @return this
   */
  public Row put(String name, OptionalLong value) {
    json.put(name, value.isPresent() ? (Long) value.getAsLong() : null);
    return this;
  }

  /**
   * Adds a number, or null in the file if there is none.
   *
   * @param name the value's name
   * @param value the value
   * @return this
   */
  public Row put(String name, OptionalDouble value) {
    return put(name, value.orElse(Double.NaN));
  }

  /**
   * Keeps a number for tables, which the file does not have.
   *
   * @param name the number's name
   * @param value the number
   * @return this
   */
  public Row keep(String name, double value) {
    kept.put(name, value);
    return this;
  }

  /**
   * Puts numbers right behind another value, in place of earlier ones of the same names.
   *
   * @param name the name of the other value
   * @param numbers the numbers by their names
   */
  public void putBehind(String name, Map<String, Double> numbers) {
    ObjectNode old = json.deepCopy();
    json.removeAll();
    old.fields().forEachRemaining(field -> {
      if (!numbers.containsKey(field.getKey())) {
        json.set(field.getKey(), field.getValue());
      }
      if (field.getKey().equals(name)) {
        numbers.forEach(json::put);
      }
    });
  }

  /** {@return the number of this name; not a number if it is null or missing} */
  public double number(String name) {
    JsonNode value = json.path(name);
    return value.isNumber() ? value.doubleValue() : kept.getOrDefault(name, Double.NaN);
  }

  /** {@return the value of this name as it stands in the file, or a dash if there is none} */
  public String text(String name) {
    JsonNode value = json.path(name);
    return value.isMissingNode() || value.isNull() ? "-" : value.asText();
  }

  /** {@return whether the row's value {@code ok} is true} */
  public boolean ok() {
    return json.path("ok").asBoolean();
  }

  /**
   * {@return the median of a number of rows}
   *
   * @param rows at least one row
   * @param value the number
   */
  public static double median(List<Row> rows, ToDoubleFunction<Row> value) {
    return Medians.of(rows.stream().map(value::applyAsDouble).collect(Collectors.toList()));
  }
}
