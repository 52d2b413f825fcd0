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
package org.hdfsppr.conformance;

import java.io.BufferedReader;
import java.io.IOException;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Counts the signs in a run's log for each test method.
 *
 * <p>A line counts for the test that began last, even if this test has already ended, because a
 * repair may still be running when a test method returns. Lines before the first test of a JVM
 * count for no test.
 */
final class RunLog {
  static final String MARK_JVM = "CONFORMANCE JVM";
  static final String MARK_BEGIN = "CONFORMANCE BEGIN ";
  static final String MARK_END = "CONFORMANCE END ";

  /**
   * The text in front of the listener's messages. The class name is a string, because
   * {@link ConformanceReport} runs without JUnit on the class path, where the listener's class
   * cannot be loaded.
   */
  private static final String MARK = "org.hdfsppr.conformance.ConformanceListener - ";

  /**
   * Maps each test method, as {@code class#method}, to the count of each sign. The methods are in
   * the order in which they ran.
   */
  private final Map<String, Map<Sign, Integer>> seen = new LinkedHashMap<>();

  private final Set<String> unfinished = new LinkedHashSet<>();

  private RunLog() {
  }

  static RunLog read(BufferedReader in, Map<Sign, Pattern> patterns) throws IOException {
    RunLog log = new RunLog();
    Map<Sign, Integer> current = new EnumMap<>(Sign.class);
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      int mark = line.indexOf(MARK);
      if (mark >= 0) {
        String message = line.substring(mark + MARK.length());
        if (message.equals(MARK_JVM)) {
          current = new EnumMap<>(Sign.class);
        } else if (message.startsWith(MARK_BEGIN)) {
          String test = message.substring(MARK_BEGIN.length());
          current = log.seen.computeIfAbsent(test, t -> new EnumMap<>(Sign.class));
          log.unfinished.add(test);
        } else if (message.startsWith(MARK_END)) {
          log.unfinished.remove(message.substring(MARK_END.length()).split(" ")[0]);
        }
        continue;
      }
      for (Map.Entry<Sign, Pattern> pattern : patterns.entrySet()) {
        Matcher matcher = pattern.getValue().matcher(line);
        if (matcher.find()) {
          current.merge(pattern.getKey(), pattern.getKey().weight(matcher), Integer::sum);
        }
      }
    }
    return log;
  }

  /** Returns how often a sign occurs in all tests of a class together. */
  int count(String className, Sign sign) {
    String prefix = className + "#";
    return seen.entrySet().stream()
        .filter(e -> e.getKey().startsWith(prefix))
        .mapToInt(e -> e.getValue().getOrDefault(sign, 0))
        .sum();
  }

  /**
   * Returns the test methods that began and did not end, for example because their JVM died or
   * hung.
   */
  Set<String> unfinished() {
    return Collections.unmodifiableSet(unfinished);
  }

  /** Maps each test method that ran to the count of each sign. */
  Map<String, Map<Sign, Integer>> methods() {
    return Collections.unmodifiableMap(seen);
  }
}
