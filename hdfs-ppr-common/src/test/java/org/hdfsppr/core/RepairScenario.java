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
package org.hdfsppr.core;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A scenario of a CORE repair in a file of the folder {@code core-repair}: lines {@code code N K},
 * {@code row PICTURE} for each row, with the marks of {@link FailureMatrix#toString}, and for each
 * strategy {@code STRATEGY COST DEPTH STEP ...}. A step is {@code hROW} or {@code vROW.COLUMN}, and
 * names the steps before it in parentheses. {@code left N} says how many blocks remain lost.
 */
final class RepairScenario {
  final FailureMatrix matrix;
  /** Maps the label of a strategy to its line. */
  final Map<String, String> expected;
  final int left;

  private RepairScenario(FailureMatrix matrix, Map<String, String> expected, int left) {
    this.matrix = matrix;
    this.expected = expected;
    this.left = left;
  }

  static RepairScenario read(String name) {
    RowCode code = null;
    int left = 0;
    List<String> rows = new ArrayList<>();
    Map<String, String> expected = new LinkedHashMap<>();
    for (String line : lines("/core-repair/" + name + ".txt")) {
      String[] words = line.split(" ", 2);
      if (words[0].equals("code")) {
        String[] numbers = words[1].split(" ");
        code = new ReedSolomonRow(Integer.parseInt(numbers[0]), Integer.parseInt(numbers[1]));
      } else if (words[0].equals("row")) {
        rows.add(words[1]);
      } else if (words[0].equals("left")) {
        left = Integer.parseInt(words[1]);
      } else {
        expected.put(RepairStrategies.byName(words[0]).label(), words[1]);
      }
    }
    return new RepairScenario(matrix(code, rows), expected, left);
  }

  private static List<String> lines(String resource) {
    try (InputStream in = RepairScenario.class.getResourceAsStream(resource);
        BufferedReader reader =
            new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
      return reader.lines().filter(line -> !line.isBlank() && !line.startsWith("#"))
          .collect(Collectors.toList());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the matrix that the rows draw. */
  static FailureMatrix matrix(RowCode code, List<String> rows) {
    FailureMatrix matrix = FailureMatrix.of(code,
        rows.stream().mapToLong(row -> mask(row, "XY")).toArray());
    for (int row = 0; row < rows.size(); row++) {
      matrix = matrix.withAbsent(row, mask(rows.get(row), "0"))
          .withStale(row, mask(rows.get(row), "sY"));
    }
    return matrix;
  }

  private static long mask(String row, String marks) {
    long mask = 0;
    for (int column = 0; column < row.length(); column++) {
      if (marks.indexOf(row.charAt(column)) >= 0) {
        mask |= 1L << column;
      }
    }
    return mask;
  }

  /** Returns the line that describes a schedule. */
  static String line(RepairSchedule schedule) {
    return schedule.cost() + " " + schedule.depth()
        + schedule.steps.stream().map(RepairScenario::step).collect(Collectors.joining());
  }

  private static String step(RepairStep step) {
    String block = step.direction == RepairStep.Direction.HORIZONTAL ? "h" + step.row
        : "v" + step.row + "." + Long.numberOfTrailingZeros(step.rebuilt);
    return " " + block + (step.after.isEmpty() ? "" : step.after.stream()
        .map(String::valueOf).collect(Collectors.joining(",", "(", ")")));
  }
}
