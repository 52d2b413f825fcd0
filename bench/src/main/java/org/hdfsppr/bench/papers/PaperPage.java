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
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;


/** All that the page says, before it is written in any format. Immutable. */
final class PaperPage {
  private final PaperScope scope;
  final List<FigureSection> sections;
  private final int standIns;

  /** @param standIns how many of the runs are quick ones that stand in for full ones */
  PaperPage(PaperScope scope, List<FigureSection> sections, int standIns) {
    this.scope = scope;
    this.standIns = standIns;
    this.sections = List.copyOf(sections);
  }

  /** {@return whether this is a quick or a full run, and whether it is complete, in words} */
  String scopeWords() {
    return "This is a " + scope.label() + " run." + (standIns == 0 ? ""
        : " It is not complete: " + standIns + " of the " + runs().size() + " runs behind it are"
            + " quick ones, which stand in for full ones.");
  }

  List<FigureSection> sections(FigureSection.State state) {
    return sections.stream().filter(section -> section.state == state)
        .collect(Collectors.toList());
  }

  /** {@return how much is covered, in one sentence} */
  String coverage() {
    return sections(FigureSection.State.MEASURED).size() + " of " + sections.size()
        + " tables and figures are measured, " + sections(FigureSection.State.IN_PART).size()
        + " in part, " + sections(FigureSection.State.NOT_RUN).size() + " are not run yet.";
  }

  /** {@return papers in their order} */
  List<Paper> papers() {
    return sections.stream().map(section -> section.paper).distinct().collect(Collectors.toList());
  }

  List<FigureSection> of(Paper paper) {
    return sections.stream().filter(section -> section.paper == paper)
        .collect(Collectors.toList());
  }

  /** {@return each different value of a fact about machines, version or seed of all runs} */
  List<String> facts(String name) {
    TreeSet<String> values = new TreeSet<>();
    for (StoredRun run : runs()) {
      values.add(name.equals("seed") ? run.seed()
          : run.machine().getOrDefault(name, "unknown"));
    }
    return new ArrayList<>(values);
  }

  /** {@return the names of the facts that runs have} */
  List<String> factNames() {
    List<String> names = new ArrayList<>();
    for (StoredRun run : runs()) {
      run.machine().keySet().stream().filter(name -> !names.contains(name)).forEach(names::add);
    }
    names.add("seed");
    return names;
  }

  private List<StoredRun> runs() {
    return new ArrayList<>(sections.stream().flatMap(section -> section.runs.stream())
        .collect(Collectors.toMap(run -> run.paper() + " " + run.command(), run -> run,
            (first, second) -> first, java.util.LinkedHashMap<String, StoredRun>::new))
        .values());
  }

  /** {@return seconds that all runs behind the page took} */
  double seconds() {
    return runs().stream().mapToDouble(StoredRun::seconds).sum();
  }

  /** {@return the machines and versions of all runs, in words} */
  Map<String, List<String>> allFacts() {
    Map<String, List<String>> facts = new java.util.LinkedHashMap<>();
    factNames().forEach(name -> facts.put(name, facts(name)));
    return facts;
  }
}
