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
package org.hdfsppr.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.nio.file.StandardCopyOption;
import java.security.PrivilegedExceptionAction;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.protocol.BlockLocalPathInfo;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.apache.hadoop.hdfs.protocol.datatransfer.sasl.SaslDataTransferTestCase;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.UserGroupInformation.AuthenticationMethod;
import org.apache.hadoop.security.ssl.SSLFactory;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.datanode.FreePort;
import org.hdfsppr.datanode.RepairCluster;
import org.hdfsppr.datanode.security.Kerberos;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The commands on a cluster with everything that a secure cluster has: Kerberos for RPC, SPNEGO and
 * HTTPS for the NameNode's pages, block tokens, and encrypted data transfer.
 */
@Timeout(180)
class TestCommandsUnderKerberos {
  private static final int NODES = 6;
  private static final int UNITS = 5;
  private static final int FILES = 3;
  private static final int CELL = 1 << 20;

  @TempDir
  private static File directory;
  private static Kerberos kerberos;
  private static java.nio.file.Path trust;
  private static RepairCluster cluster;
  private static Configuration client;
  private StringWriter out = new StringWriter();
  private StringWriter err = new StringWriter();

  @BeforeAll
  static void start() throws Exception {
    kerberos = Kerberos.start(TestCommandsUnderKerberos.class);
    Configuration conf = RepairCluster.configure(kerberos.configuration("privacy"), directory);
    String keytab = SaslDataTransferTestCase.getHdfsKeytab();
    conf.set(DFSConfigKeys.DFS_WEB_AUTHENTICATION_KERBEROS_KEYTAB_KEY, keytab);
    conf.set("hadoop.http.authentication.type", "kerberos");
    conf.set("hadoop.http.authentication.kerberos.principal",
        conf.get(DFSConfigKeys.DFS_WEB_AUTHENTICATION_KERBEROS_PRINCIPAL_KEY));
    conf.set("hadoop.http.authentication.kerberos.keytab", keytab);
    conf.set("dfs.namenode.plugins", "org.hdfsppr.namenode.PprNameNodePlugin");
    conf.set(PprKeys.NAMENODE_RPC_ADDRESS_KEY, "localhost:" + FreePort.choose());
    conf.setInt(PprKeys.DATANODE_HEARTBEAT_MS_KEY, 100);
    trust = trustStore(keytab);
    conf.set(SSLFactory.SSL_CLIENT_CONF_KEY, trust.getFileName().toString());
    Kerberos.logIn(conf);
    cluster = RepairCluster.start(conf, NODES);
    client = new Configuration(conf);
    client.set("fs.defaultFS", "hdfs://localhost:" + cluster.mini().getNameNodePort());
    client.set(DFSConfigKeys.DFS_NAMENODE_HTTPS_ADDRESS_KEY, "localhost:"
        + cluster.mini().getNameNode().getHttpsAddress().getPort());
  }

  @AfterAll
  static void stop() throws Exception {
    try {
      if (cluster != null) {
        cluster.close();
      }
    } finally {
      if (trust != null) {
        Files.deleteIfExists(trust);
      }
      kerberos.stop();
    }
  }

  /** Writes the client's settings of TLS to the class path, where Hadoop looks for them. */
  private static java.nio.file.Path trustStore(String keytab) throws Exception {
    URI classes = TestCommandsUnderKerberos.class.getProtectionDomain().getCodeSource()
        .getLocation().toURI();
    java.nio.file.Path file = Paths.get(classes).resolve("ssl-client-under-kerberos.xml");
    Configuration ssl = new Configuration(false);
    // The server's certificate is its own authority.
    ssl.set("ssl.client.truststore.location",
        Paths.get(keytab).resolveSibling("server.jks").toString());
    ssl.set("ssl.client.truststore.password", "changeit");
    try (OutputStream stream = Files.newOutputStream(file)) {
      ssl.writeXml(stream);
    }
    return file;
  }

  private int run(String... args) {
    out = new StringWriter();
    err = new StringWriter();
    return PprTool.run(() -> new Configuration(client), new PrintWriter(out),
        new PrintWriter(err), args);
  }

  private int runAs(UserGroupInformation user, String... args) throws Exception {
    return user.doAs((PrivilegedExceptionAction<Integer>) () -> run(args));
  }

  private JsonNode json(String... args) {
    assertEquals(0, run(args), out + " " + err);
    return document();
  }

