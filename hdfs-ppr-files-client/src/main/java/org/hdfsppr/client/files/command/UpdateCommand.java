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

import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.PprFileSystem;
import org.hdfsppr.client.command.Cluster;
import org.hdfsppr.client.command.CommandEnvironment;
import org.hdfsppr.client.command.ExitCode;
import org.hdfsppr.client.command.ToolCommand;
import org.hdfsppr.client.command.ToolOutput;
import org.hdfsppr.client.update.FileUpdater;
import org.hdfsppr.conf.PprKeys;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code hdfs ppr -update}: writes into a file in place. */
@InterfaceAudience.Private
@Command(name = "-update",
    description = "Writes bytes into a closed erasure-coded file in place, and returns when they"
        + " are on the disks of all nodes that hold its update log. Needs WRITE on the file, and a"
        + " directory that -updatable has made so. Clients with dfs.client.ppr.updates see them at"
        + " once, other clients do not. See docs/updates.md.",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:done", "1:refused or failed; some of the bytes may be written",
        "2:not understood"},
    footer = {"%nExample: hdfs ppr -update /images/disk -offset 4096 -from block"})
final class UpdateCommand extends ToolCommand {
  /** How many bytes are read and written at a time. */
  private static final int CHUNK_BYTES = 1 << 20;

  @Parameters(arity = "1", paramLabel = "PATH", description = "The file.")
  private String file;

  @Option(names = "-offset", required = true, paramLabel = "N",
      description = "Where in the file the first byte goes.")
  private long offset;

  @Option(names = "-from", paramLabel = "FILE",
      description = "A local file with the bytes; the standard input if not given.")
  private File from;

  private final CommandEnvironment surroundings;

  UpdateCommand(CommandEnvironment surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  protected ExitCode run(ToolOutput output) throws IOException {
    if (offset < 0) {
      throw misuse("-offset is " + offset + ", and has to be 0 at least");
    }
    Cluster cluster = cluster(surroundings.conf(), file);
    String path = cluster.path();
    Configuration conf = new Configuration(cluster.conf);
    conf.setBoolean(PprKeys.CLIENT_UPDATES_KEY, true);
    long written = 0;
    try (PprFileSystem fs = new PprFileSystem();
        InputStream in = from == null ? System.in : new FileInputStream(from)) {
      fs.initialize(FileSystem.getDefaultUri(conf), conf);
      try (FileUpdater updater = fs.openForUpdate(new Path(path))) {
        byte[] chunk = new byte[CHUNK_BYTES];
        for (int read = in.read(chunk); read >= 0; read = in.read(chunk)) {
          updater.write(offset + written, ByteBuffer.wrap(chunk, 0, read));
          written += read;
        }
        updater.hsync();
      }
    }
    if (output.isJson) {
      Map<String, Object> answer = new LinkedHashMap<>();
      answer.put("path", path);
      answer.put("offset", offset);
      answer.put("bytes", written);
      output.object(answer);
    } else {
      output.sentence(written + " bytes at " + offset + " of " + path + " are in the update logs.");
    }
    return ExitCode.DONE;
  }
}
