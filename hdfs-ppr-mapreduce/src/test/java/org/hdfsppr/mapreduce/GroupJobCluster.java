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
package org.hdfsppr.mapreduce;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.io.erasurecode.ECSchema;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.util.Time;
import org.hdfsppr.client.command.ToolCommands;
import org.hdfsppr.client.files.call.PluginCalls;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.core.membership.CoreMembership;
import org.hdfsppr.datanode.FreePort;
import org.hdfsppr.datanode.RepairCluster;
import org.hdfsppr.datanode.security.Kerberos;
import org.hdfsppr.operate.CoreDirectory.Number;
import org.hdfsppr.operate.CoreStatus;
import org.hdfsppr.operate.PprClientTranslator;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** A cluster with both plugins, and a directory /warm whose files jobs bring into groups. */
final class GroupJobCluster implements Closeable {
  /** Bytes of file data in a full block group. */
  static final int GROUP = 6 * (16 << 10);
  private static final int NODES = 10;
  private static final int CELL = 16 << 10;
  private static final int K = 3;
  private static final long BLOCK = GROUP / K;
  private static final String RS = "RS-3-2-16k";
  private static final int TIMEOUT_MS = 30_000;
  private static final String ROOT = "/warm";
  private static final long SETTLE_MS = 3_600_000;

  private final RepairCluster cluster;
  private final File directory;
  private final long seed;
  private String out;
  private String err;

  @Command(name = "hdfs ppr")
  private static final class Tool {
  }

  private GroupJobCluster(RepairCluster running, File directory, long seed) throws IOException {
    this.cluster = running;
    this.directory = directory;
    this.seed = seed;
    try {
      prepare();
    } catch (IOException | RuntimeException | AssertionError e) {
      running.close();
      throw e;
    }
  }

  private void prepare() throws IOException {
    System.out.println("seed " + seed);
    String name = fs().addErasureCodingPolicies(new ErasureCodingPolicy[] {
        new ErasureCodingPolicy(new ECSchema("rs", K, 2), CELL)})[0].getPolicy().getName();
    fs().enableErasureCodingPolicy(name);
    fs().mkdirs(new Path(ROOT));
    fs().setErasureCodingPolicy(new Path(ROOT), RS);
    RepairCluster.await("groups can be formed", () -> status().why.isEmpty());
  }

  static GroupJobCluster start(File directory, long seed) throws IOException {
    return new GroupJobCluster(
        RepairCluster.start(conf(new HdfsConfiguration(), directory), NODES), directory, seed);
  }

  /** Starts a cluster with Kerberos, block tokens, and privacy on all wires. */
  static GroupJobCluster withPrivacy(Kerberos kerberos, File directory, long seed)
      throws IOException {
    Configuration conf = conf(kerberos.configuration("privacy"), directory);
    conf.set(CommonConfigurationKeys.HADOOP_RPC_PROTECTION, "privacy");
    // The tickets are those of localhost.
    conf.set(PprKeys.NAMENODE_RPC_ADDRESS_KEY, "localhost:" + FreePort.choose());
    Kerberos.logIn(conf);
    return new GroupJobCluster(RepairCluster.start(conf, NODES), directory, seed);
  }

  private static Configuration conf(Configuration base, File directory) throws IOException {
    Configuration conf = RepairCluster.configure(base, directory);
    conf.set("dfs.namenode.plugins", "org.hdfsppr.namenode.PprNameNodePlugin");
    conf.set(PprKeys.NAMENODE_RPC_ADDRESS_KEY, "127.0.0.1:" + FreePort.choose());
    conf.setInt(PprKeys.DATANODE_HEARTBEAT_MS_KEY, 100);
    // The NameNode looks at the files once, when the directory is protected, and then not again
    // for minutes. The files are older than this.
    conf.setLong(PprKeys.NAMENODE_CORE_SETTLE_KEY, SETTLE_MS);
    conf.setInt("dfs.ls.limit", 2);
    return conf;
  }

  DistributedFileSystem fs() {
    return cluster.fs;
  }

