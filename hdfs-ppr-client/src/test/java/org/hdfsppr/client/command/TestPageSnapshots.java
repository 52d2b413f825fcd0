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
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.hdfsppr.datanode.Snapshot;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What commands print of the NameNode's documents is what it was. The documents are those that the
 * NameNode's tests have recorded.
 */
@Timeout(120)
class TestPageSnapshots {
  /** Of the module that writes the documents; there is no copy of them. */
  private static final Snapshot DOCUMENTS = Snapshot.of("hdfs-ppr-namenode", "documents");
  private static final Snapshot RECORDED = Snapshot.of("hdfs-ppr-client", "pages");
  private static final String EXPLAIN = "explain";
  private static final String GROUP = "blk_-9223372036854775792";
  private static final String ERRORS = "errors.txt";
  /** Commands by the page that they read. No command prints the other pages. */
  private static final Map<String, String[][]> COMMANDS = new TreeMap<>(Map.of(
      "status", new String[][] {{"-status"}, {"-status", "-check"}},
      "groups", new String[][] {{"-groups"}, {"-groups", "-stuck"}, {"-groups", "-doubted"},
          {"-groups", "-limit", "2"}},
      "repairs", new String[][] {{"-groups", "-running"}, {"-groups", "-running", "-limit", "1"}},
      "nodes", new String[][] {{"-nodes"}},
      "doubts", new String[][] {{"-doubts"}},
      "doctor", new String[][] {{"-doctor"}}));

  /** Returns the pages of each world. */
  private static Map<String, List<String>> worlds() {
    Map<String, List<String>> worlds = new TreeMap<>();
    for (String file : DOCUMENTS.files()) {
      int slash = file.indexOf('/');
      if (slash > 0) {
        worlds.computeIfAbsent(file.substring(0, slash), any -> new ArrayList<>())
            .add(file.substring(slash + 1, file.length() - ".json".length()));
      }
    }
    return worlds;
  }

  static List<String> worldsWithCommands() {
    return worlds().entrySet().stream()
        .filter(world -> !world.getKey().equals(EXPLAIN))
        .filter(world -> world.getValue().stream().anyMatch(COMMANDS::containsKey))
        .map(Map.Entry::getKey).collect(Collectors.toList());
  }

  @ParameterizedTest
  @MethodSource("worldsWithCommands")
  void aWorldIsPrintedAsRecorded(String world) throws IOException {
    Transcript text = new Transcript();
    try (CannedNameNode nameNode = new CannedNameNode()) {
      List<String> pages = worlds().get(world);
      pages.forEach(page ->
          nameNode.json("/ppr/v1/" + page, DOCUMENTS.read(world + "/" + page + ".json")));
      ToolRun tool = new ToolRun(nameNode.conf());
      COMMANDS.forEach((page, commands) -> {
        if (pages.contains(page)) {
          for (String[] command : commands) {
            text.both(tool, command);
          }
        }
      });
    }
    RECORDED.assertSame(world + ".txt", text.toString());
  }

  @Test
  void explanationsArePrintedAsRecorded() throws IOException {
    Transcript text = new Transcript();
    try (CannedNameNode nameNode = new CannedNameNode()) {
      ToolRun tool = new ToolRun(nameNode.conf());
      for (String cause : worlds().get(EXPLAIN)) {
        nameNode.json("/ppr/v1/explain/" + GROUP, DOCUMENTS.read("explain/" + cause + ".json"));
        text.run(tool, "-explain", GROUP);
      }
      text.run(tool, "-explain", GROUP, "-json");
    }
    RECORDED.assertSame(EXPLAIN + ".txt", text.toString());
  }

