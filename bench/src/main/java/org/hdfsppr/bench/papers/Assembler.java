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
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * Makes the page of the data files and the runs. Pure: it reads no file and no clock. A full page
 * shows the quick runs of what has no full run yet, so that it grows from night to night.
 */
final class Assembler {
  private final PaperScope scope;
  private final RunVariables user;
  private final Function<PaperRun, Optional<StoredRun>> store;

  /**
   * @param store gives the run with exactly this command line, if it has ended
   */
  Assembler(PaperScope scope, RunVariables user, Function<PaperRun, Optional<StoredRun>> store) {
    this.scope = scope;
    this.user = user;
    this.store = store;
  }

  PaperPage page(List<Paper> papers) {
    List<FigureSection> sections = new ArrayList<>();
    for (Paper paper : papers) {
      paper.figures.forEach(figure -> sections.add(section(paper, figure)));
    }
    return new PaperPage(scope, sections, standIns(papers));
  }

  /** Returns how many quick runs stand in for full ones. */
  private int standIns(List<Paper> papers) {
    Set<String> names = new HashSet<>();
    for (Paper paper : papers) {
      paper.figures.stream().flatMap(figure -> figure.runs().stream()).map(paper::run)
          .filter(this::quickStandsIn)
          .flatMap(definition -> shown(definition, true).stream())
          .filter(run -> store.apply(run).isPresent())
          .forEach(run -> names.add(run.fileName()));
    }
    return names.size();
  }

  /**
   * Returns the runs that a figure shows of a definition, ended or not.
   *
   * @param standsIn whether quick runs stand in for full ones
   */
  private List<PaperRun> shown(RunDefinition definition, boolean standsIn) {
    return definition.runs(standsIn ? PaperScope.QUICK : scope, user);
  }

  /** Whether no full run of a definition has ended, but a quick one has. */
  private boolean quickStandsIn(RunDefinition definition) {
    return scope == PaperScope.FULL && shown(definition, false).stream()
        .noneMatch(run -> store.apply(run).isPresent())
        && shown(definition, true).stream().anyMatch(run -> store.apply(run).isPresent());
  }

  private FigureSection section(Paper paper, PaperFigure figure) {
    List<StoredRun> behind = new ArrayList<>();
    List<String> lacking = new ArrayList<>();
    Map<String, List<JsonNode>> rows = new LinkedHashMap<>();
    Set<String> quick = new HashSet<>();
    for (String id : figure.runs()) {
      RunDefinition definition = paper.run(id);
      List<JsonNode> ofDefinition = rows.computeIfAbsent(id, none -> new ArrayList<>());
      boolean standsIn = quickStandsIn(definition);
      if (standsIn) {
        quick.add(id);
        lacking.add("the full runs of '" + id + "' (this section shows quick ones)");
      }
      List<PaperRun> wanted = shown(definition, standsIn);
      if (wanted.isEmpty() && definition.needsTraces()) {
        lacking.add("block traces: give their folder by --traces");
      }
      for (PaperRun run : wanted) {
        Optional<StoredRun> ended = store.apply(run);
        if (ended.isPresent()) {
          behind.add(ended.get());
          ofDefinition.addAll(ended.get().rows());
        } else {
          lacking.add("the run " + run.label);
        }
      }
    }
    List<PartResult> parts = new ArrayList<>();
    for (FigurePart part : figure.parts) {
      PartResult result = part(part, rows);
      parts.add(result);
      lacking.addAll(gaps(part, result, rows, quick));
    }
    boolean hasAllPoints = scope == PaperScope.FULL && lacking.isEmpty();
    List<String> origins = RunOrigins.differences(
        behind.stream().map(StoredRun::machine).collect(Collectors.toList()));
    if (!origins.isEmpty()) {
      lacking.add("runs of one version on one machine: they are of different ones ("
          + String.join("; ", origins) + ")");
    }
    int traces = user.traceNames.size();
    if (traces > 0 && traces < figure.volumes) {
      lacking.add("traces of " + figure.volumes + " volumes (the folder of --traces has "
          + traces + ")");
    }
    figure.missing().ifPresent(lacking::add);
    boolean isMeasured = parts.stream().anyMatch(PartResult::isMeasured);
    if (!isMeasured) {
      return new FigureSection(paper, figure, FigureSection.State.NOT_RUN,
          figure.notRun().orElse(list(lacking)), false, parts, List.of());
    }
    return new FigureSection(paper, figure, lacking.isEmpty() ? FigureSection.State.MEASURED
        : FigureSection.State.IN_PART, lacking.isEmpty() ? null : list(lacking), hasAllPoints,
        parts, behind);
  }

  /**
   * Returns what the runs that have ended should have, and do not have.
   *
   * @param quick the definitions whose quick runs stand in for full ones
   */
  private List<String> gaps(FigurePart part, PartResult result,
      Map<String, List<JsonNode>> rows, Set<String> quick) {
    List<String> gaps = new ArrayList<>();
    for (OurSeries series : part.ours) {
      if (series.runs.stream().anyMatch(run -> rows.get(run).isEmpty())) {
        // These runs are missing, as the section says anyway.
        continue;
      }
      RowQuery query = new RowQuery(series, rowsOf(series, rows));
      if (!query.hasRows() || !query.hasBaseRows()) {
        // A quick run leaves modes out, and has no rows for them then.
        boolean isFull =
            scope == PaperScope.FULL && series.runs.stream().noneMatch(quick::contains);
        if (isFull || !result.isMeasured()) {
          gaps.add("rows for '" + series.label + "' in '" + part.title + "'");
        }
      } else if (query.rowsWithoutValue() > 0) {
        gaps.add("values for '" + series.label + "' in '" + part.title + "': "
            + query.rowsWithoutValue() + " rows have none");
      }
    }
    return gaps;
  }

  private static List<JsonNode> rowsOf(OurSeries series, Map<String, List<JsonNode>> rows) {
    List<JsonNode> ofSeries = new ArrayList<>();
    series.runs.forEach(run -> ofSeries.addAll(rows.get(run)));
    return ofSeries;
  }

  private static String list(List<String> lacking) {
    return lacking.stream().distinct().collect(Collectors.joining("; "));
  }

  private static PartResult part(FigurePart part, Map<String, List<JsonNode>> rows) {
    Map<String, Map<String, List<Double>>> ours = new LinkedHashMap<>();
    for (OurSeries series : part.ours) {
      new RowQuery(series, rowsOf(series, rows)).values().forEach((label, points) ->
          points.forEach((x, values) -> ours.computeIfAbsent(label, none -> new LinkedHashMap<>())
              .computeIfAbsent(x, none -> new ArrayList<>()).addAll(values)));
    }
    List<ResultRow> result = new ArrayList<>();
    List<PaperValue> alone = new ArrayList<>(part.values);
    ours.forEach((label, points) -> points.forEach((x, values) -> {
      List<PaperValue> beside = alone.stream()
          .filter(value -> value.series.equals(label) && value.x.equals(x))
          .collect(Collectors.toList());
      alone.removeAll(beside);
      if (beside.isEmpty()) {
        result.add(new ResultRow(label, x, null, new Measured(values)));
      }
      beside.forEach(value -> result.add(new ResultRow(label, x, value, new Measured(values))));
    }));
    List<ResultRow> papers = alone.stream()
        .map(value -> new ResultRow(value.series, value.x, value, null))
        .collect(Collectors.toList());
    papers.addAll(result);
    return new PartResult(part, papers);
  }
}
