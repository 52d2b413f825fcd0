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
package org.hdfsppr.namenode.update;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.File;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.protocol.BlockChecksumOptions;
import org.apache.hadoop.hdfs.protocol.BlockChecksumType;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.apache.hadoop.hdfs.protocol.datatransfer.BlockConstructionStage;
import org.apache.hadoop.hdfs.protocol.datatransfer.PacketHeader;
import org.apache.hadoop.hdfs.protocol.datatransfer.PipelineAck;
import org.apache.hadoop.hdfs.protocol.datatransfer.Sender;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.BlockOpResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.Status;
import org.apache.hadoop.hdfs.protocolPB.PBHelperClient;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier.AccessMode;
import org.apache.hadoop.hdfs.server.datanode.CachingStrategy;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.namenode.UpdateAccess;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.util.DataChecksum;
import org.hdfsppr.datanode.RepairCluster;
import org.hdfsppr.plan.BlockRef;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.update.append.SignedTicket;
import org.hdfsppr.update.append.UnitId;
import org.hdfsppr.update.append.UpdateTicket;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What the bearer of a ticket can do with its token at the ports of HDFS, in a cluster with block
 * tokens: with a sealed ticket nothing at all, with one of the old kind too much.
 */
@InterfaceAudience.Private
@Timeout(180)
class TestTicketsAtStockPort {
  private static final int CELL = 1 << 20;
  private static final int UNITS = 5;
  private static final Path FILE = new Path("/ec/file");
  private static final Path SNAPSHOT = new Path("/ec/.snapshot/before/file");
  private static final String EVE = "eve";

  @TempDir
  static File directory;
  private static RepairCluster cluster;
  private static UpdateAccess namespace;
  private static byte[] content;

  /** A way of asking a DataNode, with a token, for something that has to do with a block. */
  private interface Ask {
    void send(Sender sender, ExtendedBlock block, Token<BlockTokenIdentifier> token)
        throws IOException;
  }

