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
package org.hdfsppr.client.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Tests the tool with a jar that adds commands, without one, and with one of another version. */
class TestCommandSource {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private final CommandEnvironment surroundings =
      CommandEnvironment.ofProcess(() -> new Configuration(false));
  private CommandLine tool;

  @Command(name = "hdfs ppr")
  private static final class Tool {
    @Option(names = "-help", usageHelp = true, description = "Show this help.")
    private boolean isHelpWanted;
  }

  @Command(name = "-further", description = "Of another jar.")
  private static final class Further extends ToolCommand {
    private final CommandEnvironment surroundings;

    Further(CommandEnvironment surroundings) {
      this.surroundings = surroundings;
    }

    @Override
    protected ExitCode run(ToolOutput output) {
      output.sentence("further at " + surroundings.conf().get("fs.defaultFS"));
      return ExitCode.DONE;
    }
  }

  @BeforeEach
  void make() {
    tool = new CommandLine(new Tool());
  }

  private int run(String... args) {
    return tool.setOut(new PrintWriter(out)).setErr(new PrintWriter(err)).execute(args);
  }

  @Test
  void furtherCommandsStandBehindTheOthers() {
    ToolCommands.addTo(tool, surroundings, Optional.of(all -> List.of(new Further(all))));
    List<String> names = List.copyOf(tool.getSubcommands().keySet());
    assertEquals("-further", names.get(names.size() - 1));
    assertEquals("-verify", names.get(names.size() - 2));
    assertEquals(0, run("-further", "-fs", "hdfs://ns"), err.toString());
    assertEquals("further at hdfs://ns", out.toString().trim());
  }

  @Test
  void helpIsShorterWithoutThem() {
    ToolCommands.addTo(tool, surroundings, Optional.empty());
    assertEquals(0, run("-help"), err.toString());
    assertTrue(out.toString().contains("-verify"), out.toString());
    for (String absent : ToolCommands.OF_FILES) {
      assertFalse(out.toString().contains("  " + absent + " "), out.toString());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"-convert -policy P /a", "-core -status", "-core -check /warm", "-nbd",
      "-fs hdfs://ns -update /a -offset 0", "-clear -go", "-commit -help", "-updates -pause 1h",
      "-updatable"})
  void anAbsentCommandNamesItsJar(String words) {
    ToolCommands.addTo(tool, surroundings, Optional.empty());
    assertEquals(2, run(words.split(" ")), out.toString());
    String name = words.replace("-fs hdfs://ns ", "").split(" ")[0];
    assertEquals("hdfs ppr: " + name + " is in hdfs-ppr-files-client-VERSION-dropin.jar;"
        + " 'hdfs-ppr-install --role client --with-files' puts it in", err.toString().trim());
    assertEquals("", out.toString());
  }

  @ParameterizedTest
  @ValueSource(strings = {"-nothing", "-pause -convert", "-status -core"})
  void otherMistakesAreCalledWhatTheyAre(String words) {
    ToolCommands.addTo(tool, surroundings, Optional.empty());
    assertEquals(2, run(words.split(" ")));
    assertFalse(err.toString().contains("files-client"), err.toString());
    assertTrue(err.toString().contains("-help' shows an example"), err.toString());
  }

  /** Some commands of such a client could still work, and others would do harm. */
  @ParameterizedTest
  @ValueSource(strings = {"", "-help", "-status", "-convert -policy P /a", "-verify /a"})
  void aJarOfAnotherVersionEndsAllCommands(String words) {
    ToolCommands.refuseAll(tool, new IOException("a.jar (2) and b.jar (1) are of different"
        + " versions; install both from one release"));
    assertEquals(1, run(words.isEmpty() ? new String[0] : words.split(" ")));
    assertEquals("hdfs ppr: a.jar (2) and b.jar (1) are of different versions; install both from"
        + " one release", err.toString().trim());
    assertEquals("", out.toString());
  }
}
