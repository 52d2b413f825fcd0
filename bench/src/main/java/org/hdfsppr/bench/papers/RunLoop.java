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

import java.io.IOException;
import java.io.PrintWriter;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.databind.JsonNode;

/** Runs what the store does not have yet, one run after the other, and prints how far it is. */
final class RunLoop {
  private static final double MILLIS = 1e3;

  private final RunStore store;
  private final RunExecutor executor;
  private final MachineFacts machine;
  private final Clock clock;
  private final PrintWriter out;

  RunLoop(RunStore store, RunExecutor executor, MachineFacts machine, Clock clock,
      PrintWriter out) {
    this.store = store;
    this.executor = executor;
    this.machine = machine;
    this.clock = clock;
    this.out = out;
  }

  /**
   * Runs what is missing. A run that fails does not keep the others from being run.
   *
   * @param wanted all runs
   * @return the runs that have failed, each with the reason
   */
  Map<PaperRun, String> run(List<PaperRun> wanted) throws IOException, InterruptedException {
    List<PaperRun> missing = new ArrayList<>();
    for (PaperRun run : wanted) {
      if (store.find(run).isEmpty()) {
        missing.add(run);
      }
    }
    say("%d runs, %d of them are there already", wanted.size(), wanted.size() - missing.size());
    Map<PaperRun, String> failed = new LinkedHashMap<>();
    for (int i = 0; i < missing.size(); i++) {
      PaperRun run = missing.get(i);
      TimeLeft left = new TimeLeft(ofThisMachine(store.all()));
      say("[%d/%d] %s: %s, some %s; all some %s", i + 1, missing.size(), run.paper, run.label,
          TimeLeft.words(left.seconds(run)),
          TimeLeft.words(left.seconds(missing.subList(i, missing.size()))));
      String reason = attempt(run);
      if (reason != null) {
        failed.put(run, reason);
        say("        FAILED: %s", reason);
      }
    }
    return failed;
  }

  /** Runs, and returns why it has failed, or null. */
  private String attempt(PaperRun run) throws IOException, InterruptedException {
    Instant begun = clock.instant();
    JsonNode rows;
    try {
      executor.run(run.command, store.result(run), store.log(run));
      rows = store.readResult(run);
    } catch (IOException e) {
      return e.getMessage();
    }
    double seconds = Duration.between(begun, clock.instant()).toMillis() / MILLIS;
    store.keep(run, StoredRun.of(run, machine, begun.truncatedTo(ChronoUnit.SECONDS)
        .toString(), seconds, rows));
    return null;
  }

  private List<StoredRun> ofThisMachine(List<StoredRun> all) {
    List<StoredRun> here = new ArrayList<>();
    for (StoredRun run : all) {
      if (run.machine().getOrDefault("processor", "")
          .equals(machine.all().getOrDefault("processor", ""))) {
        here.add(run);
      }
    }
    return here;
  }

  private void say(String format, Object... values) {
    out.printf(format + "%n", values);
    out.flush();
  }
}
