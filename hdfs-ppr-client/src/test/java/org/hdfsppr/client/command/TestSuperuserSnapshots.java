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
package org.hdfsppr.client.command;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ipc.GenericRefreshProtocol;
import org.apache.hadoop.ipc.ProtobufRpcEngine2;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.RefreshResponse;
import org.apache.hadoop.ipc.proto.GenericRefreshProtocolProtos.GenericRefreshProtocolService;
import org.apache.hadoop.ipc.protocolPB.GenericRefreshProtocolPB;
import org.apache.hadoop.ipc.protocolPB.GenericRefreshProtocolServerSideTranslatorPB;
import org.apache.hadoop.security.AccessControlException;
import org.hdfsppr.datanode.Snapshot;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What superusers' commands send to the two NameNodes, and what they print of the answers, is what
 * it was.
 */
@Timeout(120)
class TestSuperuserSnapshots {
  private static final Snapshot RECORDED = Snapshot.of("hdfs-ppr-client", "superuser");
  private static final String GROUP = "blk_-9223372036854775792";
  private static final String[][] COMMANDS = {{"-pause"}, {"-pause", "-for", "1h30m"}, {"-stock"},
      {"-stock", "-for", "2d"}, {"-resume"}, {"-pressure"}, {"-pressure", "urgent"},
      {"-pressure", "40"}, {"-prioritize", GROUP}, {"-readmit", "dn7:9866"}, {"-undoubt", GROUP},
      {"-undoubt", "-9"}};

  private final List<RPC.Server> servers = new ArrayList<>();
  /** The exit code of each NameNode. */
  private final int[] codes = {0, 0};
  private IOException failure;

  @BeforeEach
  void start() throws IOException {
    Configuration conf = new Configuration(false);
    RPC.setProtocolEngine(conf, GenericRefreshProtocolPB.class, ProtobufRpcEngine2.class);
    for (int i = 0; i < codes.length; i++) {
      int number = i;
      GenericRefreshProtocol nameNode = (identifier, args) -> answer(number, identifier, args);
      RPC.Server server = new RPC.Builder(conf).setProtocol(GenericRefreshProtocolPB.class)
          .setInstance(GenericRefreshProtocolService.newReflectiveBlockingService(
              new GenericRefreshProtocolServerSideTranslatorPB(nameNode)))
          .setBindAddress("localhost").setPort(0).setNumHandlers(1).build();
      server.start();
      servers.add(server);
    }
  }

  @AfterEach
  void stop() {
    servers.forEach(RPC.Server::stop);
    servers.clear();
  }

  private Collection<RefreshResponse> answer(int number, String identifier, String... args)
      throws IOException {
    if (failure != null) {
      throw failure;
    }
    RefreshResponse response = new RefreshResponse(codes[number],
        "I was asked '" + identifier + "' " + Arrays.toString(args));
    response.setSenderName("NameNode");
    return List.of(response);
  }

  private ToolRun tool() {
    Configuration conf = NameNodePair.of("nn1", "nn2");
    for (int i = 0; i < servers.size(); i++) {
      conf.set("dfs.namenode.rpc-address.ns.nn" + (i + 1),
          "localhost:" + servers.get(i).getListenerAddress().getPort());
    }
    return new ToolRun(conf);
  }

  @Test
  void commands() {
    Transcript text = new Transcript();
    for (String[] command : COMMANDS) {
      text.both(tool(), command);
    }
    RECORDED.assertSame("commands.txt", text.toString());
  }

  @Test
  void refusals() {
    Transcript text = new Transcript();
    for (int[] each : new int[][] {{0, 1}, {1, 0}, {1, 1}, {2, 2}, {0, 2}, {1, 2}, {-1, -1}}) {
      System.arraycopy(each, 0, codes, 0, codes.length);
      text.both(tool(), "-pressure", "soft");
    }
    for (IOException why : List.of(
        new AccessControlException("Superuser privilege is required\nat a.Class"),
        new IOException("something else"))) {
      failure = why;
      text.both(tool(), "-resume");
    }
    ToolRun withoutServers = tool();
    stop();
    text.both(withoutServers, "-resume");
    Configuration local = new Configuration(false);
    local.set("fs.defaultFS", "file:///");
    text.both(new ToolRun(local), "-resume");
    for (String command : List.of("-pause -for 1x", "-pause -for 0s", "-pause -for 9999d",
        "-stock more", "-resume more", "-prioritize", "-prioritize blk_x", "-prioritize blk_16",
        "-undoubt", "-undoubt file", "-readmit", "-pressure a b")) {
      text.run(new ToolRun(local), command.split(" "));
    }
    RECORDED.assertSame("refusals.txt", text.toString());
  }

  @Test
  void noOtherFilesAreThere() {
    RECORDED.assertFiles(List.of("commands.txt", "refusals.txt"));
  }
}
