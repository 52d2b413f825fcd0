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

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.hdfsppr.client.command.ToolCommands;
import org.hdfsppr.client.command.Transcript;
import org.hdfsppr.datanode.Snapshot;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/**
 * The help of each command is what it was, and each command has texts and JSON that are recorded.
 * The tool is that of a client without the jar of files.
 */
class TestHelpSnapshots {
  private static final String MODULE = "hdfs-ppr-client";
  private static final Snapshot RECORDED = Snapshot.of(MODULE, "help");
  private static final String TOOL = "tool.txt";
  private static final String CODES = "codes.txt";

  /**
   * A command that prints nothing without DataNodes. Here is its help; TestVerifyCommand reads
   * parts of what it prints.
   */
  private static final Set<String> ON_CLUSTERS = Set.of("-verify");

  private static CommandLine tool() {
    CommandLine tool = PprTool.commandLine(() -> new Configuration(false));
    Set<String> ofFiles = new TreeSet<>(tool.getSubcommands().keySet());
    ofFiles.retainAll(ToolCommands.OF_FILES);
    ofFiles.forEach(name -> tool.getCommandSpec().removeSubcommand(name));
    return tool;
  }

  static List<String> commands() {
    return new ArrayList<>(tool().getSubcommands().keySet());
  }

  private static void add(Transcript text, String... args) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code = tool().setOut(new PrintWriter(out)).setErr(new PrintWriter(err)).execute(args);
    text.add(out.toString(), err.toString(), code, args);
  }

  private static String file(String command) {
    return command.substring(1) + ".txt";
  }

  @ParameterizedTest
  @MethodSource("commands")
  void helpIsAsRecorded(String command) {
    Transcript text = new Transcript();
    add(text, command, "-help");
    RECORDED.assertSame("commands/" + file(command), text.toString());
  }

  @Test
  void helpOfTheToolIsAsRecorded() {
    Transcript text = new Transcript();
    add(text, "-help");
    add(text);
    add(text, "-nothing");
    RECORDED.assertSame(TOOL, text.toString());
  }

  @Test
  void costsOfCodesAreAsRecorded() {
    Transcript text = new Transcript();
    add(text, "-codes");
    add(text, "-codes", "-json");
    RECORDED.assertSame(CODES, text.toString());
  }

  @Test
  void noOtherFilesAreThere() {
    List<String> made = commands().stream().map(command -> "commands/" + file(command))
        .collect(Collectors.toCollection(ArrayList::new));
    made.addAll(List.of(TOOL, CODES));
    RECORDED.assertFiles(made);
  }

  /** A new command needs a test that records what it prints, for people and for programs. */
  @Test
  void eachCommandIsRecorded() {
    Set<String> texts = new TreeSet<>();
    Set<String> json = new TreeSet<>();
    for (String folder : List.of("help", "pages", "superuser")) {
      Snapshot recorded = Snapshot.of(MODULE, folder);
      for (String file : recorded.files()) {
        for (String call : recorded.read(file).split("\\$ hdfs ppr ")) {
          String[] words = call.lines().findFirst().orElse("").split(" ");
          List<String> options = List.of(words);
          // A call that is not understood shows nothing of the command.
          if (!options.contains("-help") && !call.contains("\n[exit code 2]\n")) {
            (options.contains("-json") ? json : texts).add(words[0]);
          }
        }
      }
    }
    texts.remove("");
    Set<String> all = new TreeSet<>(commands());
    assertTrue(all.size() == 15 && all.containsAll(ON_CLUSTERS), all.toString());
    all.removeAll(ON_CLUSTERS);
    assertEquals(all, texts);
    assertEquals(all, json);
  }
}