  @Test
  void watchingIsAsRecorded() throws IOException {
    Transcript text = new Transcript();
    try (CannedNameNode nameNode = new CannedNameNode()) {
      String path = "/ppr/v1/status";
      for (boolean isTerminal : new boolean[] {false, true}) {
        for (boolean isJson : new boolean[] {false, true}) {
          nameNode.json(path, DOCUMENTS.read("state-ok/status.json"));
          ToolRun tool = new ToolRun(nameNode.conf(), isTerminal, "").outputs(3, () ->
              nameNode.answer(path, 503, "text/plain", "It stops.\n"));
          text.run(tool, isJson ? new String[] {"-status", "-watch", "-json"}
              : new String[] {"-status", "-watch", "5"});
        }
      }
    }
    // The terminal's orders are made visible.
    RECORDED.assertSame("watch.txt", text.toString().replace("\033", "<ESC>"));
  }

  private static void refuse(Transcript text, CannedNameNode nameNode, int code, String type,
      String body) throws IOException {
    nameNode.answer("/ppr/v1/status", code, type, body);
    text.both(new ToolRun(nameNode.conf()), "-status");
  }

  @Test
  void refusalsAreAsRecorded() throws IOException {
    Transcript text = new Transcript();
    try (CannedNameNode nameNode = new CannedNameNode()) {
      for (int code : new int[] {401, 403, 404, 500, 503}) {
        refuse(text, nameNode, code, "text/html", "<html>");
        refuse(text, nameNode, code, "text/plain; charset=utf-8", "A sentence of the server.\n");
      }
      for (String body : List.of("<html>welcome</html>", "[1]", "{\"state\":", "",
          "{\"version\":2}", "{}")) {
        refuse(text, nameNode, 200, "application/json", body);
      }
      ToolRun tool = new ToolRun(nameNode.conf());
      for (String command : List.of("-status -watch -check", "-status -watch 0",
          "-status -watch often", "-groups -limit 0", "-groups -stuck -running", "-explain",
          "-explain blk_16", "-explain -jso", "-explain blk_x", "-nodes more", "-nothing",
          "-codes -jso", "-status -conf /nothing/there",
          "-status -libjars a.jar", "-status -D")) {
        text.run(tool, command.split(" "));
      }
      text.run(tool);
    }
    Configuration ended = new Configuration(false);
    ended.set("fs.defaultFS", "hdfs://127.0.0.1:" + CannedNameNode.closedPort());
    ended.set("dfs.namenode.http-address", "127.0.0.1:" + CannedNameNode.closedPort());
    ToolRun tool = new ToolRun(ended);
    text.both(tool, "-status").both(tool, "-explain", GROUP).both(tool, "-explain", "/file");
    RECORDED.assertSame(ERRORS, text.toString());
  }

  @Test
  void aClassPathOfTwoVersionsIsAsRecorded() throws IOException {
    Transcript text = new Transcript();
    try (CannedNameNode nameNode = new CannedNameNode()) {
      nameNode.json("/ppr/v1/doctor", DOCUMENTS.read("fine/doctor.json"));
      text.both(new ToolRun(nameNode.conf(), false, String.join(
          System.getProperty("path.separator"), "/opt/lib/hdfs-ppr-client-0.3.0-dropin.jar",
          "/opt/other/hdfs-ppr-client-0.1.0-dropin.jar")), "-doctor");
    }
    RECORDED.assertSame("class-path.txt", text.toString());
  }

  @Test
  void noOtherFilesAreThere() {
    List<String> made = new ArrayList<>(List.of(EXPLAIN + ".txt", ERRORS, "watch.txt",
        "class-path.txt"));
    worldsWithCommands().forEach(world -> made.add(world + ".txt"));
    RECORDED.assertFiles(made);
    // Each page that a command reads is there with something in all fields, and with nothing.
    for (String world : List.of("full", "empty")) {
      assertTrue(worlds().get(world).containsAll(COMMANDS.keySet()), world);
    }
    assertEquals(new TreeSet<>(List.of("history", "verification")),
        worlds().get("full").stream().filter(page -> !COMMANDS.containsKey(page))
            .collect(Collectors.toCollection(TreeSet::new)), "a new page: is it in a command?");
  }
}
