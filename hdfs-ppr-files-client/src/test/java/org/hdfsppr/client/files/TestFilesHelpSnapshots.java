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
package org.hdfsppr.client.files;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.hdfsppr.client.PprTool;
import org.hdfsppr.client.command.ToolCommands;
import org.hdfsppr.client.command.Transcript;
import org.hdfsppr.datanode.Snapshot;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The help of each command of files, and of the tool with them, is what it was, and each of them
 * has texts and JSON that are recorded.
 */
class TestFilesHelpSnapshots {
  private static final String MODULE = "hdfs-ppr-files-client";
  private static final Snapshot RECORDED = Snapshot.of(MODULE, "help-with-files");
  private static final String TOOL = "tool.txt";

  /**
   * Commands that print nothing without DataNodes. Here are their help and what they refuse;
   * TestFileUpdates and TestNbdCommand read parts of what they print.
   */
  private static final Set<String> ON_CLUSTERS = Set.of("-nbd", "-update");

  static Set<String> commands() {
    return new TreeSet<>(ToolCommands.OF_FILES);
  }

  private static void add(Transcript text, String... args) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code = PprTool.run(() -> new Configuration(false), new PrintWriter(out),
        new PrintWriter(err), args);
    text.add(out.toString(), err.toString(), code, args);
  }

  private static String file(String command) {
    return "commands/" + command.substring(1) + ".txt";
  }

  @ParameterizedTest
  @MethodSource("commands")
  void helpIsAsRecorded(String command) {
    Transcript text = new Transcript();
    add(text, command, "-help");
    RECORDED.assertSame(file(command), text.toString());
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
  void noOtherFilesAreThere() {
    List<String> made =
        commands().stream().map(TestFilesHelpSnapshots::file).collect(Collectors.toList());
    made.add(TOOL);
    RECORDED.assertFiles(made);
  }

  /** A new command needs a test that records what it prints, for people and for programs. */
  @Test
  void eachCommandIsRecorded() {
    Set<String> texts = new TreeSet<>();
    Set<String> json = new TreeSet<>();
    Snapshot recorded = Snapshot.of(MODULE, "plugin");
    for (String file : recorded.files()) {
      for (String call : recorded.read(file).split("\\$ hdfs ppr ")) {
        List<String> words = List.of(call.lines().findFirst().orElse("").split(" "));
        // A call that is not understood shows nothing of the command.
        if (!call.contains("\n[exit code 2]\n")) {
          (words.contains("-json") ? json : texts).add(words.get(0));
        }
      }
    }
    texts.remove("");
    Set<String> all = commands();
    all.removeAll(ON_CLUSTERS);
    assertEquals(all, texts);
    assertEquals(all, json);
  }
}
