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
package org.hdfsppr.datanode.update;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.UUID;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier.AccessMode;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenSecretManager;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.security.token.Token;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.datanode.RepairCluster;
import org.hdfsppr.datanode.host.TicketTokens;
import org.hdfsppr.datanode.update.log.LogLimits;
import org.hdfsppr.plan.BlockRef;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.stream.LocalServers;
import org.hdfsppr.update.append.AppendRequest;
import org.hdfsppr.update.append.Payload;
import org.hdfsppr.update.append.ReadLogRequest;
import org.hdfsppr.update.append.ShownTickets;
import org.hdfsppr.update.append.SignedTicket;
import org.hdfsppr.update.append.Ticket;
import org.hdfsppr.update.append.TrimRequest;
import org.hdfsppr.update.append.UnitId;
import org.hdfsppr.update.append.UpdateAnswer;
import org.hdfsppr.update.append.UpdateFraming;
import org.hdfsppr.update.append.UpdateRequest;
import org.hdfsppr.update.append.UpdateStatus;
import org.hdfsppr.wire.ChannelInput;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests updates at the plugin's port of DataNodes that share block keys with a NameNode: which
 * callers may write, which are peers, and what the settings do.
 */
@InterfaceAudience.Private
@Timeout(180)
class TestUpdateTickets {
  private static final byte[] DATA = {1, 2, 3};
  private static final byte[] NO_DATA = new byte[0];
  private static int files;

  @TempDir
  static Path directory;
  private static RepairCluster cluster;

