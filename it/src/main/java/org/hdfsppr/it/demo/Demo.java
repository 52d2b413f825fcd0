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
package org.hdfsppr.it.demo;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeoutException;

import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.util.VersionInfo;
import org.hdfsppr.it.util.CliErrors;
import org.hdfsppr.it.util.ItPaths;
import org.hdfsppr.it.util.JsonFile;
import org.hdfsppr.it.util.EcCode;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * {@code it/demo.sh}: shows how an embedded cluster repairs the loss of a DataNode, once with the
 * stock worker and once with the plugin.
 */
@Command(name = "demo.sh", mixinStandardHelpOptions = true,
    description = "Writes erasure-coded files on a cluster within this JVM, stops a DataNode, "
        + "shows the repair and checks every byte: once with Hadoop's own worker, once with the "
        + "plugin.")
@InterfaceAudience.Private
public final class Demo implements Callable<Integer> {
  private static final List<EcCode> CODES = List.of(EcCode.RS_6_3, EcCode.RS_10_4);

  /**
   * RS-10-4 spreads a group over 14 nodes. The demo stops one of these nodes. With 16 nodes, two
   * nodes are left as possible destinations.
   */
  private static final int NODES = 16;
  private static final long BLOCK_BYTES = 4L * 1024 * 1024;
  private static final int GROUPS = 8;
  private static final double MIB = 1024 * 1024;

  @Spec
  private CommandSpec spec;

  @Option(names = "--json", description = "Where the results go, one object per file and worker")
  private Path json;

  @Option(names = "--hadoop", description = "Hadoop release: 3.3.6, 3.4.3 or 3.5.0 (read by the "
      + "launcher; default: 3.4.3)")
  private String hadoop;

  @Option(names = "--worker", split = ",", defaultValue = "STOCK,PLUGIN",
      description = "What repairs (default: ${DEFAULT-VALUE})")
  private List<Worker> workers;

  private final List<DemoRecord> records = new ArrayList<>();

  /**
   * @param args the arguments of the command line
   */
  public static void main(String[] args) {
    System.exit(new CommandLine(new Demo())
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setExecutionExceptionHandler(CliErrors::report)
        .execute(args));
  }

  @Override
  public Integer call() throws IOException, InterruptedException, TimeoutException {
    if (hadoop != null && !hadoop.equals(VersionInfo.getVersion())) {
      throw new IllegalStateException("Hadoop " + VersionInfo.getVersion()
          + " is on the class path, not " + hadoop + ": start by demo.sh");
    }
    if (workers.contains(Worker.PLUGIN) && !Files.isRegularFile(ItPaths.dropInJar("datanode"))) {
      throw new FileNotFoundException("The plugin is not built: " + ItPaths.dropInJar("datanode"));
    }
    for (Worker worker : workers) {
      run(worker);
    }
    writeJson();
    printTable();
    return records.stream().allMatch(record -> record.ok) ? 0 : 1;
  }

  private void run(Worker worker) throws IOException, InterruptedException, TimeoutException {
    PrintWriter out = spec.commandLine().getOut();
    out.printf("%n[%s] starting Hadoop %s with %d DataNodes in this JVM%n", worker.label,
        VersionInfo.getVersion(), NODES);
    out.flush();
    Path base = ItPaths.runDir().resolve("demo").resolve(
        worker.label + "-" + ProcessHandle.current().pid());
    try (EmbeddedCluster cluster = EmbeddedCluster.start(base, NODES, worker)) {
      for (EcCode code : CODES) {
        records.add(
            new NodeLossStory(cluster, worker, code, BLOCK_BYTES, GROUPS, out).tell());
      }
    }
  }

  private void writeJson() throws IOException {
    if (json != null) {
      JsonFile.writeRows(json, records, DemoRecord::toJson);
    }
  }

  private void printTable() {
    PrintWriter out = spec.commandLine().getOut();
    out.printf("%n%-8s %-8s %14s %9s %26s  %s%n", "code", "worker", "blocks rebuilt", "seconds",
        "busiest node received MiB", "ok");
    for (EcCode code : CODES) {
      for (DemoRecord record : records) {
        if (record.code == code) {
          out.printf(Locale.ROOT, "%-8s %-8s %14d %9.2f %26.1f  %s%n", code.label(),
              record.worker.label, record.blocks, record.seconds,
              record.busiestReceivedBytes / MIB, record.ok ? "yes" : "NO");
        }
      }
    }
    out.flush();
  }
}
