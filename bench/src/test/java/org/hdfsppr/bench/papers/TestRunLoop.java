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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that runs go on where they were cut off, with a made-up benchmark. */
class TestRunLoop {
  private static final MachineFacts HERE = new MachineFacts(Map.of("processor", "a", "version",
      "1"));
  private static final int RUNS = 3;

  /** Where a benchmark is killed. */
  private enum Moment { BEFORE, WHILE_IT_WRITES, WHEN_ITS_RESULT_IS_WHOLE }

  /** What a kill looks like to the code: nothing after it is executed. */
  private static final class Killed extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  /** A benchmark that is killed once. */
  private static final class Killable implements RunExecutor {
    private final int killedRun;
    private final Moment moment;
    private final List<String> ended = new ArrayList<>();
    private boolean killed;

    Killable(int killedRun, Moment moment) {
      this.killedRun = killedRun;
      this.moment = moment;
    }

    @Override
    public void run(List<String> command, Path json, Path log) throws IOException {
      boolean kill = !killed && command.get(1).equals("--run=" + killedRun);
      if (kill && moment == Moment.BEFORE) {
        killed = true;
        throw new Killed();
      }
      Files.writeString(log, "some words\n");
      Files.writeString(json, "[{\"value\": ");
      if (kill && moment == Moment.WHILE_IT_WRITES) {
        killed = true;
        throw new Killed();
      }
      Files.writeString(json, "[{\"value\": 1}]");
      if (kill) {
        killed = true;
        throw new Killed();
      }
      ended.add(command.get(1));
    }
  }

  @TempDir
  private Path dir;

  private final StringWriter said = new StringWriter();

  private static PaperRun run(int number, String... more) {
    List<String> command = new ArrayList<>(List.of("bench", "--run=" + number));
    command.addAll(List.of(more));
    return new PaperRun("paper", "definition", PaperScope.QUICK, "run " + number, command,
        Map.of("number", Integer.toString(number)), 10);
  }

  private static List<PaperRun> runs() {
    List<PaperRun> runs = new ArrayList<>();
    for (int number = 0; number < RUNS; number++) {
      runs.add(run(number));
    }
    return runs;
  }

  private Map<PaperRun, String> loop(RunExecutor executor, List<PaperRun> wanted)
      throws IOException, InterruptedException {
    RunStore store = new RunStore(dir);
    store.open();
    return new RunLoop(store, executor, HERE, Clock.fixed(Instant.EPOCH, ZoneOffset.UTC),
        new PrintWriter(said)).run(wanted);
  }

  @Test
  void afterAKillAtEachStepItGoesOn() throws IOException, InterruptedException {
    for (int killed = 0; killed < RUNS; killed++) {
      for (Moment moment : Moment.values()) {
        dir = Files.createDirectories(dir.resolve(moment.name() + killed));
        Killable bench = new Killable(killed, moment);
        assertThrows(Killed.class, () -> loop(bench, runs()));
        assertEquals(killed, bench.ended.size(), "runs before the kill");
        assertEquals(killed, new RunStore(dir).all().size(), "no half run is kept");
        loop(bench, runs());
        assertEquals(List.of("--run=0", "--run=1", "--run=2"), bench.ended,
            "each run has ended once");
        assertEquals(RUNS, new RunStore(dir).all().size());
      }
    }
  }

  @Test
  void aKillWhileARunIsKeptLeavesNothingThatIsRead() throws IOException, InterruptedException {
    Killable bench = new Killable(-1, Moment.BEFORE);
    loop(bench, runs().subList(0, 1));
    Path half = dir.resolve("work").resolve(run(1).fileName() + ".new");
    Files.writeString(half, "{\"paper\": ");
    loop(bench, runs());
    assertEquals(RUNS, bench.ended.size());
    assertTrue(Files.notExists(half));
  }

  @Test
  void anotherCommandLineIsRunAnewAndTheOtherStays() throws IOException, InterruptedException {
    Killable bench = new Killable(-1, Moment.BEFORE);
    loop(bench, runs());
    loop(bench, List.of(run(0, "--more"), run(1)));
    assertEquals(RUNS + 1, bench.ended.size());
    loop(bench, runs());
    assertEquals(RUNS + 1, bench.ended.size());
  }

  @Test
  void aFileOfAnotherCommandLineDoesNotCount() throws IOException, InterruptedException {
    Killable bench = new Killable(-1, Moment.BEFORE);
    loop(bench, List.of(run(0)));
    Path runs = dir.resolve("runs");
    Files.move(runs.resolve(run(0).fileName() + ".json"),
        runs.resolve(run(1).fileName() + ".json"));
    assertTrue(new RunStore(dir).find(run(1)).isEmpty());
  }

  @Test
  void aFileThatIsNoRunIsNamed() throws IOException, InterruptedException {
    loop(new Killable(-1, Moment.BEFORE), List.of(run(0)));
    Path file = dir.resolve("runs").resolve(run(0).fileName() + ".json");
    for (String content : List.of("{", "{}", "[]")) {
      Files.writeString(file, content);
      IOException refused = assertThrows(IOException.class, () -> new RunStore(dir).find(run(0)));
      assertTrue(refused.getMessage().startsWith(file.toString()), refused.getMessage());
      assertTrue(refused.getMessage().contains("delete it"), refused.getMessage());
    }
  }

