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
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.hdfsppr.client.PprTool;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** Sources the completion for bash, and compares what it offers with the commands. */
@Timeout(60)
class TestCompletion {
  private static final String FILE = "../conf/completion/hdfs-ppr.bash";

  /** Returns what is offered for the last of these words. */
  private static Set<String> offered(String... words) throws Exception {
    return offeredAfter("", words);
  }

  private static Set<String> offeredAfter(String before, String... words) throws Exception {
    List<String> command = new ArrayList<>(List.of("bash", "--norc", "-c", before
        + "\n. " + FILE + "\nPATH=/nowhere; COMP_WORDS=(\"$@\"); COMP_CWORD=$(($# - 1))\n"
        + "_hdfs_ppr hdfs && for one in ${COMPREPLY[@]+\"${COMPREPLY[@]}\"}; do\n"
        + "echo \"$one\"; done", "bash"));
    command.addAll(List.of(words));
    Process bash = new ProcessBuilder(command).redirectErrorStream(true).start();
    String text = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertTrue(bash.waitFor(20, TimeUnit.SECONDS));
    return text.lines().collect(Collectors.toCollection(TreeSet::new));
  }

  private static Set<String> options(CommandLine line) {
    return line.getCommandSpec().options().stream().filter(option -> !option.hidden())
        .map(OptionSpec::names).map(names -> names[0])
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void everyCommandAndOptionIsOffered() throws Exception {
    CommandLine tool = PprTool.commandLine(() -> new Configuration(false));
    Set<String> commands = new TreeSet<>(tool.getSubcommands().keySet());
    commands.addAll(List.of("-help", "-fs", "-conf", "-D"));
    assertEquals(commands, offered("hdfs", "ppr", ""));
    for (String command : tool.getSubcommands().keySet()) {
      assertEquals(options(tool.getSubcommands().get(command)),
          offered("hdfs", "ppr", command, "-"), command);
    }
  }

  @Test
  void wordsAreCompleted() throws Exception {
    assertEquals(Set.of("-status"), offered("hdfs", "ppr", "-sta"));
    assertEquals(Set.of("-status"), offered("hdfs", "--loglevel", "ppr", "ppr", "-sta"));
    assertEquals(Set.of("-prioritize"), offered("hdfs", "--debug", "ppr", "-pri"));
    assertEquals(Set.of("-running"), offered("hdfs", "ppr", "-groups", "-json", "-r"));
    assertEquals(Set.of("1d", "1h", "15m"), offered("hdfs", "ppr", "-pause", "-for", "1"));
    assertEquals(Set.of("gentle"), offered("hdfs", "ppr", "-pressure", "g"));
    assertEquals(Set.of("-go"), offered("hdfs", "ppr", "-clear", "-g"));
    assertEquals(Set.of("-status"), offered("hdfs", "ppr", "-finalize", "-s"));
    assertEquals(Set.of(), offered("hdfs", "ppr", "-groups", "-limit", ""));
    assertEquals(Set.of(), offered("hdfs", "ppr", "-explain", "/a"));
    assertEquals(Set.of("-status"), offered("hdfs", "ppr", "-fs", "hdfs://x", "-D", "a=b", "-sta"));
    assertEquals(Set.of("-running"), offered("hdfs", "ppr", "-fs", "x", "-groups", "-r"));
    assertEquals(Set.of(), offered("hdfs", "ppr", "-conf", ""));
    assertEquals(Set.of(), offered("hdfs", "ppr", "-status", "-fs", ""));
  }

  /** Some shells treat a variable that is not set as an error. */
  @Test
  void noVariableIsUsedThatIsNotSet() throws Exception {
    assertEquals(Set.of("-status"), offeredAfter("set -u", "hdfs", "ppr", "-sta"));
    assertEquals(Set.of(), offeredAfter("set -u", "hdfs", "dfs", "-l"));
    assertEquals(Set.of(), offeredAfter("set -u", "hdfs", "p"));
    assertEquals(Set.of("old hdfs"), offeredAfter("set -u; _old() { COMPREPLY=(\"old $1\"); };"
        + " complete -F _old hdfs", "hdfs", "dfs", "-l"));
  }

  /** Another completion of hdfs keeps its work, even if this file is sourced twice. */
  @Test
  void otherCommandsAreLeftToOthers() throws Exception {
    assertEquals(Set.of(), offered("hdfs", "dfs", "-l"));
    String before = "_old() { COMPREPLY=(\"old $1\"); }; complete -F _old hdfs\n. " + FILE;
    assertEquals(Set.of("old hdfs"), offeredAfter(before, "hdfs", "dfs", "-l"));
    assertEquals(Set.of("old hdfs"), offeredAfter(before, "hdfs", "pp"));
    assertEquals(Set.of("-status"), offeredAfter(before, "hdfs", "ppr", "-sta"));
  }
}
