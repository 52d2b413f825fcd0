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

import java.io.IOException;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.util.Time;
import org.hdfsppr.client.command.CommandEnvironment;
import org.hdfsppr.client.command.ExitCode;
import org.hdfsppr.client.command.ToolCommand;
import org.hdfsppr.client.command.ToolOutput;
import org.hdfsppr.client.files.call.PluginCalls;
import org.hdfsppr.client.files.text.FinalizeText;
import org.hdfsppr.operate.FinalizedRecords;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code hdfs ppr -finalize}: ends the way back to 0.2.0. */
@InterfaceAudience.Private
@Command(name = "-finalize",
    description = "Has NameNodes seal the records of hdfs-ppr in the namespace, with a version and"
        + " a checksum, when they write them. hdfs-ppr 0.2.0 refuses sealed records, so that no"
        + " NameNode goes back to it: there is no command that undoes this. Until then, records"
        + " are written as 0.2.0 writes them. Refused unless all NameNodes of the nameservice"
        + " answer and read sealed records. Does nothing if records are finalized already. Needs"
        + " a superuser. See docs/install.md.",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:records are finalized",
        "1:they are not, or it was refused or failed", "2:not understood"},
    footer = {"%nExample: hdfs ppr -finalize -status"})
final class FinalizeCommand extends ToolCommand {
  @Option(names = "-status", description = "Only show whether records are finalized, and what"
      + " hinders it. Changes nothing.")
  private boolean isLook;

  private final CommandEnvironment surroundings;

  FinalizeCommand(CommandEnvironment surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  protected ExitCode run(ToolOutput output) throws IOException {
    FinalizedRecords records = PluginCalls.of(surroundings.conf(), surroundings.screen::await,
        Time::monotonicNow).call(plugin -> plugin.finalizeRecords(!isLook));
    if (output.isJson) {
      output.object(FinalizeText.json(records));
    } else {
      output.lines(FinalizeText.of(records));
    }
    return records.areFinalized() ? ExitCode.DONE : ExitCode.FAILED;
  }
}
