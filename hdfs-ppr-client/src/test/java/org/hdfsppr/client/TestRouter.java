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

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.PprDFSClient;
import org.apache.hadoop.hdfs.PprFileSystem;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.apache.hadoop.hdfs.server.federation.resolver.MountTableResolver;
import org.apache.hadoop.hdfs.server.federation.router.RBFConfigKeys;
import org.apache.hadoop.hdfs.server.federation.router.Router;
import org.apache.hadoop.hdfs.server.federation.store.MountTableStore;
import org.apache.hadoop.hdfs.server.federation.store.driver.impl.StateStoreFileImpl;
import org.apache.hadoop.hdfs.server.federation.store.protocol.AddMountTableEntryRequest;
import org.apache.hadoop.hdfs.server.federation.store.records.MountTable;
import org.apache.hadoop.service.Service;
import org.hdfsppr.client.read.ReadCounters;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.datanode.RepairCluster;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A Router of Hadoop's federation before a cluster with both plugins. Plain and degraded reads work
 * through it; all else that hdfs-ppr does is refused with a sentence, because the plugin knows
 * other paths than the Router.
 */
@Timeout(300)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TestRouter {
  private static final String NAMESERVICE = "ns0";
  private static final String POLICY = UpdateCluster.POLICY;

  @TempDir
  static Path directory;
  private UpdateCluster cluster;
  private Router router;
  private Configuration conf;
  private byte[] content;

  @BeforeAll
  void start() throws Exception {
    cluster = UpdateCluster.start(directory.resolve("cluster"));
    content = cluster.write("file", 1);
    router = router();
    conf = new Configuration(cluster.clientConf());
    conf.unset(PprKeys.CLIENT_UPDATES_KEY);
    conf.set("fs.defaultFS", "hdfs://" + address());
    conf.set("fs.hdfs.impl", PprFileSystem.class.getName());
    RepairCluster.await("the Router finds the active NameNode", () -> {
      try (FileSystem fs = FileSystem.newInstance(conf)) {
        return fs.exists(new org.apache.hadoop.fs.Path("/outside/file"));
      } catch (IOException e) {
        return false;
      }
    });
  }

  private String address() {
    return "127.0.0.1:" + router.getRpcServerAddress().getPort();
  }

  private Router router() throws Exception {
    Configuration settings = new Configuration(false);
    settings.set("dfs.nameservices", NAMESERVICE);
    settings.set("dfs.namenode.rpc-address." + NAMESERVICE,
        cluster.hdfs().fs.getUri().getAuthority());
    settings.set("dfs.namenode.http-address." + NAMESERVICE,
        cluster.hdfs().mini().getNameNode().getHttpAddress().getHostName() + ":"
            + cluster.hdfs().mini().getNameNode().getHttpAddress().getPort());
    settings.set(RBFConfigKeys.DFS_ROUTER_MONITOR_NAMENODE, NAMESERVICE);
    settings.setLong(RBFConfigKeys.DFS_ROUTER_HEARTBEAT_INTERVAL_MS, 500);
    settings.setBoolean(RBFConfigKeys.DFS_ROUTER_MONITOR_LOCAL_NAMENODE, false);
    settings.set(RBFConfigKeys.DFS_ROUTER_RPC_ADDRESS_KEY, "127.0.0.1:0");
    settings.set(RBFConfigKeys.DFS_ROUTER_ADMIN_ADDRESS_KEY, "127.0.0.1:0");
    settings.setBoolean(RBFConfigKeys.DFS_ROUTER_HTTP_ENABLE, false);
    settings.setBoolean(RBFConfigKeys.DFS_ROUTER_SAFEMODE_ENABLE, false);
    settings.setBoolean(RBFConfigKeys.DFS_ROUTER_METRICS_ENABLE, false);
    settings.setClass(RBFConfigKeys.FEDERATION_STORE_DRIVER_CLASS, StateStoreFileImpl.class,
        Object.class);
    settings.set("dfs.federation.router.store.driver.file.directory",
        directory.resolve("store").toString());
    Router made = new Router();
    made.init(settings);
    made.start();
    assertEquals(Service.STATE.STARTED, made.getServiceState());
    made.getStateStore().getRegisteredRecordStore(MountTableStore.class).addMountTableEntry(
        AddMountTableEntryRequest.newInstance(MountTable.newInstance("/outside",
            Collections.singletonMap(NAMESERVICE, UpdateCluster.DIRECTORY))));
    made.getStateStore().refreshCaches(true);
    ((MountTableResolver) made.getSubclusterResolver()).loadCache(true);
    return made;
  }

  @AfterAll
  void stop() throws Exception {
    router.stop();
    cluster.close();
  }

  private byte[] read(Configuration with) throws IOException {
    byte[] read = new byte[content.length];
    try (FileSystem fs = FileSystem.newInstance(with);
        FSDataInputStream in = fs.open(new org.apache.hadoop.fs.Path("/outside/file"))) {
      in.readFully(0, read);
    }
    return read;
  }

  private String refused(int code, String... args) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    assertEquals(code, PprTool.run(() -> conf, new PrintWriter(out), new PrintWriter(err), args),
        out.toString() + err);
    assertEquals(1, err.toString().lines().count(), err.toString());
    return err.toString();
  }

  @Test
  void plainAndDegradedReadsWork() throws IOException {
    assertArrayEquals(content, read(conf));
    LocatedStripedBlock group = cluster.hdfs().groups(UpdateCluster.path("file")).get(0);
    cluster.kill(RepairCluster.holders(group).get(1));
    byte[] read = new byte[content.length];
    try (PprFileSystem fs = (PprFileSystem) FileSystem.newInstance(conf);
        FSDataInputStream in = fs.open(new org.apache.hadoop.fs.Path("/outside/file"))) {
      in.readFully(0, read);
      ReadCounters counters = ((PprDFSClient) fs.getClient()).readContext().counters;
      assertTrue(counters.trees() + counters.decodes() > 0, "the read was degraded");
    }
    assertArrayEquals(content, read);
  }

  /** The plugin answers on this host, too, and must not be taken for the Router's. */
  @Test
  void whatNeedsThePluginIsRefused() {
    for (List<String> args : List.of(List.of("-convert", "-policy", POLICY, "/outside/file"),
        List.of("-updatable", "/outside"), List.of("-commit", "/outside/file"),
        List.of("-updates", "/outside/file"), List.of("-core", "-protect", "/outside"),
        List.of("-core", "-status"), List.of("-core", "-check", "/outside"),
        List.of("-update", "/outside/file", "-offset", "0", "-from", "/dev/null"),
        List.of("-nbd", "/outside/file", "--unix", directory.resolve("s").toString()),
        List.of("-nbd", "--read-only", "/outside/file", "--unix",
            directory.resolve("s").toString()),
        List.of("-D", PprKeys.CLIENT_UPDATES_KEY + "=false", "-nbd", "--read-only",
            "/outside/file", "--unix", directory.resolve("s").toString()))) {
      String said = refused(1, args.toArray(new String[0]));
      assertTrue(said.contains("hdfs://" + address() + " is a Router"), args + ": " + said);
      assertTrue(said.contains("-fs hdfs://NAMESERVICE"), args + ": " + said);
    }
    String said = refused(1, "-pause");
    assertTrue(said.contains("it is a Router and no NameNode"), said);
  }

  /** Without this, a client that has to see updates would read bytes without them. */
  @Test
  void aClientThatSeesUpdatesOpensNothing() {
    Configuration seeing = new Configuration(conf);
    seeing.setBoolean(PprKeys.CLIENT_UPDATES_KEY, true);
    IOException e = assertThrows(IOException.class, () -> read(seeing));
    assertTrue(e.getMessage().contains("is a Router") && e.getMessage().contains(
        PprKeys.CLIENT_UPDATES_KEY), e.getMessage());
  }
}
