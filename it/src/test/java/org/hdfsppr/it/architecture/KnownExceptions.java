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
package org.hdfsppr.it.architecture;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The known violations of the rules, each with its reason. They stand in a file with lines of the
 * form {@code rule | subject, subject ... | reason}. A line whose violation no longer exists is an
 * error too, so that the file gets shorter when the tree gets better.
 */
final class KnownExceptions {
  private static final String FILE = "/architecture-exceptions.txt";

  /** A line of the file. */
  private static final class Line {
    private final String rule;
    private final Set<String> subjects;
    private final String text;

    Line(String text) {
      String[] parts = text.split("\\|");
      if (parts.length != 3 || parts[2].isBlank()) {
        throw new IllegalArgumentException("Not 'rule | subjects | reason': " + text);
      }
      rule = parts[0].trim();
      subjects = Arrays.stream(parts[1].trim().split(" +"))
          .collect(Collectors.toCollection(TreeSet::new));
      this.text = text;
    }
  }

  private final List<Line> lines = new ArrayList<>();

  KnownExceptions(Collection<String> texts) {
    texts.stream().map(String::trim).filter(text -> !text.isEmpty() && !text.startsWith("#"))
        .forEach(text -> lines.add(new Line(text)));
  }

  static KnownExceptions read() {
    try (InputStream in = KnownExceptions.class.getResourceAsStream(FILE);
        BufferedReader reader =
            new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
      return new KnownExceptions(reader.lines().collect(Collectors.toList()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the rules that the lines name. */
  Set<String> rules() {
    return lines.stream().map(line -> line.rule).collect(Collectors.toCollection(TreeSet::new));
  }

  /**
   * Compares single violations with the lines of a rule.
   *
   * @param violations the subjects that break the rule
   * @return the errors: violations without a line, and lines without their violations
   */
  List<String> judge(String rule, Collection<String> violations) {
    List<Set<String>> each = new ArrayList<>();
    violations.forEach(violation -> each.add(Set.of(violation)));
    return judgeSets(rule, each);
  }

  /**
   * Compares violations that are sets, such as circles, with the lines of a rule. A line covers a
   * violation if it names all of the violation's subjects. A known circle may therefore break up,
   * but it must not grow.
   *
   * @param violations each a set of subjects
   * @return the errors: violations without a line, and subjects of lines that break no rule
   */
  List<String> judgeSets(String rule, Collection<? extends Set<String>> violations) {
    List<String> wrong = new ArrayList<>();
    for (Set<String> violation : violations) {
      if (lines.stream().noneMatch(line -> covers(line, rule, violation))) {
        wrong.add(rule + ": " + String.join(" ", new TreeSet<>(violation)));
      }
    }
    for (Line line : lines) {
      if (!line.rule.equals(rule)) {
        continue;
      }
      Set<String> inOrder = new TreeSet<>(line.subjects);
      violations.stream().filter(violation -> covers(line, rule, violation))
          .forEach(inOrder::removeAll);
      if (!inOrder.isEmpty()) {
        wrong.add("no exception is needed any more for " + String.join(" ", inOrder)
            + ", take it out of: " + line.text);
      }
    }
    return wrong;
  }

  private static boolean covers(Line line, String rule, Set<String> violation) {
    return line.rule.equals(rule) && line.subjects.containsAll(violation);
  }
}
