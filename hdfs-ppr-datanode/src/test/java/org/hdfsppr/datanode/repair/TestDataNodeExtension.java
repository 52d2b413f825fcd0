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
package org.hdfsppr.datanode.repair;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ScheduledExecutorService;
import java.util.stream.Collectors;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.datanode.FreePort;
import org.hdfsppr.datanode.RepairCluster;
import org.hdfsppr.datanode.host.LocalUnits;
import org.hdfsppr.datanode.server.OpHandler;
import org.hdfsppr.manage.CommandFeatures;
import org.hdfsppr.manage.OldReads;
import org.hdfsppr.stream.PeerConnection;
import org.hdfsppr.stream.UnitSource;
import org.hdfsppr.wire.ChannelInput;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests when a DataNode calls what a second jar adds, and what is left if the jar fails. */
@InterfaceAudience.Private
@Timeout(120)
class TestDataNodeExtension {
  private static final ExtendedBlock UNIT = new ExtendedBlock("BP-1", -16, 5, 1 << 62);
  private static final int UNIT_BYTES = 7;
  private static final long REPAIRS_ALONE = CommandFeatures.DOUBTED | CommandFeatures.BLOCKS
      | CommandFeatures.SCRUB | CommandFeatures.CORE | CommandFeatures.CHECK_QUEUE;

  @TempDir
  private static File directory;
  private static RepairCluster cluster;
  private static DataNode datanode;

  @BeforeAll
  static void start() throws IOException {
    Configuration conf = RepairCluster.configuration(directory);
    conf.unset("dfs.datanode.plugins");
    cluster = RepairCluster.start(conf, 1);
    datanode = cluster.mini().getDataNodes().get(0);
  }

  @AfterAll
  static void stop() throws IOException {
    cluster.close();
  }

  /** Takes notes of the calls, and fails at one of them. */
  private static final class Noted implements DataNodeExtension, DataNodeExtension.Setup,
      DataNodeExtension.Parts {
    private final List<String> calls = new ArrayList<>();
    private final String fails;
    private Base base;

    Noted(String fails) {
      this.fails = fails;
    }

    private void note(String call) {
      calls.add(call);
      if (call.equals(fails)) {
        throw new IllegalStateException(call);
      }
    }

    @Override
    public Setup read(Configuration conf) {
      note("read");
      return this;
    }

    @Override
    public LocalUnits localUnits() {
      return block -> !block.equals(UNIT) ? null : new UnitSource() {
        @Override
        public long length() {
          return UNIT_BYTES;
        }

        @Override
        public void read(long offset, ByteBuffer dst) {
          dst.position(dst.limit());
        }

        @Override
        public void close() {
          // There is no file.
        }
      };
    }

    @Override
    public Parts open(Base parts) {
      base = parts;
      note("open");
      return this;
    }

    @Override
    public List<OpHandler> handlers() {
      note("handlers");
      return List.of(new OpHandler() {
        @Override
        public int opcode() {
          return 1;
        }

        @Override
        public Op read(ChannelInput in, PeerConnection connection) throws IOException {
          throw new IOException("the test sends no request");
        }

        @Override
        public void close() {
          note("close handler");
        }
      });
    }

    @Override
    public long commandFeatures() {
      return CommandFeatures.UPDATE_LOG;
    }

    @Override
    public void start(ScheduledExecutorService timer) {
      assertSame(base.timer, timer);
      note("start");
    }

    @Override
    public void close() {
      note("close");
    }

    @Override
    public boolean awaitEnd(long timeoutMs) {
      note("await end");
      return true;
    }
  }

  private static Set<String> threads() {
    return Thread.getAllStackTraces().keySet().stream().map(Thread::getName)
        .filter(name -> name.startsWith("ppr-")).collect(Collectors.toSet());
  }

  @Test
  void aSecondJarStartsBeforeTheServerAndStopsBeforeIt() throws IOException {
    Noted added = new Noted(null);
    RepairService service =
        RepairService.start(datanode, RepairSettings.of(datanode.getConf()), added);
    try {
      assertEquals(List.of("read", "open", "handlers", "start"), added.calls);
      assertEquals(service.port(), added.base.port);
      assertFalse(added.base.hasRepairs.getAsBoolean());
      assertEquals(UNIT_BYTES, added.base.helping.openLocal(UNIT).length());
      assertEquals(REPAIRS_ALONE | CommandFeatures.UPDATE_LOG, service.commandFeatures());
    } finally {
      service.stop();
    }
    assertEquals(List.of("close", "close handler", "await end"),
        added.calls.subList(4, added.calls.size()));
    assertTrue(added.base.timer.isShutdown());
  }

  @ParameterizedTest
  @ValueSource(strings = {"read", "open", "handlers", "start"})
  void aSecondJarThatFailsLeavesNeitherAPortNorAThread(String call) throws IOException {
    Configuration conf = new Configuration(datanode.getConf());
    int port = FreePort.choose();
    conf.set(PprKeys.DATANODE_ADDRESS_KEY, "127.0.0.1:" + port);
    RepairSettings settings = RepairSettings.of(conf);
    Set<String> before = threads();
    Noted added = new Noted(call);
    assertEquals(call, assertThrows(IllegalStateException.class,
        () -> RepairService.start(datanode, settings, added)).getMessage());
    try (ServerSocket free = new ServerSocket()) {
      free.bind(new InetSocketAddress("127.0.0.1", port));
    }
    assertEquals(before, threads());
    boolean isOpen = call.equals("handlers") || call.equals("start");
    assertEquals(isOpen, added.calls.contains("close"), added.calls.toString());
    assertTrue(added.base == null || added.base.timer.isShutdown());
  }

  @Test
  void withoutASecondJarANodeRepairsAndChecks() throws IOException {
    RepairService service = RepairService.start(datanode,
        RepairSettings.of(datanode.getConf()), DataNodeExtension.NONE);
    try {
      assertEquals(REPAIRS_ALONE, service.commandFeatures());
      assertSame(OldReads.UNSAID, service.parts.heartbeatNotes().next());
    } finally {
      service.stop();
    }
  }
}
