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
package org.hdfsppr.it.util;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.hdfsppr.it.cluster.ClusterCli;
import org.hdfsppr.it.demo.Demo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/**
 * Compares the stored help of the scripts with the tools behind them. A new user asks for help
 * before anything is built, so that the scripts print files. With {@code -Dit.help.write=true}, the
 * test writes the files.
 */
public class TestScriptHelp {
  @TempDir
  private Path folder;

  /** Returns the module that has the tools and their stored help. */
  protected String module() {
    return "it";
  }

  /** Maps the name of a script to the module's tool behind it. */
  protected Map<String, Class<?>> tools() {
    return Map.of("cluster.sh", ClusterCli.class, "demo.sh", Demo.class);
  }

  private Path stored() {
    return ItPaths.itDir().resolveSibling(module()).resolve("help");
  }

  private static String help(CommandLine line) {
    return line.getUsageMessage(CommandLine.Help.Ansi.OFF);
  }

  private Map<String, String> expected() {
    Map<String, String> files = new TreeMap<>();
    for (Class<?> tool : tools().values()) {
      CommandLine line = new CommandLine(tool);
      files.put(tool.getSimpleName() + ".txt", help(line));
      line.getSubcommands().forEach((name, command) ->
          files.put(tool.getSimpleName() + "." + name + ".txt", help(command)));
    }
    return files;
  }

  @Test
  void theStoredHelpIsThatOfTheTools() throws IOException {
    Path stored = stored();
    Map<String, String> expected = expected();
    if (Boolean.getBoolean("it.help.write")) {
      Files.createDirectories(stored);
      for (Map.Entry<String, String> file : expected.entrySet()) {
        Files.writeString(stored.resolve(file.getKey()), file.getValue());
      }
    }
    Map<String, String> found = new TreeMap<>();
    try (Stream<Path> files = Files.list(stored)) {
      for (Path file : files.collect(Collectors.toList())) {
        found.put(file.getFileName().toString(), Files.readString(file));
      }
    }
    assertEquals(expected, found, stored + " differs; -Dit.help.write=true writes it");
  }

  /** In a tree that was never built, each script and each of its commands prints its help. */
  @Test
  void helpNeedsNoBuild() throws Exception {
    Path it = Files.createDirectories(folder.resolve("tree/it"));
    try (Stream<Path> files = Files.list(ItPaths.itDir())) {
      for (Path file : files.filter(one -> one.toString().endsWith(".sh"))
          .collect(Collectors.toList())) {
        Files.copy(file, it.resolve(file.getFileName()));
      }
    }
    Path module = Files.createDirectories(it.resolveSibling(module()));
    Shell.run(Duration.ofMinutes(1), List.of("cp", "-r", stored().toString(), module.toString()));
    Map<String, String> expected = expected();
    for (Map.Entry<String, Class<?>> tool : tools().entrySet()) {
      String script = it.resolve(tool.getKey()).toString();
      for (Map.Entry<String, String> file : expected.entrySet()) {
        String[] parts = file.getKey().split("\\.");
        if (parts[0].equals(tool.getValue().getSimpleName())) {
          List<String> command = parts.length == 2 ? List.of("bash", script, "--help")
              : List.of("bash", script, parts[1], "-h");
          assertEquals(file.getValue(), Shell.run(Duration.ofMinutes(1), command));
        }
      }
    }
    for (String script : List.of("test.sh", "page.sh", "setup.sh", "metrics.sh", "clients.sh")) {
      Shell.run(Duration.ofMinutes(1), List.of("bash", it.resolve(script).toString(), "--help"));
    }
    try (Stream<Path> files = Files.list(folder.resolve("tree"))) {
      assertEquals(Set.copyOf(List.of(it, module)), files.collect(Collectors.toSet()),
          "nothing else is made");
    }
  }
}