  @Test
  void aRunThatFailsDoesNotKeepTheOthers() throws IOException, InterruptedException {
    Killable bench = new Killable(-1, Moment.BEFORE);
    RunExecutor failsOnce = (command, json, log) -> {
      if (command.get(1).equals("--run=1")) {
        throw new IOException("exit code 1: no links");
      }
      bench.run(command, json, log);
    };
    Map<PaperRun, String> failed = loop(failsOnce, runs());
    assertEquals(List.of("exit code 1: no links"), new ArrayList<>(failed.values()));
    assertEquals(2, new RunStore(dir).all().size());
    assertTrue(said.toString().contains("FAILED: exit code 1: no links"), said.toString());
  }

  @Test
  void aBenchmarkWithoutResultsHasFailed() throws IOException, InterruptedException {
    Map<PaperRun, String> failed =
        loop((command, json, log) -> Files.writeString(json, "[]"), runs().subList(0, 1));
    assertTrue(failed.values().iterator().next().contains("no results"), failed.toString());
    assertEquals(1, loop((command, json, log) -> { }, runs().subList(0, 1)).size());
    assertEquals(0, new RunStore(dir).all().size());
  }

  @Test
  void aResultThatIsNotOkHasFailed() throws IOException, InterruptedException {
    Map<PaperRun, String> failed = loop((command, json, log) ->
        Files.writeString(json, "[{\"ok\": true}, {\"ok\": false}]"), runs().subList(0, 1));
    assertTrue(failed.values().iterator().next().contains("not ok"), failed.toString());
    assertEquals(0, new RunStore(dir).all().size());
  }

  @Test
  void whatAKilledBenchmarkHasWrittenIsNoResultOfTheNextOne()
      throws IOException, InterruptedException {
    assertThrows(Killed.class, () -> loop(new Killable(0, Moment.WHEN_ITS_RESULT_IS_WHOLE),
        runs()));
    assertEquals(1, loop((command, json, log) -> { }, runs().subList(0, 1)).size());
    assertEquals(0, new RunStore(dir).all().size());
  }

  @Test
  void progressSaysHowMuchIsLeft() throws IOException, InterruptedException {
    loop(new Killable(-1, Moment.BEFORE), runs());
    assertTrue(said.toString().contains("3 runs, 0 of them are there already"), said.toString());
    assertTrue(said.toString().contains("[1/3] paper: run 0, some 10 s; all some 30 s"),
        said.toString());
  }

  @Test
  void timeLeftLearnsFromThisMachine() throws IOException {
    PaperRun like = run(0);
    PaperRun other = new PaperRun("paper", "other", PaperScope.QUICK, "other", List.of("x"),
        Map.of(), 100);
    TimeLeft fresh = new TimeLeft(List.of());
    assertEquals(110, fresh.seconds(List.of(like, other)));
    com.fasterxml.jackson.databind.node.ArrayNode rows =
        new com.fasterxml.jackson.databind.ObjectMapper().createArrayNode();
    TimeLeft slow = new TimeLeft(List.of(StoredRun.of(like, HERE, "now", 30, rows)));
    assertEquals(30, slow.seconds(run(1)));
    assertEquals(300, slow.seconds(other));
    assertEquals("59 s", TimeLeft.words(59));
    assertEquals("2 min", TimeLeft.words(100));
    assertEquals("2 h 05 min", TimeLeft.words(7500));
  }

  @Test
  void runsOfAnotherVersionOrMachineAreRefused() throws IOException, InterruptedException {
    loop(new Killable(-1, Moment.BEFORE), runs().subList(0, 2));
    RunStore store = new RunStore(dir);
    PapersCommand.refuseOthers(store, runs(), HERE);
    for (Map<String, String> other : List.of(Map.of("processor", "a", "version", "2"),
        Map.of("processor", "b", "version", "1"), Map.of("version", "1"))) {
      String said = assertThrows(IllegalStateException.class, () ->
          PapersCommand.refuseOthers(store, runs(), new MachineFacts(other))).getMessage();
      assertTrue(said.contains("'run 0' of paper") && said.contains("--mixed"), said);
    }
    PapersCommand.refuseOthers(store, runs().subList(2, RUNS),
        new MachineFacts(Map.of("version", "2")));
  }

  @Test
  void aRunKeepsWhatItWasMeasuredOn() throws IOException, InterruptedException {
    PaperRun seeded = run(0, "--seed", "7");
    loop(new Killable(-1, Moment.BEFORE), List.of(seeded));
    StoredRun stored = new RunStore(dir).find(seeded).orElseThrow();
    assertEquals(List.of("bench", "--run=0", "--seed", "7"), stored.command());
    assertEquals("7", stored.seed());
    assertEquals(HERE.all(), stored.machine());
    assertEquals("1970-01-01T00:00:00Z", stored.begun());
    assertEquals("0", stored.rows().get(0).get("arg.number").asText());
  }
}