  /** Returns the configuration of a client, whose jobs run in its own process. */
  Configuration clientConf() {
    Configuration conf = cluster.clientConf();
    conf.set("hadoop.tmp.dir", new File(directory, "tmp").getAbsolutePath());
    conf.setInt("mapreduce.client.completion.pollinterval", 100);
    return conf;
  }

  /** Calls the NameNode's plugin as the current user, as tasks do. */
  <T> T call(PluginCalls.Call<T> call) throws IOException {
    return PluginCalls.of(clientConf(), seconds -> false, Time::monotonicNow).call(call);
  }

  PprClientTranslator client(UserGroupInformation user) throws IOException {
    Configuration conf = clientConf();
    return PprClientTranslator.of(
        NetUtils.createSocketAddr(conf.get(PprKeys.NAMENODE_RPC_ADDRESS_KEY)), user, conf,
        TIMEOUT_MS);
  }

  CoreStatus status() {
    try {
      return call(plugin -> plugin.coreStatus(null));
    } catch (IOException e) {
      return new CoreStatus("no answer: " + e, List.of(), 0, Map.of(), 0);
    }
  }

  /** Writes a file that has not been changed for as long as files have to rest. */
  void write(String path, int bytes) throws IOException {
    cluster.write(new Path(path), bytes, BLOCK, seed + path.hashCode());
    fs().setTimes(new Path(path), Time.now() - 2 * SETTLE_MS, -1);
  }

  /** Gives the tree to a user. */
  void own(String user) throws IOException {
    fs().setOwner(new Path(ROOT), user, "users");
    fs().setPermission(new Path(ROOT), new FsPermission((short) 0750));
  }

  /** Runs {@code hdfs ppr}, with jobs in this process, and returns its exit code. */
  int run(UserGroupInformation user, String... args) throws Exception {
    StringWriter outText = new StringWriter();
    StringWriter errText = new StringWriter();
    Configuration conf = clientConf();
    CommandLine line = new CommandLine(new Tool());
    ToolCommands.addTo(line, () -> conf);
    line.setOut(new PrintWriter(outText)).setErr(new PrintWriter(errText));
    int code = user.doAs((PrivilegedExceptionAction<Integer>) () -> line.execute(args));
    out = outText.toString();
    err = errText.toString();
    return code;
  }

  String out() {
    return out;
  }

  String err() {
    return err;
  }

  /** Returns the numbers of the job that the command has run. */
  JsonNode job() throws IOException {
    return new ObjectMapper().readTree(out).path("job");
  }

  void awaitGroups(long groups) {
    RepairCluster.await("there are " + groups + " groups", () -> {
      CoreStatus now = status();
      return now.sum(Number.GROUPS) == groups && now.sum(Number.FORMING) == 0
          && now.sum(Number.QUEUED) == 0;
    });
  }

  private List<LocatedFileStatus> files(String path) throws IOException {
    List<LocatedFileStatus> files = new ArrayList<>();
    RemoteIterator<LocatedFileStatus> all = fs().listFiles(new Path(path), true);
    while (all.hasNext()) {
      files.add(all.next());
    }
    return files;
  }

  private static long id(FileStatus file) {
    return ((HdfsFileStatus) file).getFileId();
  }

  long id(String path) throws IOException {
    return id(fs().getFileStatus(new Path(path)));
  }

  /** Returns the paths of the members of all groups that there are. */
  Set<Set<String>> members() throws IOException {
    Map<Long, String> paths = new HashMap<>();
    files(ROOT).forEach(file -> paths.put(id(file), file.getPath().toUri().getPath()));
    Set<Set<String>> groups = new HashSet<>();
    for (LocatedFileStatus parity : files("/.hdfs-ppr/core/groups")) {
      byte[] record = fs().getXAttrs(parity.getPath()).get("trusted.hdfs-ppr.core-group");
      // Without a record, the file is being made.
      if (record != null) {
        Set<String> group = new HashSet<>();
        CoreMembership.parse(record).files
            .forEach(row -> group.add(paths.get(row.fileId)));
        groups.add(group);
      }
    }
    return groups;
  }

  @Override
  public void close() {
    cluster.close();
  }
}
