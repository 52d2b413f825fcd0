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
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import org.hdfsppr.it.util.Await;
import org.hdfsppr.it.util.ItPaths;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs {@code it/papers.sh} for a cheap figure, kills it on its way, and starts it again. */
@Tag("process")
class TestPapersScript {
  @TempDir
  private Path dir;

  private Process start(String... figures) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(ItPaths.itDir().resolve("papers.sh").toString(),
        "--quick", "--out", dir.resolve("out").toString());
    builder.command().addAll(List.of(figures));
    // Maven has built what is tested.
    builder.environment().put("HDFS_PPR_SKIP_BUILD", "1");
    return builder.redirectErrorStream(true).redirectOutput(dir.resolve("said").toFile()).start();
  }

  private long runs() throws IOException {
    try (Stream<Path> files = Files.list(dir.resolve("out/runs"))) {
      return files.count();
    }
  }

  @Test
  void aKilledRunGoesOnAndGivesThePage() throws Exception {
    Process killed = start("core:table-2", "core:3", "hitchhiker:costs");
    Path pid = dir.resolve("out/work/bench.pid");
    Await.until("the first benchmark runs", Duration.ofMinutes(5), Duration.ofMillis(20),
        () -> Files.exists(pid));
    killed.destroyForcibly();
    killed.waitFor();
    assertEquals(0, runs());
    Process again = start("core:table-2", "core:3", "hitchhiker:costs");
    assertEquals(0, again.waitFor(), () -> said());
    assertEquals(2, runs());
    String html = Files.readString(dir.resolve("out/index.html"));
    assertTrue(html.contains("3 of 3 tables and figures are measured"), said());
    assertTrue(html.contains("<tr><td>RGS</td><td>step</td><td>17</td><td>17</td>"
        + "<td>Table II</td></tr>"), html.substring(0, 2000));
    assertEquals(0, start("core:3").waitFor());
    assertTrue(said().contains("1 runs, 1 of them are there already"), said());
  }

  private String said() {
    try {
      return Files.readString(dir.resolve("said"));
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
