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
package org.hdfsppr.it.cluster;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.it.util.CliErrors;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/**
 * {@code it/cluster.sh}: starts, shows and stops an HDFS cluster of real processes on this machine.
 * Users try out the project on such a cluster, and cause failures to see how it reacts.
 */
@Command(name = "cluster.sh", mixinStandardHelpOptions = true,
    description = "A real HDFS cluster of processes on this machine, with shaped links.",
    synopsisSubcommandLabel = "COMMAND")
@InterfaceAudience.Private
public final class ClusterCli implements Runnable {

  /** Short names for Hadoop's own command line tools. */
  private static final Map<String, String> TOOLS = Map.of(
      "dfs", "org.apache.hadoop.fs.FsShell",
      "fs", "org.apache.hadoop.fs.FsShell",
      "dfsadmin", "org.apache.hadoop.hdfs.tools.DFSAdmin",
      "ec", "org.apache.hadoop.hdfs.tools.ECAdmin",
      "fsck", "org.apache.hadoop.hdfs.tools.DFSck",
      "debug", "org.apache.hadoop.hdfs.tools.DebugAdmin",
      "ppr", "org.hdfsppr.client.PprTool");

  private static final String NODE = "A DataNode, like 5 or dn5";
  /** How long exec waits for the end of its tool after a signal: a block device flushes first. */
  private static final long TOOL_END_SECONDS = 30;

  @Spec
  private CommandSpec spec;

  /**
   * @param args the arguments of the command line
   */
  public static void main(String[] args) {
    CommandLine line = new CommandLine(new ClusterCli())
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setExecutionExceptionHandler(CliErrors::report);
    // All words after the tool's name go to the tool, and picocli must not parse them.
    line.getSubcommands().get("exec").setStopAtPositional(true);
    System.exit(line.execute(args));
  }

  @Override
  public void run() {
    throw new CommandLine.ParameterException(spec.commandLine(), "Which command?");
  }

  private PrintWriter out() {
    return spec.commandLine().getOut();
  }

  private void say(String format, Object... values) {
    out().printf(Locale.ROOT, format + "%n", values);
    out().flush();
  }

  private static HdfsProcessCluster open(String name) throws IOException {
    Optional<HdfsProcessCluster> cluster = HdfsProcessCluster.open(name);
    if (cluster.isEmpty()) {
      List<String> names = HdfsProcessCluster.names();
      throw new IOException("No cluster named '" + name + "' is up here; "
          + (names.isEmpty() ? "none is" : "--name takes " + String.join(", ", names)));
    }
    return cluster.get();
  }

  @Command(name = "up", mixinStandardHelpOptions = true, description = "Start a cluster.")
  int up(@Mixin ClusterOptions options,
      @Option(names = "--plugin", negatable = true,
          description = "With the plugin in the DataNodes and the codecs everywhere, or "
              + "without (default)") boolean plugin,
      @Option(names = "--namenode-plugin",
          description = "With the NameNodes' plugin too") boolean nameNodePlugin)
      throws IOException, InterruptedException, TimeoutException {
    HdfsProcessCluster cluster =
        HdfsProcessCluster.create(options.toSpec().plugin(plugin).codecs(plugin)
            .nameNodePlugin(nameNodePlugin).build());
    boolean done = false;
    try {
      cluster.up();
      done = true;
    } finally {
      if (!done) {
        cluster.down();
      }
    }
    print(cluster);
    return 0;
  }

  @Command(name = "status", mixinStandardHelpOptions = true, description = "Show clusters.")
  int status(@Option(names = "--name", paramLabel = "NAME", description = "Only this one")
      String name)
      throws IOException {
    List<String> names = name == null ? HdfsProcessCluster.names() : List.of(name);
    for (String known : names) {
      print(open(known));
    }
    if (names.isEmpty()) {
      say("No cluster is up here.");
    }
    return 0;
  }