  @BeforeAll
  static void start() throws IOException {
    Configuration conf = RepairCluster.configuration(directory);
    conf.setBoolean(DFSConfigKeys.DFS_BLOCK_ACCESS_TOKEN_ENABLE_KEY, true);
    cluster = RepairCluster.start(conf, UNITS + 1);
    cluster.directory("/ec", "RS-3-2-1024k");
    content = cluster.write(FILE, 3 * CELL, 4L * CELL, 7);
    cluster.awaitUnits(FILE, UNITS);
    cluster.fs.allowSnapshot(new Path("/ec"));
    cluster.fs.createSnapshot(new Path("/ec"), "before");
    namespace = new UpdateAccess(cluster.mini().getNamesystem(), conf);
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  private static LocatedStripedBlock group() throws IOException {
    return cluster.groups(FILE).get(0);
  }

  /** Returns the DataNode that has no unit of the file. */
  private static DataNode other() throws IOException {
    List<DatanodeInfo> holders = Arrays.asList(group().getLocations());
    return cluster.mini().getDataNodes().stream()
        .filter(node -> !holders.contains(node.getDatanodeId())).findFirst().orElseThrow();
  }

  private static DatanodeInfo info(DataNode node) {
    return new DatanodeInfo.DatanodeInfoBuilder().setNodeID(node.getDatanodeId()).build();
  }

  private static UpdateTicket ticket(int unit) throws IOException {
    ExtendedBlock block = RepairCluster.internalBlock(group(), unit);
    return new UpdateTicket(new UnitId(new UUID(1, 1), 0, unit),
        new BlockRef(block.getBlockPoolId(),
        block.getBlockId(), block.getGenerationStamp(), CELL), 1, 0, 1,
        List.of(new NodeRef("n", "127.0.0.1", "localhost", 1, 2, "/r")));
  }

  private static ExtendedBlock block(UpdateTicket ticket) {
    ExtendedBlock block = ticket.block.toExtendedBlock();
    block.setNumBytes(CELL);
    return block;
  }

  private static DataChecksum checksum() {
    return DataChecksum.newDataChecksum(DataChecksum.Type.CRC32C, 512);
  }

  private static void write(Sender sender, ExtendedBlock block, Token<BlockTokenIdentifier> token,
      BlockConstructionStage stage) throws IOException {
    long stamp = stage == BlockConstructionStage.PIPELINE_SETUP_CREATE ? block.getGenerationStamp()
        : block.getGenerationStamp() + 1;
    sender.writeBlock(block, StorageType.DISK, token, EVE, new DatanodeInfo[0],
        new StorageType[0], info(other()), stage, 1, 0, CELL, stamp, checksum(),
        CachingStrategy.newDefaultStrategy(), false, false, null, "", new String[0]);
  }

  private static Status ask(DataNode node, ExtendedBlock block, SignedTicket signed, Ask ask)
      throws IOException {
    try (Socket socket = new Socket("127.0.0.1", node.getXferPort())) {
      socket.setSoTimeout(60_000);
      DataOutputStream out = new DataOutputStream(socket.getOutputStream());
      ask.send(new Sender(out), block, signed.token);
      out.flush();
      return BlockOpResponseProto.parseFrom(
          PBHelperClient.vintPrefixed(new DataInputStream(socket.getInputStream()))).getStatus();
    }
  }

  /** Returns all that HDFS does with a block for the bearer of a token. */
  private static List<Ask> asks() throws IOException {
    DatanodeInfo target = info(other());
    List<Ask> asks = new ArrayList<>();
    for (BlockConstructionStage stage : BlockConstructionStage.values()) {
      asks.add((sender, block, token) -> write(sender, block, token, stage));
    }
    asks.add((sender, block, token) -> sender.readBlock(block, token, EVE, 0, CELL, true,
        CachingStrategy.newDefaultStrategy()));
    asks.add((sender, block, token) -> sender.transferBlock(block, token, EVE,
        new DatanodeInfo[] {target}, new StorageType[] {StorageType.DISK}, new String[0]));
    asks.add((sender, block, token) -> sender.copyBlock(block, token));
    asks.add((sender, block, token) -> sender.replaceBlock(block, StorageType.DISK, token,
        target.getDatanodeUuid(), target, ""));
    asks.add((sender, block, token) -> sender.blockChecksum(block, token,
        new BlockChecksumOptions(BlockChecksumType.MD5CRC)));
    asks.add((sender, block, token) ->
        sender.requestShortCircuitFds(block, token, null, 1, true));
    return asks;
  }

  @ParameterizedTest
  @EnumSource(AccessMode.class)
  void sealedTicketIsGoodForNothing(AccessMode right) throws IOException {
    UpdateTicket ticket = ticket(0).withSeal();
    SignedTicket signed = namespace.sign(ticket, right);
    ExtendedBlock real = block(ticket);
    DataNode holder = cluster.datanode(RepairCluster.holders(group()).get(0));
    for (DataNode node : List.of(holder, other())) {
      for (Ask ask : asks()) {
        assertEquals(Status.ERROR_ACCESS_TOKEN, ask(node, real, signed, ask));
        ExtendedBlock none = signed.tokenBlock();
        none.setNumBytes(CELL);
        assertEquals(Status.ERROR_ACCESS_TOKEN, ask(node, none, signed, ask));
      }
    }
    assertTrue(cluster.hasContent(FILE, content));
    assertTrue(cluster.hasContent(SNAPSHOT, content));
    assertFalse(other().getFSDataset().contains(real));
  }

  /** What a ticket of the old kind costs: HDFS keeps one of two replicas, maybe the forged one. */
  @Test
  void ticketOfTheOldKindLetsItsBearerForgeAReplica() throws IOException {
    UpdateTicket ticket = ticket(1);
    SignedTicket signed = namespace.sign(ticket, AccessMode.WRITE);
    ExtendedBlock block = block(ticket);
    DataNode target = other();
    DataNode holder = cluster.datanode(RepairCluster.holders(group()).get(1));
    byte[] forged = new byte[CELL];
    Arrays.fill(forged, (byte) 'E');
    forge(target, block, signed, forged);
    RepairCluster.await("one of the two replicas is gone", () ->
        !holder.getFSDataset().isValidBlock(block) || !target.getFSDataset().isValidBlock(block));
    // Which one goes is the NameNode's choice. It takes both for equally good.
    assertEquals(1, List.of(holder, target).stream()
        .filter(node -> node.getFSDataset().isValidBlock(block)).count());
  }

  private static void forge(DataNode node, ExtendedBlock block, SignedTicket signed, byte[] data)
      throws IOException {
    try (Socket socket = new Socket("127.0.0.1", node.getXferPort())) {
      socket.setSoTimeout(60_000);
      DataOutputStream out = new DataOutputStream(socket.getOutputStream());
      DataInputStream in = new DataInputStream(socket.getInputStream());
      write(new Sender(out), block, signed.token, BlockConstructionStage.PIPELINE_SETUP_CREATE);
      out.flush();
      assertEquals(Status.SUCCESS,
          BlockOpResponseProto.parseFrom(PBHelperClient.vintPrefixed(in)).getStatus());
      DataChecksum checksum = checksum();
      int packet = 32 << 10;
      byte[] sums = new byte[checksum.getChecksumSize(packet)];
      long sequence = 0;
      for (int at = 0; at < data.length; at += packet) {
        checksum.calculateChunkedSums(ByteBuffer.wrap(data, at, packet).slice(),
            ByteBuffer.wrap(sums));
        new PacketHeader(Integer.BYTES + sums.length + packet, at, sequence++, false, packet,
            false).write(out);
        out.write(sums);
        out.write(data, at, packet);
      }
      new PacketHeader(Integer.BYTES, data.length, sequence, true, 0, false).write(out);
      out.flush();
      PipelineAck ack = new PipelineAck();
      do {
        ack.readFields(in);
        assertTrue(ack.isSuccess(), ack.toString());
      } while (ack.getSeqno() < sequence);
    }
  }
}