  @BeforeAll
  static void start() throws IOException {
    Configuration conf = RepairCluster.configuration(directory.resolve("mini").toFile());
    conf.setBoolean(DFSConfigKeys.DFS_BLOCK_ACCESS_TOKEN_ENABLE_KEY, true);
    Configuration[] each = new Configuration[3];
    for (int i = 0; i < each.length; i++) {
      each[i] = new Configuration(false);
      if (i < 2) {
        each[i].set(PprKeys.DATANODE_UPDATE_LOG_DIR_KEY, log(i).toString());
      }
    }
    MiniDFSCluster mini = new MiniDFSCluster.Builder(conf).numDataNodes(3)
        .dataNodeConfOverlays(each).build();
    mini.waitActive();
    cluster = RepairCluster.of(mini, mini.getFileSystem());
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  private static Path log(int number) {
    return directory.resolve("log-" + number);
  }

  private static DataNode datanode(int number) {
    return cluster.mini().getDataNodes().get(number);
  }

  private static String pool() {
    return cluster.mini().getNamesystem().getBlockPoolId();
  }

  private static NodeRef node(int number) {
    DataNode datanode = datanode(number);
    return new NodeRef(datanode.getDatanodeUuid(), "127.0.0.1", "localhost",
        datanode.getXferPort(), LocalServers.port(datanode.getXferPort()), "/default-rack");
  }

  private static Ticket ticket(String pool, NodeRef... holders) {
    files++;
    return new Ticket(new UnitId(new UUID(1, files), 0, 0), new BlockRef(pool, -16, 7, 1000),
        files, 0, 1, Arrays.asList(holders));
  }

  private static Ticket ticket() {
    return ticket(pool(), node(0), node(1));
  }

  /** Returns a ticket as a NameNode would make it for a client, with a few changes. */
  private static SignedTicket signed(Ticket ticket, Ticket marked, AccessMode mode)
      throws IOException {
    BlockTokenSecretManager keys =
        cluster.mini().getNamesystem().getBlockManager().getBlockTokenSecretManager();
    Token<BlockTokenIdentifier> token = keys.generateToken("user",
        ticket.block().toExtendedBlock(), EnumSet.of(mode), StorageType.EMPTY_ARRAY,
        marked == null ? new String[0]
            : new String[] {SignedTicket.of(marked, new Token<>()).mark()});
    return SignedTicket.of(ticket, token);
  }

  private static SignedTicket signed(Ticket ticket, AccessMode mode) throws IOException {
    return signed(ticket, ticket, mode);
  }

  private static UpdateAnswer ask(int node, UpdateRequest request, byte[] data)
      throws IOException {
    try (Socket socket = new Socket("127.0.0.1", node(node).repairPort())) {
      socket.setSoTimeout(60_000);
      return HolderServer.ask(socket, request, data);
    }
  }

  private static UpdateAnswer append(SignedTicket ticket) throws IOException {
    return ask(0, new AppendRequest(ticket, 0, true, Payload.of(DATA)), DATA);
  }

  @Test
  void ticketOfTheNameNodeLetsAClientWrite() throws IOException {
    Ticket ticket = ticket();
    UpdateAnswer answer = append(signed(ticket, AccessMode.WRITE));
    assertEquals(UpdateStatus.DONE, answer.status(), answer.toString());
    for (int i = 0; i < 2; i++) {
      UpdateAnswer read = ask(i, new ReadLogRequest(signed(ticket, AccessMode.COPY), 0, 100),
          NO_DATA);
      assertEquals(1, read.records().size(), read.toString());
      assertTrue(Files.isDirectory(log(i).resolve(pool())));
    }
  }

  @Test
  void dataNodesKnowEachOther() throws IOException {
    Ticket ticket = ticket();
    String mark = SignedTicket.of(ticket, new Token<>()).mark();
    Token<BlockTokenIdentifier> token = datanode(2).getBlockAccessToken(
        ticket.block().toExtendedBlock(), EnumSet.of(AccessMode.COPY), StorageType.EMPTY_ARRAY,
        new String[] {mark});
    UpdateAnswer answer =
        ask(0, new ReadLogRequest(SignedTicket.of(ticket, token), 0, 0), NO_DATA);
    assertEquals(UpdateStatus.DONE, answer.status(), answer.toString());
  }

  @Test
  void othersAreRefused() throws IOException {
    Ticket ticket = ticket();
    List<SignedTicket> wrong = Arrays.asList(
        SignedTicket.of(ticket, new Token<>()),
        SignedTicket.of(ticket, BlockTokenSecretManager.DUMMY_TOKEN),
        signed(ticket, AccessMode.READ),
        // As HDFS gives it to a writer of the block.
        signed(ticket, null, AccessMode.WRITE),
        // For another ticket of the same block.
        signed(ticket, ticket(), AccessMode.WRITE),
        // For another block.
        SignedTicket.of(ticket, signed(new Ticket(ticket.unit(), new BlockRef(pool(), -32, 7, 9),
            1, 0, 1, ticket.holders()), ticket, AccessMode.WRITE).token()),
        signed(ticket("BP-other", node(0), node(1)), AccessMode.WRITE));
    for (SignedTicket each : wrong) {
      UpdateAnswer answer = append(each);
      assertEquals(UpdateStatus.REFUSED, answer.status(), answer.toString());
      assertEquals("no right to ask", answer.message());
    }
    // A client is no peer.
    SignedTicket client = signed(ticket, AccessMode.WRITE);
    for (UpdateRequest request : Arrays.asList(new TrimRequest(client, 1),
        new ReadLogRequest(client, 0, 10))) {
      assertEquals(UpdateStatus.REFUSED, ask(0, request, NO_DATA).status());
    }
    assertEquals(UpdateStatus.REFUSED, append(signed(ticket, AccessMode.COPY)).status());
  }

  @Test
  void expiredTicketIsRefused() throws Exception {
    BlockTokenSecretManager keys =
        cluster.mini().getNamesystem().getBlockManager().getBlockTokenSecretManager();
    Ticket ticket = ticket();
    keys.setTokenLifetime(1);
    SignedTicket signed;
    try {
      signed = signed(ticket, AccessMode.WRITE);
    } finally {
      keys.setTokenLifetime(600_000);
    }
    BlockTokenIdentifier id = signed.token().decodeIdentifier();
    RepairCluster.await("the token expires", () -> id.getExpiryDate() < System.currentTimeMillis());
    assertEquals(UpdateStatus.REFUSED, append(signed).status());
  }

  /** The token of a ticket that the connection keeps expires as any other. */
  @Test
  void expiredTicketIsRefusedAlsoIfItIsKept() throws Exception {
    BlockTokenSecretManager keys =
        cluster.mini().getNamesystem().getBlockManager().getBlockTokenSecretManager();
    Ticket ticket = ticket();
    append(signed(ticket, AccessMode.WRITE));
    keys.setTokenLifetime(5_000);
    SignedTicket signed;
    try {
      signed = signed(ticket, AccessMode.WRITE);
    } finally {
      keys.setTokenLifetime(600_000);
    }
    AppendRequest request = new AppendRequest(signed, 0, true, Payload.of(DATA));
    ShownTickets shown = new ShownTickets();
    try (Socket socket = new Socket("127.0.0.1", node(0).repairPort())) {
      socket.setSoTimeout(60_000);
      UpdateAnswer answer = ask(socket, request, shown);
      assertEquals(UpdateStatus.DONE, answer.status(), answer.toString());
      assertFalse(shown.mention(signed).isWhole());
      // The node closes a connection over which nothing comes.
      while (answer.isDone()) {
        answer = ask(socket, request, shown);
      }
      assertEquals(UpdateStatus.REFUSED, answer.status(), answer.toString());
      assertTrue(
          signed.token().decodeIdentifier().getExpiryDate() < System.currentTimeMillis());
    }
  }

  private static UpdateAnswer ask(Socket socket, AppendRequest request, ShownTickets shown)
      throws IOException {
    UpdateFraming.write(socket.getOutputStream(), request, DATA, shown);
    return UpdateFraming.readAnswer(new ChannelInput(socket.getInputStream()), request, shown);
  }

  /** What nodes keep for each other is of use only if the token stays the same for a while. */
  @Test
  void dataNodeUsesATokenForOthersAgain() throws IOException {
    Ticket ticket = ticket();
    SignedTicket signed = signed(ticket, AccessMode.WRITE);
    TicketTokens tokens = new TicketTokens(datanode(0), node(0).repairPort(), 0);
    Token<BlockTokenIdentifier> token =
        tokens.asPeer(ticket.block().toExtendedBlock(), signed.mark());
    assertSame(token, tokens.asPeer(ticket.block().toExtendedBlock(), signed.mark()));
    assertNull(tokens.isPeer(ticket.block().toExtendedBlock(), token, signed.mark()));
    assertNotSame(token, tokens.asPeer(ticket.block().toExtendedBlock(),
        signed(ticket(), AccessMode.WRITE).mark()));
  }

  @Test
  void nodesThatCannotBeDataNodesAreNotCalled() throws IOException {
    NodeRef multicast = new NodeRef("x", "224.0.0.1", "localhost", 1, 9877, "");
    Ticket ticket = ticket(pool(), node(0), multicast);
    assertEquals(UpdateStatus.REFUSED, append(signed(ticket, AccessMode.WRITE)).status());
  }

  @Test
  void nodeWithoutADirectoryTakesNoUpdates() throws IOException {
    Ticket ticket = ticket(pool(), node(2));
    SignedTicket signed = signed(ticket, AccessMode.WRITE);
    assertThrows(IOException.class, () -> ask(2, new AppendRequest(signed, 0, true,
        Payload.of(DATA)), DATA));
    Ticket led = ticket(pool(), node(0), node(2));
    assertEquals(UpdateStatus.TERM_OVER, append(signed(led, AccessMode.WRITE)).status());
  }

  @Test
  void settingsAreChecked() {
    Configuration conf = new Configuration(false);
    assertFalse(UpdateSettings.of(conf).logs().isPresent());
    conf.set(PprKeys.DATANODE_UPDATE_LOG_DIR_KEY, "here");
    assertTrue(assertThrows(IllegalArgumentException.class, () -> UpdateSettings.of(conf))
        .getMessage().contains(PprKeys.DATANODE_UPDATE_LOG_DIR_KEY));
    conf.set(PprKeys.DATANODE_UPDATE_LOG_DIR_KEY, new File("/here").getAbsolutePath());
    assertTrue(UpdateSettings.of(conf).logs().isPresent());
    assertTrue(UpdateSettings.of(conf).memoryBytes() >= 32 << 20);
    conf.setLong(PprKeys.DATANODE_UPDATE_LOG_BYTES_KEY, LogLimits.BYTES_MIN - 1);
    assertTrue(assertThrows(IllegalArgumentException.class, () -> UpdateSettings.of(conf))
        .getMessage().contains(PprKeys.DATANODE_UPDATE_LOG_BYTES_KEY));
  }
}
