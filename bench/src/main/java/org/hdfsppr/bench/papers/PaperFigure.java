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

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;


/**
 * A table or figure of a paper. It either has runs in all of its parts, or says why it has not been
 * run yet. Immutable.
 */
final class PaperFigure {
  private static final Pattern ID = Pattern.compile("[a-z0-9.-]+");
  private static final Pattern DIGIT = Pattern.compile(".*\\d.*", Pattern.DOTALL);
  private static final String UNEXPLAINED = "not explained yet";

  final String id;
  final String title;
  final String measured;
  final String source;
  final List<FigurePart> parts;
  final int volumes;
  private final String why;
  private final String missing;
  private final String notRun;

  private PaperFigure(Located from) {
    from.only("id", "title", "measured", "source", "parts", "volumes", "why", "missing",
        "not_run");
    id = from.text("id");
    if (!ID.matcher(id).matches()) {
      throw from.wrong("id", "is '" + id + "'", "write lower-case letters, digits, - and . only");
    }
    title = from.text("title");
    measured = from.text("measured");
    source = from.text("source");
    parts = from.objects("parts").stream().map(FigurePart::read).collect(Collectors.toList());
    volumes = from.has("volumes") ? (int) from.number("volumes") : 0;
    why = from.optional("why").orElse(null);
    missing = from.optional("missing").orElse(null);
    notRun = from.optional("not_run").orElse(null);
    check(from);
  }

  private void check(Located from) {
    boolean isRun = parts.stream().anyMatch(part -> !part.ours.isEmpty());
    if (isRun && notRun != null) {
      throw from.wrong("not_run", "stands beside series of ours", "take one of them out");
    }
    if (!isRun && notRun == null) {
      throw from.wrong("not_run", "is missing, and no part has \"ours\"",
          "add series of ours, or say what a run needs");
    }
    if (isRun && parts.stream().anyMatch(part -> part.ours.isEmpty())) {
      throw from.wrong("parts", "has a part without \"ours\"",
          "add a series, or name this part under \"missing\" and take it out");
    }
    if (isRun && (why == null || why.toLowerCase(java.util.Locale.ROOT).contains(UNEXPLAINED))) {
      throw from.wrong("why", "is " + (why == null ? "missing" : "'" + why + "'"),
          "find out why our values differ from the paper's, and say it in a sentence");
    }
    if (isRun && DIGIT.matcher(why.replaceAll("\\b[A-Za-z]+\\([\\d, ]+\\)", "")).matches()) {
      throw from.wrong("why", "has a digit",
          "say it without numbers: a number of ours comes from a run, a paper's from \"values\"");
    }
  }

  static PaperFigure read(Located from) {
    return new PaperFigure(from);
  }

  /** {@return a sentence on why our values differ; empty for a figure that was not run} */
  Optional<String> why() {
    return Optional.ofNullable(why);
  }

  /** {@return which part of the figure no run covers} */
  Optional<String> missing() {
    return Optional.ofNullable(missing);
  }

  /** {@return what a run of this figure needs that is not there; empty if it has runs} */
  Optional<String> notRun() {
    return Optional.ofNullable(notRun);
  }

  /** {@return the ids of the definitions of all runs behind this figure} */
  Set<String> runs() {
    return parts.stream().flatMap(part -> part.ours.stream())
        .flatMap(series -> series.runs.stream())
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }
}
