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
package org.hdfsppr.core.formation;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * A scenario of a file in the folder {@code core-formation}, with a word for what each line has:
 *
 * <pre>
 *  rules SLACK SETTLE_MS BLOCK_GROUPS_MAX GROUPS_MAX POLICY=T ...
 *  now MS
 *  file ID LENGTH BLOCK_GROUPS POLICY DIRECTORY MODIFIED_MS
 *  group ID POLICY FILE:LENGTH:BLOCK_GROUPS ...
 *  expect kept ID ... | changed ID REASON SURVIVOR ... | formed FILE ... | waiting REASON FILE ...
 * </pre>
 */
final class FormationScenario {
  private final Map<String, Integer> policies = new HashMap<>();
  final List<CandidateFile> files = new ArrayList<>();
  final List<FormedGroup> groups = new ArrayList<>();
  final List<String> expected = new ArrayList<>();
  private String[] rules;
  private long nowMs;

  static FormationScenario read(String name) {
    FormationScenario scenario = new FormationScenario();
    try (InputStream in =
            FormationScenario.class.getResourceAsStream("/core-formation/" + name + ".txt");
        BufferedReader reader =
            new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
      reader.lines().filter(line -> !line.isBlank() && !line.startsWith("#"))
          .forEach(scenario::add);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return scenario;
  }

  private void add(String line) {
    String[] words = line.split(" +");
    switch (words[0]) {
      case "rules":
        rules = words;
        for (int i = 5; i < words.length; i++) {
          String[] policy = words[i].split("=");
          policies.put(policy[0], Integer.parseInt(policy[1]));
        }
        break;
      case "now":
        nowMs = Long.parseLong(words[1]);
        break;
      case "file":
        files.add(new CandidateFile(Long.parseLong(words[1]), Long.parseLong(words[2]),
            Integer.parseInt(words[3]), words[4], Long.parseLong(words[5]),
            Long.parseLong(words[6])));
        break;
      case "group":
        groups.add(group(words));
        break;
      case "expect":
        expected.add(line.substring("expect ".length()).trim());
        break;
      default:
        throw new IllegalArgumentException(line);
    }
  }

  private static FormedGroup group(String[] words) {
    List<FormedMember> members = new ArrayList<>();
    for (int i = 3; i < words.length; i++) {
      String[] numbers = words[i].split(":");
      members.add(new FormedMember(Long.parseLong(numbers[0]), Long.parseLong(numbers[1]),
          Integer.parseInt(numbers[2])));
    }
    return new FormedGroup(Long.parseLong(words[1]), words[2], members);
  }

  FormationPlan plan() {
    FormationRules formationRules = new FormationRules(policies, Double.parseDouble(rules[1]),
        Long.parseLong(rules[2]), Integer.parseInt(rules[3]), Integer.parseInt(rules[4]));
    return new GroupFormation(formationRules).plan(files, groups, nowMs);
  }

  /** Returns the lines that describe a plan. */
  static List<String> lines(FormationPlan plan) {
    List<String> lines = new ArrayList<>();
    if (!plan.kept.isEmpty()) {
      lines.add("kept " + plan.kept.stream().map(group -> String.valueOf(group.groupId))
          .collect(Collectors.joining(" ")));
    }
    plan.changed.forEach(change -> lines.add(("changed " + change.group.groupId + " "
        + change.reason + " " + words(change.survivors)).trim()));
    plan.formed.forEach(group -> lines.add("formed " + words(ids(group.files))));
    plan.waiting.forEach((reason, files) ->
        lines.add("waiting " + reason + " " + words(new TreeSet<>(ids(files)))));
    return lines;
  }

  private static List<Long> ids(List<CandidateFile> files) {
    return files.stream().map(file -> file.fileId).collect(Collectors.toList());
  }

  private static String words(Iterable<Long> ids) {
    List<String> words = new ArrayList<>();
    ids.forEach(id -> words.add(String.valueOf(id)));
    return String.join(" ", words);
  }
}
