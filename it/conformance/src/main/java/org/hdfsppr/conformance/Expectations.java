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
import org.apache.hadoop.classification.InterfaceAudience;

/** The entries of {@code expected.txt} that hold for one configuration. */
@InterfaceAudience.Private
final class Expectations {
  private static final int FIELDS = 4;
  /** What a race's failure says, in quotes, and the reason. */
  private static final Pattern RACE = Pattern.compile("\"([^\"]{10,})\"\\s+(\\S.*)");

  /** {@code class#method} to the reason. */
  private final Map<String, String> failures = new LinkedHashMap<>();
  /** Class to the number of fallbacks that are explained. */
  private final Map<String, Integer> fallbacks = new LinkedHashMap<>();
  /** {@code class#method} to the one failure that it may end with, by a race of its own. */
  private final Map<String, Race> races = new LinkedHashMap<>();

  /** A failure that comes and goes with stock as well. */
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
   * @throws IllegalArgumentException if a line is not understood; an entry that is ignored would
   *     either hide a failure or look as if it did
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
        // Any other failure of the test is one, so a part of the message must be there.
        Matcher race = RACE.matcher(rest);
        if (!where.contains("#") || !race.matches()) {
          return false;
        }
        if (holds) {
          races.put(where, new Race(race.group(1), race.group(2)));
        }
        return true;
      case "fallbacks":
        // The number comes first, and the reason must be there as well.
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
   * Why a test may fail with a message at times.
   *
   * @param test {@code class#method}
   * @param message what the failure says
   * @return the reason, or {@code null} if it may not
   */
  String race(String test, String message) {
    Race race = races.get(test);
    return race != null && message.contains(race.message) ? race.reason : null;
  }

  int fallbacks(String className) {
    return fallbacks.getOrDefault(className, 0);
  }
}
