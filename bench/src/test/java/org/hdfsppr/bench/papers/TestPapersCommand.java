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
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

import org.hdfsppr.it.util.CliErrors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Tests the command line of {@code it/papers.sh}, without a run. */
class TestPapersCommand {
  @TempDir
  private Path dir;

  private StringWriter said;

  private int run(String... arguments) {
    said = new StringWriter();
    PrintWriter writer = new PrintWriter(said);
    return new CommandLine(new PapersCommand()).setOut(writer).setErr(writer)
        .setExecutionExceptionHandler(CliErrors::report).execute(arguments);
  }

  private void refused(String words, String... arguments) {
    assertEquals(1, run(arguments));
    assertTrue(said.toString().contains(words), said.toString());
    assertEquals(1, said.toString().lines().count(), said.toString());
  }

  @Test
  void whatIsNotThereIsNamed() {
    String out = dir.toString();
    refused("'pdr' is no paper here; there are ppr, cau, online-ec, core, hitchhiker",
        "pdr", "--out", out);
    refused("'core:8' is no figure here; there are core:table-1", "core:8", "--out", out);
    refused("--out is missing", "core:3");
    refused("which is no folder", "cau", "--traces", dir.resolve("none").toString(), "--out", out);
    refused("which has no *.csv", "cau", "--traces", out, "--out", out);
  }

  @Test
  void theListNamesWhatIsAskedFor() {
    assertEquals(0, run("--list", "core:3", "cau:19"));
    List<String> lines = List.of(said.toString().split("\n"));
    assertEquals(2, lines.size());
    assertTrue(lines.get(0).startsWith("cau:19 "), lines.get(0));
    assertTrue(lines.get(0).endsWith("Figure 19: throughput by gateway bandwidth"), lines.get(0));
    assertTrue(lines.get(1).startsWith("core:3 "), lines.get(1));
  }

  @Test
  void thePageOfNoRunsIsWrittenAndClaimsNothing() throws IOException {
    assertEquals(0, run("--page", "--quick", "--out", dir.toString()));
    assertTrue(said.toString().contains("0 of 53 tables and figures are measured"),
        said.toString());
    assertTrue(said.toString().contains("cau:11 not run yet: needs block traces"),
        said.toString());
    assertTrue(Files.readString(dir.resolve("index.html")).contains("0 of 53"));
  }

  @Test
  void twoDoNotWriteToOneFolder() throws IOException {
    try (FileChannel channel = FileChannel.open(dir.resolve(".lock"), StandardOpenOption.CREATE,
        StandardOpenOption.WRITE); FileLock lock = channel.lock()) {
      assertTrue(lock.isValid());
      refused("Another papers.sh writes to", "--page", "core:3", "--out", dir.toString());
    }
  }
}
