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
import static org.junit.jupiter.api.Assertions.assertNotNull;
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
import org.hdfsppr.datanode.update.log.LogLimits;
import org.hdfsppr.plan.BlockRef;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.stream.LocalServers;
import org.hdfsppr.update.append.AppendRequest;
import org.hdfsppr.update.append.Payload;
import org.hdfsppr.update.append.ReadLogRequest;
import org.hdfsppr.update.append.ShownTickets;
import org.hdfsppr.update.append.SignedTicket;
import org.hdfsppr.update.append.TrimRequest;
import org.hdfsppr.update.append.UnitId;
import org.hdfsppr.update.append.UpdateAnswer;
import org.hdfsppr.update.append.UpdateFraming;
import org.hdfsppr.update.append.UpdateRequest;
import org.hdfsppr.update.append.UpdateStatus;
import org.hdfsppr.update.append.UpdateTicket;
import org.hdfsppr.wire.ChannelInput;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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
    // The other form of tokens; other tests of updates have the default.
    conf.setBoolean(DFSConfigKeys.DFS_BLOCK_ACCESS_TOKEN_PROTOBUF_ENABLE, true);
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

  private static UpdateTicket ticket(String pool, NodeRef... holders) {
    files++;
    return new UpdateTicket(new UnitId(new UUID(1, files), 0, 0), new BlockRef(pool, -16, 7, 1000),
        files, 0, 1, Arrays.asList(holders));
  }

  private static UpdateTicket ticket() {
    return ticket(pool(), node(0), node(1));
  }

  private static UpdateTicket ticket(boolean isSealed) {
    return isSealed ? ticket().withSeal() : ticket();
  }

  /** Returns a ticket as a NameNode would make it for a client, with a few changes. */
  private static SignedTicket signed(UpdateTicket ticket, UpdateTicket marked, AccessMode mode)
      throws IOException {
    BlockTokenSecretManager keys =
        cluster.mini().getNamesystem().getBlockManager().getBlockTokenSecretManager();
    SignedTicket unsigned = SignedTicket.of(ticket, new Token<>());
    return unsigned.with(keys.generateToken("user", unsigned.tokenBlock(),
        unsigned.tokenModes(mode), StorageType.EMPTY_ARRAY, marked == null ? new String[0]
            : new String[] {SignedTicket.of(marked, new Token<>()).mark(mode)}));
  }

  private static SignedTicket signed(UpdateTicket ticket, AccessMode mode) throws IOException {
    return signed(ticket, ticket, mode);
  }

  private static UpdateAnswer ask(int node, UpdateRequest request, byte[] data)
      throws IOException {
    try (Socket socket = new Socket("127.0.0.1", node(node).repairPort)) {
      socket.setSoTimeout(60_000);
      return HolderServer.ask(socket, request, data);
    }
  }

  private static UpdateAnswer append(SignedTicket ticket) throws IOException {
    return ask(0, new AppendRequest(ticket, 0, true, Payload.of(DATA)), DATA);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void ticketOfTheNameNodeLetsAClientWrite(boolean isSealed) throws IOException {
    UpdateTicket ticket = ticket(isSealed);
    UpdateAnswer answer = append(signed(ticket, AccessMode.WRITE));
    assertEquals(UpdateStatus.DONE, answer.status, answer.toString());
    for (int i = 0; i < 2; i++) {
      UpdateAnswer read = ask(i, new ReadLogRequest(signed(ticket, AccessMode.COPY), 0, 100),
          NO_DATA);
      assertEquals(1, read.records.size(), read.toString());
      assertTrue(Files.isDirectory(log(i).resolve(pool())));
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void dataNodesKnowEachOther(boolean isSealed) throws IOException {
    UpdateTicket ticket = ticket(isSealed);
    SignedTicket signed = new TicketTokens(datanode(2), node(2).repairPort, 0)
        .asPeer(SignedTicket.of(ticket, new Token<>()));
    UpdateAnswer answer = ask(0, new ReadLogRequest(signed, 0, 0), NO_DATA);
    assertEquals(UpdateStatus.DONE, answer.status, answer.toString());
  }

  @Test
  void othersAreRefused() throws IOException {
    UpdateTicket ticket = ticket();
    List<SignedTicket> wrong = Arrays.asList(
        SignedTicket.of(ticket, new Token<>()),
        SignedTicket.of(ticket, BlockTokenSecretManager.DUMMY_TOKEN),
        signed(ticket, AccessMode.READ),
        // As HDFS gives it to a writer of the block.
        signed(ticket, null, AccessMode.WRITE),
        // For another ticket of the same block.
        signed(ticket, ticket(), AccessMode.WRITE),
        // For another block.
        SignedTicket.of(ticket, signed(new UpdateTicket(ticket.unit,
            new BlockRef(pool(), -32, 7, 9),
            1, 0, 1, ticket.holders), ticket, AccessMode.WRITE).token),
        signed(ticket("BP-other", node(0), node(1)), AccessMode.WRITE));
    for (SignedTicket each : wrong) {
      UpdateAnswer answer = append(each);
      assertEquals(UpdateStatus.REFUSED, answer.status, answer.toString());
      assertEquals("no right to ask", answer.message);
    }
    // A client is no peer.
    SignedTicket client = signed(ticket, AccessMode.WRITE);
    for (UpdateRequest request : Arrays.asList(new TrimRequest(client, 1),
        new ReadLogRequest(client, 0, 10))) {
      assertEquals(UpdateStatus.REFUSED, ask(0, request, NO_DATA).status);
    }
    assertEquals(UpdateStatus.REFUSED, append(signed(ticket, AccessMode.COPY)).status);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void expiredTicketIsRefused(boolean isSealed) throws Exception {
    BlockTokenSecretManager keys =
        cluster.mini().getNamesystem().getBlockManager().getBlockTokenSecretManager();
    UpdateTicket ticket = ticket(isSealed);
    keys.setTokenLifetime(1);
    SignedTicket signed;
    try {
      signed = signed(ticket, AccessMode.WRITE);
    } finally {
      keys.setTokenLifetime(600_000);
    }
    BlockTokenIdentifier id = signed.token.decodeIdentifier();
    RepairCluster.await("the token expires", () -> id.getExpiryDate() < System.currentTimeMillis());
    assertEquals(UpdateStatus.REFUSED, append(signed).status);
  }

  /** The token of a ticket that the connection keeps expires as any other. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void expiredTicketIsRefusedAlsoIfItIsKept(boolean isSealed) throws Exception {
    BlockTokenSecretManager keys =
        cluster.mini().getNamesystem().getBlockManager().getBlockTokenSecretManager();
    UpdateTicket ticket = ticket(isSealed);
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
    try (Socket socket = new Socket("127.0.0.1", node(0).repairPort)) {
      socket.setSoTimeout(60_000);
      UpdateAnswer answer = ask(socket, request, shown);
      assertEquals(UpdateStatus.DONE, answer.status, answer.toString());
      assertFalse(shown.mention(signed).isWhole);
      // The node closes a connection over which nothing comes.
      while (answer.isDone()) {
        answer = ask(socket, request, shown);
      }
      assertEquals(UpdateStatus.REFUSED, answer.status, answer.toString());
      assertTrue(
          signed.token.decodeIdentifier().getExpiryDate() < System.currentTimeMillis());
    }
  }

  private static UpdateAnswer ask(Socket socket, AppendRequest request, ShownTickets shown)
      throws IOException {
    UpdateFraming.write(socket.getOutputStream(), request, DATA, shown);
    return UpdateFraming.readAnswer(new ChannelInput(socket.getInputStream()), request, shown);
  }

  /** What nodes keep for each other is of use only if the token stays the same for a while. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void dataNodeUsesATokenForOthersAgain(boolean isSealed) throws IOException {
    UpdateTicket ticket = ticket(isSealed);
    SignedTicket signed = signed(ticket, AccessMode.WRITE);
    TicketTokens tokens = new TicketTokens(datanode(0), node(0).repairPort, 0);
    SignedTicket peer = tokens.asPeer(signed);
    assertSame(peer.token, tokens.asPeer(signed).token);
    assertNull(tokens.isPeer(peer));
    assertNotNull(tokens.mayWrite(peer));
    assertNotSame(peer.token,
        tokens.asPeer(signed(ticket(isSealed), AccessMode.WRITE)).token);
  }

  /** A client with a sealed ticket can neither get another right from it nor forge one. */
  @Test
  void sealedTicketIsGoodForItsRightOnly() throws IOException {
    UpdateTicket sealed = ticket(true);
    UpdateTicket unsealed = new UpdateTicket(sealed.unit, sealed.block, sealed.term, 0, 1,
        sealed.holders);
    SignedTicket written = signed(sealed, AccessMode.WRITE);
    BlockTokenSecretManager keys =
        cluster.mini().getNamesystem().getBlockManager().getBlockTokenSecretManager();
    for (SignedTicket each : Arrays.asList(
        signed(sealed, AccessMode.READ),
        signed(sealed, AccessMode.COPY),
        signed(sealed, null, AccessMode.WRITE),
        signed(sealed, ticket(true), AccessMode.WRITE),
        // The token of the one kind with the ticket of the other.
        SignedTicket.of(unsealed, written.token),
        SignedTicket.of(sealed, signed(unsealed, AccessMode.WRITE).token),
        // With a mode, or of a block, it is no token of a sealed ticket.
        written.with(keys.generateToken("user", written.tokenBlock(),
            EnumSet.of(AccessMode.WRITE), StorageType.EMPTY_ARRAY,
            new String[] {written.mark(AccessMode.WRITE)})),
        written.with(keys.generateToken("user", sealed.block.toExtendedBlock(),
            EnumSet.noneOf(AccessMode.class), StorageType.EMPTY_ARRAY,
            new String[] {written.mark(AccessMode.WRITE)})),
        written.with(new Token<>()),
        written.with(new Token<>(written.token.getIdentifier(), new byte[20],
            written.token.getKind(), written.token.getService())))) {
      UpdateAnswer answer = append(each);
      assertEquals(UpdateStatus.REFUSED, answer.status, answer.toString());
      assertEquals("no right to ask", answer.message);
    }
    for (UpdateRequest request : Arrays.asList(new TrimRequest(written, 1),
        new ReadLogRequest(written, 0, 10))) {
      assertEquals(UpdateStatus.REFUSED, ask(0, request, NO_DATA).status);
    }
    assertEquals(UpdateStatus.DONE, append(written).status);
  }

  @Test
  void nodesThatCannotBeDataNodesAreNotCalled() throws IOException {
    NodeRef multicast = new NodeRef("x", "224.0.0.1", "localhost", 1, 9877, "");
    UpdateTicket ticket = ticket(pool(), node(0), multicast);
    assertEquals(UpdateStatus.REFUSED, append(signed(ticket, AccessMode.WRITE)).status);
  }

  @Test
  void nodeWithoutADirectoryTakesNoUpdates() throws IOException {
    UpdateTicket ticket = ticket(pool(), node(2));
    SignedTicket signed = signed(ticket, AccessMode.WRITE);
    assertThrows(IOException.class, () -> ask(2, new AppendRequest(signed, 0, true,
        Payload.of(DATA)), DATA));
    UpdateTicket led = ticket(pool(), node(0), node(2));
    assertEquals(UpdateStatus.TERM_OVER, append(signed(led, AccessMode.WRITE)).status);
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