  private JsonNode document() {
    try {
      return new ObjectMapper().readTree(out.toString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void assertSentence(String text, int code) {
    assertEquals(1, code, out + " " + err);
    assertTrue(err.toString().contains(text), err.toString());
    assertFalse(err.toString().contains("Exception"), err.toString());
    assertFalse(err.toString().contains("\tat "), err.toString());
    assertEquals("", out.toString());
  }

  @Test
  void aTicketOpensAllDocuments() throws Exception {
    RepairCluster.await("all DataNodes take part", () ->
        json("-status", "-json").get("agents").asInt() == NODES);
    JsonNode status = json("-status", "-json");
    assertTrue(status.get("in_charge").asBoolean(), status.toString());
    // Lists are made once in a second.
    RepairCluster.await("all DataNodes are listed", () ->
        json("-nodes", "-json").get("total").asInt() == NODES);
    RepairCluster.await("the NameNode has tried all repair ports", () -> {
      // It may find two versions on the class path of this test.
      run("-doctor", "-json");
      for (JsonNode finding : document().get("findings")) {
        if (finding.get("code").asText().equals("port_closed")) {
          assertEquals("ok", finding.get("severity").asText(), finding.toString());
          return !finding.get("text").asText().contains("still trying");
        }
      }
      return false;
    });
    Path file = write("/explained", 1);
    String group = cluster.groups(file).get(0).getBlock().getBlockName();
    // The plugin has never heard of a group that has lost nothing.
    assertEquals("unknown_group", json("-explain", group, "-json").get("cause").asText());
    assertEquals(0, run("-explain", file.toString()), err.toString());
    assertEquals(0, run("-groups"), err.toString());
    assertEquals(0, run("-doubts"), err.toString());

    // Any user may read, with a ticket of his own.
    UserGroupInformation user = Kerberos.user();
    assertEquals(0, runAs(user, "-status"), err.toString());
    assertEquals(0, runAs(user, "-explain", group), err.toString());
    assertSentence("Superuser privilege is required", runAs(user, "-pause"));
    assertTrue(json("-status", "-json").get("pause").isNull());
  }

  @Test
  void withoutATicketASentenceSaysWhatToDo() throws Exception {
    UserGroupInformation nobody = UserGroupInformation.createRemoteUser("nobody");
    nobody.setAuthenticationMethod(AuthenticationMethod.KERBEROS);
    for (String command : new String[] {"-status", "-nodes", "-doctor"}) {
      assertSentence("(401): get a Kerberos ticket with kinit", runAs(nobody, command));
    }
    assertEquals(1, runAs(nobody, "-status", "-json"));
    assertTrue(new ObjectMapper().readTree(out.toString()).get("error").asText()
        .contains("kinit"), out.toString());
    assertSentence("has not answered: ", runAs(nobody, "-pause"));
    assertEquals(1, runAs(nobody, "-verify", "/"), out.toString());
    assertFalse(err.toString().contains("\tat "), err.toString());
  }

  /** The superuser's commands go by RPC, and what they did is seen on the pages. */
  @Test
  void aSuperusersPauseExplainsALoss() throws Exception {
    Path file = write("/lost", 1);
    LocatedStripedBlock group = cluster.groups(file).get(0);
    String name = group.getBlock().getBlockName();
    assertEquals(0, run("-pause", "-for", "1h"), err.toString());
    try {
      RepairCluster.await("the pause is shown", () ->
          json("-status", "-json").get("pause").isObject());
      cluster.report(group, 1);
      RepairCluster.await("the group waits for the end of the pause", () ->
          json("-explain", name, "-json").get("cause").asText().equals("paused"));
    } finally {
      assertEquals(0, run("-resume"), err.toString());
    }
    RepairCluster.await("the group is whole", () ->
        json("-explain", name, "-json").get("cause").asText().equals("whole"));
    cluster.awaitUnits(file, UNITS);
    assertTrue(json("-status", "-json").get("pause").isNull());
    assertTrue(json("-status", "-json").get("repairs_done").asInt() > 0);
  }

  /** The trees of -verify need a token for each unit, and SASL on the repair ports. */
  @Test
  void filesAreVerifiedWithBlockTokens() throws Exception {
    assertTrue(client.getBoolean(DFSConfigKeys.DFS_BLOCK_ACCESS_TOKEN_ENABLE_KEY, false));
    Path file = write("/verified", FILES);
    JsonNode summary = json("-verify", "/verified", "-all-relations", "-json");
    assertEquals(FILES, summary.get("groups").asInt(), summary.toString());
    assertTrue(summary.get("fine").asBoolean(), summary.toString());
    // The NameNode leaves the group alone, so that only the command looks at it.
    assertEquals(0, run("-pause"), err.toString());
    try {
      LocatedStripedBlock group = cluster.groups(file).get(0);
      BlockLocalPathInfo wrong = replica(group, 3);
      BlockLocalPathInfo other = replica(group, 0);
      Files.copy(Paths.get(other.getBlockPath()), Paths.get(wrong.getBlockPath()),
          StandardCopyOption.REPLACE_EXISTING);
      Files.copy(Paths.get(other.getMetaPath()), Paths.get(wrong.getMetaPath()),
          StandardCopyOption.REPLACE_EXISTING);
      assertEquals(1, run("-verify", file.toString(), "-json"), out + " " + err);
      JsonNode finding = new ObjectMapper().readTree(out.toString().lines().findFirst().get());
      assertEquals("contradiction", finding.get("result").asText(), out.toString());
      assertEquals(3, finding.get("wrong_unit").asInt(), out.toString());
    } finally {
      assertEquals(0, run("-resume"), err.toString());
    }
  }

  private static BlockLocalPathInfo replica(LocatedStripedBlock group, int unit)
      throws IOException {
    return cluster.datanode(RepairCluster.holders(group).get(unit)).getFSDataset()
        .getBlockLocalPathInfo(RepairCluster.internalBlock(group, unit));
  }

  /** Writes files of one block group each, and returns the last one. */
  private static Path write(String folder, int files) throws IOException {
    Path parent = cluster.directory(folder, "RS-3-2-1024k");
    Path file = parent;
    for (int i = 0; i < files; i++) {
      file = new Path(parent, "f" + i);
      cluster.write(file, 3 * CELL, CELL, i);
      cluster.awaitUnits(file, UNITS);
    }
    return file;
  }
}
