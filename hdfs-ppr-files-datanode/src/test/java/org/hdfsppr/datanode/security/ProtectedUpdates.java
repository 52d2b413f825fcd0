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
package org.hdfsppr.datanode.security;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.File;
import java.io.IOException;
import java.net.Socket;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier.AccessMode;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.security.token.Token;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.datanode.RepairCluster;
import org.hdfsppr.datanode.host.DataNodeConnector;
import org.hdfsppr.plan.BlockRef;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.stream.LocalServers;
import org.hdfsppr.stream.TransferConnection;
import org.hdfsppr.update.append.AppendRequest;
import org.hdfsppr.update.append.Payload;
import org.hdfsppr.update.append.ReadLogRequest;
import org.hdfsppr.update.append.SignedTicket;
import org.hdfsppr.update.append.UnitId;
import org.hdfsppr.update.append.UpdateAnswer;
import org.hdfsppr.update.append.UpdateFraming;
import org.hdfsppr.update.append.UpdateRequest;
import org.hdfsppr.update.append.UpdateStatus;
import org.hdfsppr.update.append.UpdateTicket;
import org.hdfsppr.wire.ChannelInput;

/**
 * Updates of the greatest length on a cluster whose data transfer is protected as its configuration
 * says: from a client to a leader, to a follower, and back.
 */
@InterfaceAudience.Private
final class ProtectedUpdates {
  private static final byte[] NO_DATA = new byte[0];

  private final Configuration conf;
  private final File directory;

  ProtectedUpdates(Configuration conf, File directory) {
    this.conf = RepairCluster.configure(conf, directory);
    this.directory = directory;
  }

  private static NodeRef node(DataNode datanode) {
    return new NodeRef(datanode.getDatanodeUuid(), "127.0.0.1", "localhost",
        datanode.getXferPort(), LocalServers.port(datanode.getXferPort()), "/default-rack");
  }

  private static byte[] ask(DataNode from, NodeRef to, UpdateRequest request, byte[] data)
      throws IOException {
    TransferConnection connection = new DataNodeConnector(from, 10_000).connect(to,
        request.ticket().block.toExtendedBlock(), request.signed().token);
    try {
      connection.setTimeout(60_000);
      UpdateFraming.write(connection.out(), request, data);
      ChannelInput in = new ChannelInput(connection.in());
      UpdateAnswer answer = UpdateFraming.readAnswer(in, request);
      assertEquals(UpdateStatus.DONE, answer.status, answer.toString());
      return UpdateFraming.readData(in, answer.payload);
    } finally {
      connection.close();
    }
  }

  /** Writes and reads the updates. */
  void run() throws Exception {
    Configuration[] each = new Configuration[2];
    for (int i = 0; i < each.length; i++) {
      each[i] = new Configuration(false);
      each[i].set(PprKeys.DATANODE_UPDATE_LOG_DIR_KEY,
          new File(directory, "log-" + i).getAbsolutePath());
    }
    MiniDFSCluster mini = new MiniDFSCluster.Builder(conf).numDataNodes(2)
        .dataNodeConfOverlays(each).build();
    mini.waitActive();
    try (RepairCluster cluster = RepairCluster.of(mini, mini.getFileSystem())) {
      List<DataNode> nodes = cluster.mini().getDataNodes();
      NodeRef leader = node(nodes.get(0));
      NodeRef follower = node(nodes.get(1));
      UpdateTicket ticket = new UpdateTicket(new UnitId(new UUID(1, 1), 0, 0),
          new BlockRef(cluster.mini().getNamesystem().getBlockPoolId(), -16, 7, 8 << 20), 1, 0, 1,
          List.of(leader, follower)).withSeal();
      SignedTicket client = signed(cluster, ticket, AccessMode.WRITE);
      byte[] data = new byte[4 << 20];
      new Random(5).nextBytes(data);
      for (int i = 0; i < 2; i++) {
        ask(nodes.get(1), leader, new AppendRequest(client, i, true, Payload.of(data)), data);
      }
      assertArrayEquals(data, ask(nodes.get(0), follower,
          new ReadLogRequest(signed(cluster, ticket, AccessMode.COPY), 1, data.length), NO_DATA));
      assertStrangerIsDropped(leader, new AppendRequest(client, 0, true, Payload.of(data)), data);
    }
  }

  private static SignedTicket signed(RepairCluster cluster, UpdateTicket ticket, AccessMode mode)
      throws IOException {
    SignedTicket unsigned = SignedTicket.of(ticket, new Token<>());
    return unsigned.with(cluster.mini().getNamesystem().getBlockManager()
        .getBlockTokenSecretManager().generateToken("user", unsigned.tokenBlock(),
            unsigned.tokenModes(mode), StorageType.EMPTY_ARRAY,
            new String[] {unsigned.mark(mode)}));
  }

  /** Checks that a caller without a handshake gets no answer, even with a valid ticket. */
  private static void assertStrangerIsDropped(NodeRef leader, AppendRequest request, byte[] data)
      throws IOException {
    try (Socket socket = new Socket("127.0.0.1", leader.repairPort)) {
      socket.setSoTimeout(60_000);
      assertThrows(IOException.class, () -> {
        UpdateFraming.write(socket.getOutputStream(), request, data);
        UpdateFraming.readAnswer(new ChannelInput(socket.getInputStream()), request);
      });
    }
  }
}
