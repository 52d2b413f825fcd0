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
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;


/**
 * A command line with variables, and their values in each scope. Where variables have several
 * values, there is a run for each combination. {@code {seed}} and {@code {traces}} come from the
 * user; the value {@code @traces} stands for the names of all traces, and
 * {@code @last-trace} for that of the last one. A word that is left empty is left out. Immutable.
 */
final class RunDefinition {
  private static final Pattern VARIABLE = Pattern.compile("\\{([a-z_]+)\\}");
  private static final String SEED = "seed";
  private static final String TRACES = "traces";
  private static final String ALL_TRACES = "@traces";
  private static final String LAST_TRACE = "@last-trace";

  private final String paper;
  final String id;
  private final List<String> words;
  private final Map<PaperScope, Map<String, List<String>>> values = new EnumMap<>(PaperScope.class);
  private final Map<PaperScope, Double> seconds = new EnumMap<>(PaperScope.class);

  private RunDefinition(String paper, Located from) {
    from.only("id", "command", "quick", "full", "seconds");
    this.paper = paper;
    id = from.text("id");
    words = List.of(from.text("command").split(" +"));
    Located expected = from.object("seconds");
    TreeSet<String> used = new TreeSet<>();
    words.forEach(word -> VARIABLE.matcher(word).results().forEach(use -> used.add(use.group(1))));
    for (PaperScope scope : PaperScope.values()) {
      Map<String, List<String>> given = from.lists(scope.label());
      for (String name : used) {
        if (!name.equals(SEED) && !name.equals(TRACES) && !given.containsKey(name)) {
          throw from.wrong(scope.label() + "." + name, "is missing, and the command line has {"
              + name + "}", "add a value, or an array of values");
        }
      }
      given.keySet().stream().filter(name -> !used.contains(name)).forEach(name -> {
        throw from.wrong(scope.label() + "." + name, "is not used in the command line",
            "write {" + name + "} there, or take it out");
      });
      values.put(scope, given);
      seconds.put(scope, expected.number(scope.label()));
    }
  }

  static RunDefinition read(String paper, Located from) {
    return new RunDefinition(paper, from);
  }

  /** {@return whether it replays traces, so that there is no run without a folder of them} */
  boolean needsTraces() {
    return words.stream().anyMatch(word -> word.contains("{" + TRACES + "}"));
  }

  /** {@return the runs of a scope, none if they need traces and the user has given none} */
  List<PaperRun> runs(PaperScope scope, RunVariables user) {
    if (needsTraces() && user.traceNames.isEmpty()) {
      return List.of();
    }
    List<Map<String, String>> combinations = new ArrayList<>();
    combinations.add(new LinkedHashMap<>());
    values.get(scope).forEach((name, given) -> {
      List<String> each = given.equals(List.of(ALL_TRACES)) ? user.traceNames
          : given.equals(List.of(LAST_TRACE)) ? last(user.traceNames) : given;
      List<Map<String, String>> longer = new ArrayList<>();
      for (Map<String, String> shorter : combinations) {
        for (String value : each) {
          Map<String, String> with = new LinkedHashMap<>(shorter);
          with.put(name, value);
          longer.add(with);
        }
      }
      combinations.clear();
      combinations.addAll(longer);
    });
    List<PaperRun> runs = new ArrayList<>();
    combinations.forEach(combination -> runs.add(run(scope, user, combination)));
    return runs;
  }

  private PaperRun run(PaperScope scope, RunVariables user, Map<String, String> combination) {
    List<String> command = new ArrayList<>();
    for (String word : words) {
      Matcher whole = VARIABLE.matcher(word);
      if (whole.matches() && combination.containsKey(whole.group(1))) {
        // The data file's values may have several words; a user's path is one word always.
        for (String part : combination.get(whole.group(1)).split(" +")) {
          if (!part.isEmpty()) {
            command.add(part);
          }
        }
      } else {
        command.add(VARIABLE.matcher(word).replaceAll(use ->
            Matcher.quoteReplacement(value(user, combination, use.group(1)))));
      }
    }
    StringBuilder label = new StringBuilder(id);
    combination.forEach((name, value) -> {
      if (values.get(scope).get(name).size() > 1 || value.contains(ALL_TRACES)
          || values.get(scope).get(name).equals(List.of(ALL_TRACES))) {
        label.append(' ').append(value.isEmpty() ? "default" : value.replaceFirst("^-+", ""));
      }
    });
    return new PaperRun(paper, id, scope, label.toString(), command, combination,
        seconds.get(scope));
  }

  private static List<String> last(List<String> all) {
    return all.subList(Math.max(0, all.size() - 1), all.size());
  }

  private static String value(RunVariables user, Map<String, String> combination, String name) {
    if (name.equals(SEED)) {
      return Long.toString(user.seed);
    }
    return name.equals(TRACES) ? user.traces().orElseThrow().toString() : combination.get(name);
  }
}