  private void print(HdfsProcessCluster cluster) throws IOException {
    ClusterSpec is = cluster.spec();
    out().printf("%s: Hadoop %s, %s, %s, link rate %s, cross-rack rate %s%n", is.name,
        is.hadoopVersion, plugins(is), is.network, is.rate, is.crossRackRate);
    out().printf("  %s, live DataNodes: %s of %d%n", cluster.clientConf().get("fs.defaultFS"),
        cluster.state().liveNodes().map(String::valueOf).orElse("unknown"), is.nodes);
    out().printf("  files in %s%n", cluster.dir());
    OptionalInt active = cluster.nameNodes().active();
    for (int number = 1; number <= cluster.nameNodes().count(); number++) {
      Daemon nameNode = cluster.nameNodes().daemon(number);
      out().printf("  %-5s %s %s%s%n", nameNode.name, cluster.nameNodes().rpcAddress(number),
          pid(nameNode), is.ha && active.equals(OptionalInt.of(number)) ? ", active" : "");
    }
    for (Daemon journal : cluster.nameNodes().journalNodes()) {
      out().printf("  %-5s %s%n", journal.name, pid(journal));
    }
    for (int node = 1; node <= is.nodes; node++) {
      out().printf("  dn%-3d %s /rack%d %s%n", node, cluster.nodeAddress(node),
          is.rackOf(node), pid(cluster.dataNode(node)));
    }
    out().flush();
  }

  private static String plugins(ClusterSpec is) {
    if (is.plugin && is.nameNodePlugin) {
      return "plugins in DataNodes and NameNodes";
    }
    return is.plugin ? "plugin in DataNodes" : is.nameNodePlugin ? "plugin in NameNodes"
        : "stock";
  }

  private static String pid(Daemon daemon) throws IOException {
    return daemon.pid().map(p -> "pid " + p).orElse("down");
  }

  @Command(name = "kill-node", mixinStandardHelpOptions = true,
      description = "End a DataNode as a power cut does.")
  int killNode(@Option(names = "--name", paramLabel = "NAME", defaultValue = "ppr") String name,
      @Parameters(paramLabel = "NODE", description = NODE, converter = NodeConverter.class)
      int node) throws IOException, InterruptedException, TimeoutException {
    HdfsProcessCluster cluster = open(name);
    Optional<Long> pid = cluster.dataNode(node).pid();
    cluster.kill(node);
    say(pid.isPresent() ? "dn%d, pid %d, is killed; the NameNode misses it after some 14 s"
        : "dn%d was down already", node, pid.orElse(0L));
    return 0;
  }

  @Command(name = "start-node", mixinStandardHelpOptions = true,
      description = "Start a DataNode that is down.")
  int startNode(@Option(names = "--name", paramLabel = "NAME", defaultValue = "ppr") String name,
      @Parameters(paramLabel = "NODE", description = NODE, converter = NodeConverter.class)
      int node) throws IOException, InterruptedException {
    HdfsProcessCluster cluster = open(name);
    cluster.start(node);
    say("dn%d is started, log in %s", node, cluster.log(node));
    return 0;
  }

  @Command(name = "fail-over", mixinStandardHelpOptions = true,
      description = "Make the other of two NameNodes active; with --kill after killing the one "
          + "that is, which 'start-namenode' starts again as standby.")
  int failOver(@Option(names = "--name", paramLabel = "NAME", defaultValue = "ppr") String name,
      @Option(names = "--kill") boolean kill)
      throws IOException, InterruptedException, TimeoutException {
    Masters nameNodes = ofTwo(name);
    OptionalInt active = nameNodes.active();
    int to = active.isPresent() ? nameNodes.count() + 1 - active.getAsInt() : 1;
    if (kill && active.isPresent()) {
      nameNodes.daemon(active.getAsInt()).kill();
    }
    nameNodes.failOver(to);
    say("nn%d is active", to);
    return 0;
  }

  @Command(name = "start-namenode", mixinStandardHelpOptions = true,
      description = "Start the NameNodes that are down; of two they start as standby.")
  int startNameNode(
      @Option(names = "--name", paramLabel = "NAME", defaultValue = "ppr") String name)
      throws IOException, InterruptedException, TimeoutException {
    Masters nameNodes = open(name).nameNodes();
    for (int number = 1; number <= nameNodes.count(); number++) {
      if (!nameNodes.daemon(number).isAlive()) {
        nameNodes.start(number);
        nameNodes.awaitAnswers(number);
        say("%s answers at %s", nameNodes.daemon(number).name, nameNodes.rpcAddress(number));
      }
    }
    return 0;
  }

