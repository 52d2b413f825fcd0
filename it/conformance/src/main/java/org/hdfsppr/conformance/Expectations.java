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

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The entries of {@code expected.txt} for one configuration. They excuse failures and fallbacks
 * that have a known reason.
 */
final class Expectations {
  private static final int FIELDS = 4;
  /**
   * Matches the end of an entry of the kind race, which is a part of the failure's message in
   * quotes, followed by the reason.
   */
  private static final Pattern RACE = Pattern.compile("\"([^\"]{10,})\"\\s+(\\S.*)");

  /** Maps {@code class#method} to the reason why the test may fail. */
  private final Map<String, String> failures = new LinkedHashMap<>();
  /** Maps a class to the number of its fallbacks to stock that have a known reason. */
  private final Map<String, Integer> fallbacks = new LinkedHashMap<>();
  /**
   * Maps {@code class#method} to the only failure that a race in Hadoop's own code may cause in the
   * test.
   */
  private final Map<String, Race> races = new LinkedHashMap<>();

  /** A failure that a test sometimes has, with stock too. */
  private static final class Race {
    private final String message;
    private final String reason;

    Race(String message, String reason) {
      this.message = message;
      this.reason = reason;
    }
  }

  private Expectations() {
  }

  /**
   * Parses the lines of {@code expected.txt}.
   *
   * @throws IllegalArgumentException if a line has a wrong format. This method does not skip such a
   *     line, because its author believes that it excuses a failure.
   */
  static Expectations parse(List<String> lines, String conf) {
    Expectations expectations = new Expectations();
    List<String> wrong = new ArrayList<>();
    for (String raw : lines) {
      String line = raw.trim();
      if (line.isEmpty() || line.startsWith("#")) {
        continue;
      }
      String[] field = line.split("\\s+", FIELDS);
      boolean understood = field.length == FIELDS
          && expectations.add(field[0].equals(conf), field[1], field[2], field[3]);
      if (!understood) {
        wrong.add(line);
      }
    }
    if (!wrong.isEmpty()) {
      throw new IllegalArgumentException("Not understood: " + wrong);
    }
    return expectations;
  }

  private boolean add(boolean holds, String kind, String where, String rest) {
    switch (kind) {
      case "failure":
        if (!where.contains("#")) {
          return false;
        }
        if (holds) {
          failures.put(where, rest);
        }
        return true;
      case "race":
        // The entry must quote a part of the message. It excuses only failures with this text, and
        // no other failure of the test.
        Matcher race = RACE.matcher(rest);
        if (!where.contains("#") || !race.matches()) {
          return false;
        }
        if (holds) {
          races.put(where, new Race(race.group(1), race.group(2)));
        }
        return true;
      case "fallbacks":
        // The rest of the entry is a number and a reason. The reason is required.
        String[] field = rest.split("\\s+", 2);
        if (field.length != 2 || !field[0].matches("\\d{1,6}")) {
          return false;
        }
        if (holds) {
          fallbacks.put(where, Integer.valueOf(field[0]));
        }
        return true;
      default:
        return false;
    }
  }

  Map<String, String> failures() {
    return failures;
  }

  /**
   * Finds the reason why a test may sometimes fail with a message.
   *
   * @param test {@code class#method}
   * @param message the failure's message
   * @return the reason, or {@code null} if the test may not fail with this message
   */
  String race(String test, String message) {
    Race race = races.get(test);
    return race != null && message.contains(race.message) ? race.reason : null;
  }

  int fallbacks(String className) {
    return fallbacks.getOrDefault(className, 0);
  }
}
