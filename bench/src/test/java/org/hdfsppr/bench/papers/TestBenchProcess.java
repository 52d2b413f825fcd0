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
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests how benchmarks are run as processes, with scripts in their place. */
class TestBenchProcess {
  @TempDir
  private Path dir;

  private Path work;

  @BeforeEach
  void makeFolder() throws IOException {
    work = Files.createDirectories(dir.resolve("work"));
  }

  private Path script(String lines) throws IOException {
    Path script = dir.resolve("bench.sh");
    Files.writeString(script, "#!/bin/bash\n" + lines + "\n");
    assertTrue(script.toFile().setExecutable(true));
    return script;
  }

  @Test
  void theBenchmarkGetsItsWordsAndTheFile() throws IOException, InterruptedException {
    Path json = work.resolve("r.json");
    String lines = "printf '%s|' \"$@\" \"$HDFS_PPR_SKIP_BUILD\"; echo [1] > \"${@: -1}\"";
    new BenchProcess(script(lines), work)
        .run(List.of("core", "a b"), json, work.resolve("r.log"));
    assertEquals("core|a b|--json|" + json + "|1|", Files.readString(work.resolve("r.log")));
    assertEquals("[1]\n", Files.readString(json));
    assertTrue(Files.notExists(work.resolve("bench.pid")));
  }

  @Test
  void aFailureIsTheLastLineAndTheExitCode() throws IOException {
    BenchProcess bench = new BenchProcess(script("echo first; echo no links >&2; exit 3"), work);
    String said = assertThrows(IOException.class, () -> bench.run(List.of("core"),
        work.resolve("r.json"), work.resolve("r.log"))).getMessage();
    assertTrue(said.startsWith("exit code 3: no links ("), said);
  }

  @Test
  void aBenchmarkThatHangsIsEnded() throws IOException {
    BenchProcess bench = new BenchProcess(script("echo $$; exec sleep 600"), work,
        Duration.ofMillis(500));
    Path log = work.resolve("r.log");
    String said = assertThrows(IOException.class, () -> bench.run(List.of("core"),
        work.resolve("r.json"), log)).getMessage();
    assertTrue(said.startsWith("it was ended after"), said);
    String pid = Files.readString(log).strip();
    assertTrue(ProcessHandle.of(Long.parseLong(pid)).isEmpty(), pid + " is there");
    assertTrue(Files.notExists(work.resolve("bench.pid")));
  }

  @Test
  void whatAKilledProcessHasLeftIsEnded() throws IOException, InterruptedException {
    Path script = script("trap 'exit 0' TERM; echo up; while true; do sleep 0.05; done");
    Process left = new ProcessBuilder(script.toString(), "core", "--json",
        work.resolve("r.json").toString()).start();
    try {
      assertEquals('u', left.getInputStream().read(), "the script runs");
      Files.writeString(work.resolve("bench.pid"), Long.toString(left.pid()));
      new BenchProcess(script, work).endLeftOver();
      assertFalse(left.isAlive());
      assertTrue(Files.notExists(work.resolve("bench.pid")));
    } finally {
      left.destroyForcibly();
    }
  }

  @Test
  void anotherProcessWithThatIdIsLeftAlone() throws IOException, InterruptedException {
    Path script = script("echo up; while true; do sleep 0.05; done");
    Process other = new ProcessBuilder(script.toString(), "--json", dir + "/else/r.json").start();
    try {
      assertEquals('u', other.getInputStream().read(), "the script runs");
      Files.writeString(work.resolve("bench.pid"), Long.toString(other.pid()));
      new BenchProcess(script, work).endLeftOver();
      assertTrue(other.isAlive());
      Files.writeString(work.resolve("bench.pid"), "no number");
      new BenchProcess(script, work).endLeftOver();
      assertTrue(Files.notExists(work.resolve("bench.pid")));
    } finally {
      other.destroyForcibly();
    }
  }
}