  private static Masters ofTwo(String name) throws IOException {
    Masters nameNodes = open(name).nameNodes();
    if (nameNodes.count() == 1) {
      throw new IllegalArgumentException("'" + name + "' has one NameNode only: up --ha");
    }
    return nameNodes;
  }

  @Command(name = "rate", mixinStandardHelpOptions = true,
      description = "Shape a node's link, each way.")
  int rate(@Option(names = "--name", paramLabel = "NAME", defaultValue = "ppr") String name,
      @Parameters(paramLabel = "NODE", description = NODE, converter = NodeConverter.class)
      int node,
      @Parameters(paramLabel = "RATE", description = "Like 200mbit, 1gbit or none",
          converter = ClusterOptions.RateConverter.class) Rate rate)
      throws IOException, InterruptedException {
    open(name).links().setRate(node, rate);
    say(rate.isUnlimited() ? "dn%d's link is not shaped" : "dn%d's link carries %s each way", node,
        rate);
    return 0;
  }

  @Command(name = "down", mixinStandardHelpOptions = true,
      description = "End all processes, remove links and data; also after a crash.")
  int down(@Option(names = "--name", paramLabel = "NAME", defaultValue = "ppr") String name,
      @Option(names = "--all", description = "All clusters of this working copy") boolean all)
      throws IOException, InterruptedException, TimeoutException {
    List<String> names = all ? HdfsProcessCluster.names() : List.of(name);
    for (String known : names) {
      HdfsProcessCluster cluster = open(known);
      cluster.down();
      say("%s is down, logs stay in %s", known, cluster.dir());
    }
    if (names.isEmpty()) {
      say("No cluster is up here.");
    }
    return 0;
  }

  @Command(name = "exec", mixinStandardHelpOptions = true,
      description = "Run a client's tool: fs (or dfs), dfsadmin, ec, fsck, debug, ppr (with "
          + "--plugin) or a class name.")
  int exec(@Option(names = "--name", paramLabel = "NAME", defaultValue = "ppr") String name,
      @Parameters(paramLabel = "TOOL", index = "0") String tool,
      @Parameters(paramLabel = "ARGUMENT", index = "1..*") List<String> arguments)
      throws IOException, InterruptedException {
    if (!TOOLS.containsKey(tool) && tool.indexOf('.') < 0) {
      throw new IllegalArgumentException("There is no tool '" + tool + "': use one of "
          + new TreeSet<>(TOOLS.keySet()) + " or a class's full name");
    }
    HdfsProcessCluster cluster = open(name);
    if (tool.equals("ppr") && !cluster.spec().codecs) {
      throw new IllegalArgumentException("The tool ppr comes with the plugin's codecs, which '"
          + name + "' was started without: up --plugin");
    }
    List<String> command = new ArrayList<>(cluster.clientJava());
    command.add(TOOLS.getOrDefault(tool, tool));
    command.addAll(arguments == null ? List.of() : arguments);
    Process process = new ProcessBuilder(command).inheritIO()
        .directory(Path.of(System.getProperty("user.dir")).toFile()).start();
    // A signal that ends this process must not leave the tool behind, such as a block device.
    Runtime.getRuntime().addShutdownHook(new Thread(() -> end(process)));
    // There is no time limit, because the user can end the tool with Ctrl-C.
    process.waitFor(Long.MAX_VALUE, TimeUnit.SECONDS);
    return process.exitValue();
  }

  private static void end(Process tool) {
    tool.destroy();
    try {
      tool.waitFor(TOOL_END_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Lets picocli read a node's number in the form that {@code status} prints, or as a plain number.
   */
  static final class NodeConverter implements ITypeConverter<Integer> {
    private static final Pattern WORDS = Pattern.compile("(?:dn)?(\\d{1,4})");

    @Override
    public Integer convert(String value) {
      Matcher matcher = WORDS.matcher(value);
      if (!matcher.matches()) {
        throw new TypeConversionException("Not a DataNode: '" + value + "'; like 5 or dn5");
      }
      return Integer.valueOf(matcher.group(1));
    }
  }
}
