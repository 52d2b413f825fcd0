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
package org.hdfsppr.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

/** Tests the command's output, and its answers to mistakes. */
class TestPprTool {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... args) {
    return PprTool.run(new PrintWriter(out), new PrintWriter(err), args);
  }

  /** Returns the line of a code, in which single blanks separate the columns. */
  private String line(String code) {
    return out.toString().lines().filter(line -> line.startsWith(code + " ")).findFirst()
        .orElseThrow(() -> new AssertionError("no " + code + " in\n" + out))
        .replaceAll(" +", " ").trim();
  }

  /** The expected figures are from papers: Huang et al. (ATC'12), Rashmi et al. (SIGCOMM'14). */
  @Test
  void codesPrintsWhatTheyCost() {
    assertEquals(0, run("-codes"));
    assertTrue(line("rs-6-3").startsWith("rs-6-3 1.5 3 6 6 6 "), line("rs-6-3"));
    assertTrue(line("rs-10-4").startsWith("rs-10-4 1.4 4 10 10 10 "), line("rs-10-4"));
    assertTrue(line("lrc-l2-12-4").startsWith("lrc-l2-12-4 1.33 3 6 9 (6-12) 6.75 "),
        line("lrc-l2-12-4"));
    assertTrue(line("hitchhiker-xorplus-10-4")
        .startsWith("hitchhiker-xorplus-10-4 1.4 4 6.5 10 7.5 "), line("hitchhiker-xorplus-10-4"));
    assertTrue(out.toString().lines().map(text -> text.trim().replaceAll(" +", " "))
        .anyMatch("hitchhiker-xorplus-10-4 7.50 / 7.50 10.50 / 1.00 7.50 / 2.36"::equals),
        out.toString());
    assertTrue(out.toString().lines().map(text -> text.trim().replaceAll(" +", " "))
        .anyMatch("rs-10-4 10.00 / 10.00 10.00 / 1.00 10.00 / 1.00"::equals), out.toString());
    assertEquals("", err.toString());
  }

  @Test
  void whatIsNotUnderstoodIsSaid() {
    assertEquals(2, run("-code"));
    assertTrue(err.toString().contains("-code"), err.toString());
    assertTrue(err.toString().contains("-codes"), "names what there is: " + err);
    assertEquals(2, run());
    assertEquals(2, run("-codes", "more"));
    assertTrue(err.toString().contains("more"), err.toString());
  }

  @Test
  void helpNamesTheCommands() {
    assertEquals(0, run("--help"));
    assertTrue(out.toString().contains("-codes"), out.toString());
  }

  @Test
  void codesAsJsonIsOneObject() throws Exception {
    assertEquals(0, run("-codes", "-json"));
    assertEquals(1, out.toString().lines().count(), out.toString());
    JsonNode first = new ObjectMapper().readTree(out.toString()).get("codes").get(0);
    assertEquals("rs-6-3", first.get("code").asText());
    assertEquals(1.5, first.get("overhead").asDouble());
    assertEquals(3, first.get("lossesTolerated").asInt());
    assertEquals(6, first.get("unitsRead").get("data").get("mean").asDouble());
    assertEquals(6, first.get("timeStar").get("all").get("most").asDouble());
    assertEquals(3, first.get("timePpr").get("parity").get("least").asDouble());
    assertEquals(6, first.get("unitsMoved").get("chain").get("all").asDouble());
    assertEquals(1, first.get("unitsMoved").get("chain").get("busiest").asDouble());
    assertEquals(1, first.get("unitsMoved").get("free-sum").get("busiest").asDouble());
    assertEquals("", err.toString());
  }

  @Test
  void eachCommandHasAnExampleAndJson() {
    for (String command
        : PprTool.commandLine(() -> new Configuration(false)).getSubcommands().keySet()) {
      for (String help : new String[] {"-help", "-h", "--help"}) {
        out.getBuffer().setLength(0);
        assertEquals(0, run(command, help));
        assertTrue(out.toString().contains("Example: hdfs ppr " + command), out.toString());
        assertTrue(out.toString().contains("-json"), out.toString());
      }
    }
  }

  /** The page about the command names every command and every option. */
  @Test
  void thePageHasEveryCommand() throws Exception {
    String page = Files.readString(Path.of("../docs/command.md"));
    PprTool.commandLine(() -> new Configuration(false)).getSubcommands().forEach((name, line) -> {
      assertTrue(page.contains("`" + name), name);
      line.getCommandSpec().options().forEach(option ->
          assertTrue(page.contains(option.names()[0]), name + " " + option.names()[0]));
    });
  }

  @Test
  void whatIsNotUnderstoodIsOneSentence() {
    for (String[] args : new String[][] {{"-code"}, {}, {"-codes", "more"}, {"-undoubt"},
        {"-readmit"}, {"-codes", "-jso"}}) {
      err.getBuffer().setLength(0);
      assertEquals(2, run(args));
      assertEquals(1, err.toString().lines().count(), err.toString());
      assertTrue(err.toString().contains("-help' shows an example"), err.toString());
    }
    assertEquals("", out.toString());
  }
}
