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
package org.hdfsppr.client.files.call;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.ipc.ProtobufRpcEngine2;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.util.Time;
import org.hdfsppr.client.command.NameNodePair;
import org.hdfsppr.column.ColumnProtocol;
import org.hdfsppr.column.ColumnProtocolPB;
import org.hdfsppr.column.ColumnServerTranslator;
import org.hdfsppr.column.SquareBlocks;
import org.hdfsppr.column.proto.ColumnProtos.ColumnService;
import org.hdfsppr.plan.GroupId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The plugin of a NameNode without the jar of files has no protocol for users' commands. */
@Timeout(60)
class TestPluginWithoutFiles {
  private static RPC.Server server() throws IOException {
    Configuration conf = new Configuration(false);
    RPC.setProtocolEngine(conf, ColumnProtocolPB.class, ProtobufRpcEngine2.class);
    ColumnProtocol none = new ColumnProtocol() {
      @Override
      public List<LocatedBlock> column(GroupId group, int unit) {
        throw new AssertionError("no reader asks");
      }

      @Override
      public Optional<SquareBlocks> square(long blockGroup) {
        throw new AssertionError("no check asks");
      }
    };
    RPC.Server server = new RPC.Builder(conf).setProtocol(ColumnProtocolPB.class)
        .setInstance(ColumnService.newReflectiveBlockingService(new ColumnServerTranslator(none)))
        .setBindAddress("localhost").setPort(0).setNumHandlers(1).build();
    server.start();
    return server;
  }

  @Test
  void theSentenceNamesTheJarThatMayBeMissing() throws IOException {
    RPC.Server server = server();
    try {
      Configuration conf = NameNodePair.of("nn0", "nn1");
      for (String name : List.of("nn0", "nn1")) {
        conf.set("dfs.namenode.rpc-address.ns." + name, "localhost:1");
        conf.set("dfs.namenode.ppr.rpc-address.ns." + name,
            "localhost:" + server.getListenerAddress().getPort());
      }
      String why = "its hdfs-ppr has no files part (hdfs-ppr-files-namenode), or is older than this"
          + " command";
      assertEquals("No NameNode has answered. nn0: " + why + "; nn1: " + why,
          assertThrows(SilentPluginsException.class, () -> PluginCalls.of(conf, seconds -> false,
              Time::monotonicNow).call(plugin -> plugin.leftovers(false))).getMessage());
    } finally {
      server.stop();
    }
  }
}
