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
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.Closeable;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.Collections;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.PprFileSystem;
import org.apache.hadoop.hdfs.server.federation.resolver.MountTableResolver;
import org.apache.hadoop.hdfs.server.federation.router.RBFConfigKeys;
import org.apache.hadoop.hdfs.server.federation.router.Router;
import org.apache.hadoop.hdfs.server.federation.store.MountTableStore;
import org.apache.hadoop.hdfs.server.federation.store.driver.impl.StateStoreFileImpl;
import org.apache.hadoop.hdfs.server.federation.store.protocol.AddMountTableEntryRequest;
import org.apache.hadoop.hdfs.server.federation.store.records.MountTable;
import org.apache.hadoop.service.Service;
import org.apache.hadoop.util.VersionInfo;
import org.hdfsppr.datanode.RepairCluster;

/**
 * A Router of Hadoop's federation. Its clients see one directory of a cluster as {@code /outside}.
 */
public final class RouterBefore implements Closeable {
  private static final String NAMESERVICE = "ns0";

  private final Router router;
  /** The configuration of a client that knows the Router only */
  public final Configuration conf;

  private RouterBefore(Router router, Configuration conf) {
    this.router = router;
    this.conf = conf;
  }

  /**
   * Skips a test where the Router cannot run: Maven Central has none of Hadoop 3.5, and that of 3.4
   * needs a library that Hadoop 3.5 has no more.
   */
  public static void assumeRuns() {
    boolean isThere = RouterBefore.class.getClassLoader()
        .getResource("org/codehaus/jettison/json/JSONException.class") != null;
    assumeTrue(isThere, "SKIPPED: the Router does not run with the libraries of Hadoop "
        + VersionInfo.getVersion());
  }

  /**
   * Starts a Router, and waits until it has found the NameNode.
   *
   * @param directory for files of the Router
   * @param client the configuration of a client of the cluster
   * @param mounted a directory of the cluster with a file of this name
   */
  public static RouterBefore start(RepairCluster cluster, Path directory, Configuration client,
      String mounted, String file) throws Exception {
    Router router = start(cluster, directory, mounted);
    Configuration conf = new Configuration(client);
    RouterBefore made = new RouterBefore(router, conf);
    conf.set("fs.defaultFS", "hdfs://" + made.address());
    conf.set("fs.hdfs.impl", PprFileSystem.class.getName());
    RepairCluster.await("the Router finds the active NameNode", () -> {
      try (FileSystem fs = FileSystem.newInstance(conf)) {
        return fs.exists(new org.apache.hadoop.fs.Path("/outside", file));
      } catch (IOException e) {
        return false;
      }
    });
    return made;
  }

  private static Router start(RepairCluster cluster, Path directory, String mounted)
      throws Exception {
    Configuration settings = new Configuration(false);
    settings.set("dfs.nameservices", NAMESERVICE);
    settings.set("dfs.namenode.rpc-address." + NAMESERVICE,
        cluster.fs.getUri().getAuthority());
    settings.set("dfs.namenode.http-address." + NAMESERVICE,
        cluster.mini().getNameNode().getHttpAddress().getHostName() + ":"
            + cluster.mini().getNameNode().getHttpAddress().getPort());
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
            Collections.singletonMap(NAMESERVICE, mounted))));
    made.getStateStore().refreshCaches(true);
    ((MountTableResolver) made.getSubclusterResolver()).loadCache(true);
    return made;
  }

  public String address() {
    return "127.0.0.1:" + router.getRpcServerAddress().getPort();
  }

  /** Reads a file of {@code /outside}. */
  public static byte[] read(Configuration conf, String file, int bytes) throws IOException {
    byte[] read = new byte[bytes];
    try (FileSystem fs = FileSystem.newInstance(conf);
        FSDataInputStream in = fs.open(new org.apache.hadoop.fs.Path("/outside", file))) {
      in.readFully(0, read);
    }
    return read;
  }

  /** Runs a command that is refused, and returns the sentence. */
  public String refused(String... args) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    assertEquals(1, PprTool.run(() -> conf, new PrintWriter(out), new PrintWriter(err), args),
        out.toString() + err);
    assertEquals(1, err.toString().lines().count(), err.toString());
    assertTrue(out.toString().isEmpty(), out.toString());
    return err.toString();
  }

  @Override
  public void close() {
    router.stop();
  }
}
