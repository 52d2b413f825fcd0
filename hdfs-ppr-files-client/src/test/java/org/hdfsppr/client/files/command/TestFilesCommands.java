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
package org.hdfsppr.client.files.command;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.hdfsppr.client.command.CommandEnvironment;
import org.hdfsppr.client.command.TimeWords;
import org.hdfsppr.client.command.ToolCommands;
import org.hdfsppr.operate.ConversionOptions;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** What the jar of repairs knows by name of the commands of the jar of files. */
class TestFilesCommands {
  @Test
  void aClientWithoutThemRefusesEachByItsName() {
    List<String> names = new FilesCommands().commands(
        CommandEnvironment.ofProcess(() -> new Configuration(false))).stream()
        .map(command -> new CommandLine(command).getCommandName())
        .collect(Collectors.toList());
    assertEquals(new TreeSet<>(names), new TreeSet<>(ToolCommands.OF_FILES));
    assertEquals(List.of("-convert", "-core", "-updatable", "-update", "-commit", "-clear",
        "-finalize", "-updates", "-nbd"), names, "the order in which the tool's help lists them");
  }

  @Test
  void theirWordsHaveTheBoundsOfConversions() {
    assertEquals(ConversionOptions.TIME_MS_MAX, TimeWords.TIME_MS_MAX);
    assertEquals(ConversionOptions.BYTES_PER_SECOND_MIN, TimeWords.BYTES_PER_SECOND_MIN);
    assertEquals(ConversionOptions.BYTES_PER_SECOND_MAX, TimeWords.BYTES_PER_SECOND_MAX);
  }
}
