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

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.File;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.CRC32C;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.datatransfer.DataTransferProtocol;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.hdfsppr.datanode.RepairCluster;
import org.hdfsppr.datanode.update.log.LogEntry;
import org.hdfsppr.plan.BlockRef;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.stream.UnitSource;
import org.hdfsppr.update.append.AppendRequest;
import org.hdfsppr.update.append.LogPosition;
import org.hdfsppr.update.append.Payload;
import org.hdfsppr.update.append.ReadLogRequest;
import org.hdfsppr.update.append.ReplicateRequest;
import org.hdfsppr.update.append.SignedTicket;
import org.hdfsppr.update.append.UnitId;
import org.hdfsppr.update.append.UpdateAnswer;
import org.hdfsppr.update.append.UpdateFraming;
import org.hdfsppr.update.append.UpdateStatus;
import org.hdfsppr.update.append.UpdateTicket;
import org.hdfsppr.update.append.proto.UpdateProtos.ReadLogProto;
import org.hdfsppr.update.append.proto.UpdateProtos.UpdateRequestProto;
import org.hdfsppr.update.view.ViewAnswer;
import org.hdfsppr.update.view.ViewFraming;
import org.hdfsppr.update.view.ViewRequest;
import org.hdfsppr.update.view.proto.ViewProtos.ViewRequestProto;
import org.hdfsppr.wire.ChannelInput;
import org.hdfsppr.wire.WireRules;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A leader sends deltas to those that know what a delta is, and to no others. */
@Timeout(180)
class TestDeltasSent {
  private static final int LENGTH = 1 << 20;
  private static final UnitId UNIT = new UnitId(new UUID(1, 2), 0, 1);
  private static final BlockRef BLOCK = new BlockRef(HolderServer.POOL, -16, 1, LENGTH);
  private static final Token<BlockTokenIdentifier> TOKEN = new Token<>();

  @TempDir
  static File directory;

  @TempDir
  Path logs;
  private RepairCluster cluster;
  private final List<HolderServer> servers = new ArrayList<>();
  /** What the node of an old version was asked. */
  private final Queue<ReplicateRequest> seen = new ConcurrentLinkedQueue<>();
  private FakeFollower fake;
  /** The number of the last update that the node of an old version has. */
  private final AtomicLong fakesLast = new AtomicLong();

  @BeforeEach
  void start() throws IOException {
    Configuration conf = RepairCluster.configuration(directory);
    conf.unset("dfs.datanode.plugins");
    cluster = RepairCluster.start(conf, 1);
    fake = FakeFollower.start((number, request, data, socket) -> {
      seen.add(request);
      request.begin().ifPresent(begin -> fakesLast.set(begin.first - 1));
      request.records.forEach(record -> fakesLast.set(record.sequence));
      // A request without records asks how far the log is. On a slow machine the leader asks again.
      UpdateFraming.write(socket.getOutputStream(), UpdateAnswer.done(
          new LogPosition(request.ticket().term, fakesLast.get(), 1, true)), new byte[0]);
      return true;
    });
  }

  @AfterEach
  void stop() throws IOException {
    for (HolderServer server : servers) {
      server.close();
    }
    fake.close();
    cluster.close();
    DefaultMetricsSystem.shutdown();
  }

  private HolderServer holder(String name) throws IOException {
    DataNode datanode = cluster.mini().getDataNodes().get(0);
    HolderServer server = HolderServer.start(name, logs, datanode);
    servers.add(server);
    return server;
  }

  /** Returns a node that leads, and has a block of sevens. */
  private HolderServer leader() throws IOException {
    HolderServer leader = holder("a");
    leader.blocks(block -> {
      assertEquals(BLOCK, block);
      return new UnitSource() {
        @Override
        public long length() {
          return LENGTH;
        }

        @Override
        public void read(long offset, ByteBuffer into) {
          while (into.hasRemaining()) {
            into.put((byte) 7);
          }
        }

        @Override
        public void close() {
          // No file.
        }
      };
    });
    return leader;
  }

  private static SignedTicket ticket(long term, boolean hasDeltas, NodeRef... holders) {
    UpdateTicket ticket = new UpdateTicket(UNIT, BLOCK, term, term - 1, 1, Arrays.asList(holders));
    return SignedTicket.of(hasDeltas ? ticket.withDeltas() : ticket, TOKEN);
  }

  private static UpdateAnswer append(HolderServer leader, SignedTicket ticket, int from,
      int length) throws IOException {
    byte[] data = new byte[length];
    Arrays.fill(data, (byte) 1);
    return leader.ask(new AppendRequest(ticket, from, true, Payload.of(data)), data);
  }

  private static void assertDone(UpdateAnswer answer) {
    assertTrue(answer.isDone(), answer.toString());
  }

  private static void assertEntry(HolderServer holder, int index, boolean isDelta, int value)
      throws IOException {
    LogEntry entry = holder.log().entries(UNIT, 0, 100).get(index);
    assertEquals(isDelta, entry.isDelta);
    for (byte one : holder.log().read(entry)) {
      assertEquals(value, one);
    }
  }

