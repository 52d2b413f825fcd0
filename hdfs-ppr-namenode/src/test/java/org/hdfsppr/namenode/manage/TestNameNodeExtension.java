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
package org.hdfsppr.namenode.manage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.manage.RepairManagerProtocol;
import org.hdfsppr.namenode.extend.NameNodeBase;
import org.hdfsppr.namenode.extend.NameNodeExtension;
import org.hdfsppr.namenode.extend.NameNodeParts;
import org.hdfsppr.namenode.model.CoreGroupLookup;
import org.hdfsppr.namenode.rpc.RpcProtocol;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests when a NameNode's plugin asks an extension, and when it starts and ends its parts. */
@InterfaceAudience.Private
class TestNameNodeExtension {
  @TempDir
  private File directory;
  private final List<String> calls = new ArrayList<>();
  private int port;

  /** Parts that note each call. */
  private final class Noted implements NameNodeParts {
    @Override
    public List<RpcProtocol<?>> protocols() {
      calls.add("protocols");
      return List.of();
    }

    @Override
    public void start(Supplier<? extends ClientProtocol> namenode) {
      calls.add("start");
    }

    @Override
    public CoreGroupLookup book() {
      calls.add("book");
      return CoreGroupLookup.NONE;
    }

    @Override
    public Optional<String> explain(String path) {
      return Optional.of("It is " + path + ".");
    }

    @Override
    public void close() {
      calls.add(isOpen() ? "close" : "close, but DataNodes cannot call any more");
    }
  }

  private boolean isOpen() {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return socket.isConnected();
    } catch (ConnectException e) {
      return false;
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private MiniDFSCluster cluster(Configuration conf) throws IOException {
    return new MiniDFSCluster.Builder(conf, directory).numDataNodes(0).build();
  }

  private static Configuration conf() {
    Configuration conf = new HdfsConfiguration();
    conf.set(PprKeys.NAMENODE_RPC_ADDRESS_KEY, "127.0.0.1:0");
    return conf;
  }

  private ManagerService start(FSNamesystem namesystem, Configuration conf,
      NameNodeExtension.Setup setup) throws IOException {
    return ManagerService.start(namesystem, conf, setup, RepairManagerProtocol.KEPT_MS_MAX);
  }

  @Test
  void itsPartsStartLastAndEndFirst() throws Exception {
    Configuration conf = conf();
    AtomicReference<NameNodeBase> given = new AtomicReference<>();
    try (MiniDFSCluster cluster = cluster(conf)) {
      FSNamesystem namesystem = cluster.getNamesystem();
      ManagerService service = start(namesystem, conf, base -> {
        given.set(base);
        calls.add("open");
        return new Noted();
      });
      port = service.port();
      assertEquals(List.of("open", "protocols"), calls);
      NameNodeBase base = given.get();
      assertSame(namesystem, base.namesystem);
      assertSame(service.metrics, base.metrics);
      assertNotNull(base.manager.lastStatus());
      assertEquals(Optional.empty(), base.view.versionOf(-16), "no block has this id");
      service.startExtension(cluster::getNameNodeRpc);
      assertEquals(List.of("open", "protocols", "start", "book"), calls);
      service.close();
      service.close();
      assertEquals(List.of("open", "protocols", "start", "book", "close"), calls);
      assertFalse(isOpen());
    }
  }

  @Test
  void itExplainsTheFilesThatAreNoUsers() throws Exception {
    Configuration conf = conf();
    AtomicReference<NameNodeBase> given = new AtomicReference<>();
    try (MiniDFSCluster cluster =
        new MiniDFSCluster.Builder(conf, directory).numDataNodes(1).build()) {
      Path file = new Path("/file");
      DFSTestUtil.createFile(cluster.getFileSystem(), file, 10, (short) 1, 1);
      try (ManagerService service = start(cluster.getNamesystem(), conf, base -> {
        given.set(base);
        return new Noted();
      })) {
        assertTrue(service.port() > 0);
        long block = DFSTestUtil.getFirstBlock(cluster.getFileSystem(), file).getBlockId();
        assertEquals(Optional.of("It is /file."), given.get().view.versionOf(block));
      }
    }
  }

  /** A service that ends before its NameNode is ready has no parts to end. */
  @Test
  void partsThatWereNeverStartedAreNotClosed() throws Exception {
    Configuration conf = conf();
    try (MiniDFSCluster cluster = cluster(conf)) {
      start(cluster.getNamesystem(), conf, base -> new Noted()).close();
      assertEquals(List.of("protocols"), calls);
    }
  }

  @Test
  void nothingIsLeftWhereItsPartsCannotBeMade() throws Exception {
    Configuration conf = conf();
    try (MiniDFSCluster cluster = cluster(conf)) {
      FSNamesystem namesystem = cluster.getNamesystem();
      IllegalStateException e = assertThrows(IllegalStateException.class,
          () -> start(namesystem, conf, base -> {
            throw new IllegalStateException("thrown on purpose");
          }));
      assertEquals("thrown on purpose", e.getMessage());
      // The queue and the names of the metrics are free again.
      try (ManagerService service = start(namesystem, conf, NameNodeExtension.NONE.read(conf))) {
        assertTrue(service.port() > 0);
        service.startExtension(cluster::getNameNodeRpc);
        assertSame(NameNodeParts.NONE, service.parts);
      }
    }
  }
}
