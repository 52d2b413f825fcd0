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

import static org.hdfsppr.datanode.RepairCluster.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URL;
import java.security.PrivilegedExceptionAction;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.io.erasurecode.ECSchema;
import org.apache.hadoop.security.UserGroupInformation;
import org.hdfsppr.client.PprTool;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.datanode.FreePort;
import org.hdfsppr.datanode.RepairCluster;
import org.hdfsppr.datanode.security.Kerberos;

/** A cluster with both plugins on which tests run {@code hdfs ppr -convert}. */
final class ConvertCluster implements Closeable {
  static final int NODES = 11;
  static final int CELL = 16 << 10;
  /** Bytes of file data in a block group of the files that {@link #write} writes. */
  static final int GROUP = 6 * 2 * CELL;
  static final String RS = "RS-6-3-16k";
  static final String LRC = "LRC-RS-L2-6-4-16k";
  static final String HITCHHIKER = "HITCHHIKER-XORPLUS-6-3-16k";
  static final UserGroupInformation ALICE =
      UserGroupInformation.createUserForTesting("alice", new String[] {"users"});

  private final RepairCluster cluster;
  private String out;
  private String err;

  /** @param settings keys and values of the cluster's configuration */
  ConvertCluster(File directory, String... settings) throws IOException {
    this(RepairCluster.start(conf(new HdfsConfiguration(), directory, settings), NODES));
  }

  private ConvertCluster(RepairCluster running) throws IOException {
    cluster = running;
    try {
      for (ECSchema schema : new ECSchema[] {new ECSchema("rs", 6, 3),
          new ECSchema("lrc-rs-l2", 6, 4), new ECSchema("hitchhiker-xorplus", 6, 3)}) {
        enable(schema, CELL);
      }
    } catch (IOException | RuntimeException | AssertionError e) {
      cluster.close();
      throw e;
    }
  }

  /** Starts a cluster with two NameNodes. The first one is active. */
  static ConvertCluster pair(File directory, String... settings) throws IOException {
    return new ConvertCluster(
        RepairCluster.startPair(conf(new HdfsConfiguration(), directory, settings), NODES));
  }

  /** Starts a cluster with Kerberos, block tokens, and privacy on all wires. */
  static ConvertCluster withPrivacy(Kerberos kerberos, File directory, String... settings)
      throws IOException {
    Configuration conf = conf(kerberos.configuration("privacy"), directory, settings);
    conf.set(CommonConfigurationKeys.HADOOP_RPC_PROTECTION, "privacy");
    // The tickets are those of localhost.
    conf.set(PprKeys.NAMENODE_RPC_ADDRESS_KEY, "localhost:" + FreePort.choose());
    Kerberos.logIn(conf);
    return new ConvertCluster(RepairCluster.start(conf, NODES));
  }

  private static Configuration conf(Configuration base, File directory, String... settings)
      throws IOException {
    Configuration conf = RepairCluster.configure(base, directory);
    conf.set("dfs.namenode.plugins", "org.hdfsppr.namenode.PprNameNodePlugin");
    conf.set(PprKeys.NAMENODE_RPC_ADDRESS_KEY, "127.0.0.1:" + FreePort.choose());
    conf.setInt(PprKeys.DATANODE_HEARTBEAT_MS_KEY, 100);
    for (int i = 0; i < settings.length; i += 2) {
      conf.set(settings[i], settings[i + 1]);
    }
    return conf;
  }

  /** Adds a policy and returns its name. */
  String add(ECSchema schema, int cellBytes) throws IOException {
    return cluster.fs.addErasureCodingPolicies(new ErasureCodingPolicy[] {
        new ErasureCodingPolicy(schema, cellBytes)})[0].getPolicy().getName();
  }

  String enable(ECSchema schema, int cellBytes) throws IOException {
    String name = add(schema, cellBytes);
    cluster.fs.enableErasureCodingPolicy(name);
    return name;
  }

  void awaitInCharge() {
    await("the plugin is in charge", () -> document("status").path("in_charge").asBoolean());
    awaitAgents(NODES);
  }

  /** Waits until the NameNode's plugin knows this number of DataNodes with the plugin. */
  void awaitAgents(int wanted) {
    await(wanted + " DataNodes take part",
        () -> document("status").path("agents").asInt() == wanted);
  }

  RepairCluster hdfs() {
    return cluster;
  }

  /** Writes a file of alice's below a directory, which gets a policy; null for a replicated one. */
  byte[] write(Path file, String policy, int bytes, long seed) throws IOException {
    cluster.fs.mkdirs(file.getParent());
    if (policy != null) {
      cluster.fs.setErasureCodingPolicy(file.getParent(), policy);
    }
    byte[] content = cluster.write(file, bytes, GROUP / 6, seed);
    cluster.fs.setOwner(file, "alice", "users");
    cluster.fs.setOwner(file.getParent(), "alice", "users");
    return content;
  }

  /** Reads a document of the active NameNode, whose web server must not want tickets. */
  JsonNode document(String name) {
    try {
      return new ObjectMapper().readTree(
          new URL(cluster.mini().getHttpUri(cluster.active()) + "/ppr/v1/" + name));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Runs {@code hdfs ppr} and returns its exit code. */
  int run(UserGroupInformation user, String... args) throws Exception {
    StringWriter outText = new StringWriter();
    StringWriter errText = new StringWriter();
    Configuration conf = cluster.clientConf();
    int code = user.doAs((PrivilegedExceptionAction<Integer>) () -> PprTool.run(() -> conf,
        new PrintWriter(outText), new PrintWriter(errText), args));
    out = outText.toString();
    err = errText.toString();
    return code;
  }

  String policy(Path path) throws IOException {
    return cluster.fs.getErasureCodingPolicy(path).getName();
  }

  String out() {
    return out;
  }

  String err() {
    return err;
  }

  /** Returns the last line of JSON that the command has written. */
  JsonNode last() throws IOException {
    String[] lines = out.split(System.lineSeparator());
    return new ObjectMapper().readTree(lines[lines.length - 1]);
  }

  @Override
  public void close() {
    cluster.close();
  }
}
