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
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.security.token.Token;
import org.hdfsppr.datanode.RepairCluster;
import org.hdfsppr.datanode.update.old.OldBytesStore;
import org.hdfsppr.plan.BlockRef;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.stream.UnitSource;
import org.hdfsppr.update.append.AppendRequest;
import org.hdfsppr.update.append.LogPosition;
import org.hdfsppr.update.append.Payload;
import org.hdfsppr.update.append.ReplicateRequest;
import org.hdfsppr.update.append.SignedTicket;
import org.hdfsppr.update.append.UnitId;
import org.hdfsppr.update.append.UpdateAnswer;
import org.hdfsppr.update.append.UpdateFraming;
import org.hdfsppr.update.append.UpdateTicket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A leader sends old bytes to those followers that keep them. */
@Timeout(180)
class TestOldBytesSent {
  private static final int LENGTH = 1 << 20;
  private static final UnitId UNIT = new UnitId(new UUID(1, 2), 0, 1);
  private static final BlockRef BLOCK = new BlockRef(HolderServer.POOL, -16, 1, LENGTH);

  @TempDir
  static File directory;

  @TempDir
  Path logs;

  private static SignedTicket ticket(boolean hasOldBytes, NodeRef... holders) {
    UpdateTicket ticket = new UpdateTicket(UNIT, BLOCK, 1, 0, 1, Arrays.asList(holders));
    return SignedTicket.of(hasOldBytes ? ticket.withOldBytes() : ticket,
        new Token<BlockTokenIdentifier>());
  }

  private static UnitSource block(byte value) {
    return new UnitSource() {
      @Override
      public long length() {
        return LENGTH;
      }

      @Override
      public void read(long offset, ByteBuffer into) {
        while (into.hasRemaining()) {
          into.put(value);
        }
      }

      @Override
      public void close() {
        // No file.
      }
    };
  }

  private static void append(HolderServer leader, SignedTicket ticket, int from, int length)
      throws IOException {
    byte[] data = new byte[length];
    UpdateAnswer answer =
        leader.ask(new AppendRequest(ticket, from, true, Payload.of(data)), data);
    assertTrue(answer.isDone(), answer.toString());
  }

  @Test
  void followersOfAnOldVersionGetNone() throws Exception {
    Configuration conf = RepairCluster.configuration(directory);
    conf.unset("dfs.datanode.plugins");
    Queue<ReplicateRequest> seen = new ConcurrentLinkedQueue<>();
    AtomicLong last = new AtomicLong();
    FakeFollower.Behaviour old = (number, request, data, socket) -> {
      seen.add(request);
      request.begin().ifPresent(begin -> last.set(begin.last));
      request.records.forEach(record -> last.set(record.sequence));
      // A request without records asks how far the log is. On a slow machine the leader asks again.
      UpdateFraming.write(socket.getOutputStream(),
          UpdateAnswer.done(new LogPosition(1, last.get(), 1, true)), new byte[0]);
      return true;
    };
    try (RepairCluster cluster = RepairCluster.start(conf, 1);
        FakeFollower fake = FakeFollower.start(old)) {
      DataNode datanode = cluster.mini().getDataNodes().get(0);
      try (HolderServer leader = HolderServer.start("a", logs, datanode);
          HolderServer follower = HolderServer.start("b", logs, datanode)) {
        leader.blocks(block -> {
          assertEquals(BLOCK, block);
          return block((byte) 7);
        });
        SignedTicket ticket = ticket(true, leader.self(), follower.self(), fake.node());
        append(leader, ticket, 100, 50);
        append(leader, ticket, 120, 50);
        // The leader of a ticket that does not ask for them sends none.
        append(leader, ticket(false, leader.self(), follower.self(), fake.node()), 500, 50);
        assertEquals(2, follower.oldBytes().ranges());
        OldBytesStore.Found first = follower.oldBytes().find(UNIT, 1, 1, 100).orElseThrow();
        byte[] sevens = new byte[50];
        Arrays.fill(sevens, (byte) 7);
        assertArrayEquals(sevens, first.read());
        assertEquals(BLOCK, first.block);
        OldBytesStore.Found second = follower.oldBytes().find(UNIT, 1, 2, 150).orElseThrow();
        assertEquals(List.of(150L, 170L), List.of(second.offset, second.end()));
        assertTrue(seen.stream().allMatch(request -> request.old.isEmpty()));
        assertEquals(150, seen.stream().mapToInt(request -> request.payload.length).sum());
        assertEquals(0, leader.oldBytes().ranges());
      }
    } finally {
      DefaultMetricsSystem.shutdown();
    }
  }
}