  @Test
  void followersOfAnOldVersionGetWhatIsWritten() throws IOException {
    HolderServer leader = leader();
    HolderServer follower = holder("b");
    SignedTicket ticket = ticket(1, true, leader.self(), follower.self(), fake.node());
    assertDone(append(leader, ticket, 100, 50));
    assertDone(append(leader, ticket, 120, 50));
    // The leader of a ticket that does not ask for deltas sends none.
    assertDone(append(leader, ticket(1, false, leader.self(), follower.self(), fake.node()), 500,
        50));
    assertEntry(follower, 0, true, 1 ^ 7);
    assertEntry(follower, 1, true, 1 ^ 7);
    assertEntry(follower, 2, false, 1);
    assertEntry(leader, 1, false, 1);
    assertTrue(seen.stream().noneMatch(ReplicateRequest::hasDeltas));
    assertEquals(150, seen.stream().mapToInt(request -> request.payload.length).sum());
  }

  /** Without a follower that takes deltas, no disk is read for them. */
  @Test
  void noBlockIsReadForFollowersOfAnOldVersion() throws IOException {
    HolderServer leader = holder("a");
    AtomicInteger opened = new AtomicInteger();
    leader.blocks(block -> {
      opened.incrementAndGet();
      throw new IOException(block + " is not here");
    });
    assertDone(append(leader, ticket(1, true, leader.self(), fake.node()), 100, 50));
    assertEquals(0, opened.get());
    HolderServer follower = holder("b");
    assertDone(append(leader, ticket(2, true, leader.self(), follower.self()), 100, 50));
    assertEquals(1, opened.get());
  }

  @Test
  void aFollowerThatLeadsShowsAndCopiesDeltas() throws Exception {
    HolderServer leader = leader();
    HolderServer follower = holder("b");
    HolderServer fresh = holder("c");
    assertDone(append(leader, ticket(1, true, leader.self(), follower.self()), 100, 50));
    SignedTicket later = ticket(2, true, follower.self(), fresh.self());
    assertDone(append(follower, later, 120, 10));
    assertEntry(fresh, 0, true, 1 ^ 7);
    assertEntry(fresh, 1, false, 1);
    ViewRequest request = ViewRequest.range(later, 90, 70);
    ViewAnswer view = follower.ask(request);
    assertEquals("[delta [100,120), [120,130), delta [130,150)]", view.pieces.toString());
    byte[] expected = new byte[50];
    Arrays.fill(expected, (byte) (1 ^ 7));
    Arrays.fill(expected, 20, 30, (byte) 1);
    assertArrayEquals(expected, view.data);
    UpdateAnswer read = follower.ask(new ReadLogRequest(later, 0, 1), new byte[0]);
    assertTrue(read.records.get(0).isDelta);
    // Callers of an old version do not say that they take deltas.
    ViewRequestProto oldView = ViewRequestProto.newBuilder()
        .setTicket(later.bytes).setToken(WireRules.toProto(TOKEN))
        .setOffset(90).setLength(70).setSync(false).build();
    try (Socket socket = follower.connect()) {
      send(socket, ViewFraming.OP_VIEW, oldView);
      ViewAnswer refused =
          ViewFraming.readAnswer(new ChannelInput(socket.getInputStream()), request);
      assertEquals(UpdateStatus.OVERLOADED, refused.status);
      assertTrue(refused.message.contains("old version"), refused.message);
    }
    assertEquals(UpdateStatus.FAILED, askAsOldVersion(follower, later, 0).status);
    assertTrue(askAsOldVersion(follower, later, 1).isDone(), "update 2 is no delta");
  }

  private static UpdateAnswer askAsOldVersion(HolderServer holder, SignedTicket ticket,
      long after) throws IOException {
    try (Socket socket = holder.connect()) {
      send(socket, UpdateFraming.OP_UPDATE, UpdateRequestProto.newBuilder()
          .setTicket(ticket.bytes).setToken(WireRules.toProto(TOKEN))
          .setReadLog(ReadLogProto.newBuilder().setAfter(after).setBytesMost(1)).build());
      ChannelInput in = new ChannelInput(socket.getInputStream());
      UpdateAnswer answer =
          UpdateFraming.readAnswer(in, new ReadLogRequest(ticket, after, 1));
      UpdateFraming.readData(in, answer.payload);
      return answer;
    }
  }

  private static void send(Socket socket, int opcode, Message message) throws IOException {
    ByteArrayOutputStream whole = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(whole);
    out.writeShort(DataTransferProtocol.DATA_TRANSFER_VERSION);
    out.writeByte(opcode);
    message.writeDelimitedTo(out);
    CRC32C crc = new CRC32C();
    crc.update(message.toByteArray());
    out.writeInt((int) crc.getValue());
    socket.getOutputStream().write(whole.toByteArray());
  }

  /** Deltas cannot go to a node that does not know them, and it follows nowhere then. */
  @Test
  void aHistoryWithDeltasIsNotCopiedToAnOldVersion() throws IOException {
    HolderServer leader = leader();
    HolderServer follower = holder("b");
    assertDone(append(leader, ticket(1, true, leader.self(), follower.self()), 100, 50));
    UpdateAnswer refused =
        append(follower, ticket(2, true, follower.self(), fake.node()), 120, 10);
    assertEquals(UpdateStatus.TERM_OVER, refused.status);
    assertEquals(fake.node(), refused.node().orElseThrow());
    assertTrue(refused.message.contains("deltas"), refused.message);
    assertFalse(seen.isEmpty());
    assertTrue(seen.stream().allMatch(request -> request.records.isEmpty()));
    // With another follower, it goes on.
    HolderServer other = holder("c");
    assertDone(append(follower, ticket(3, true, follower.self(), other.self()), 120, 10));
    assertEntry(other, 0, true, 1 ^ 7);
  }
}
