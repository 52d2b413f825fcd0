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

import java.io.IOException;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.security.token.Token;
import org.hdfsppr.datanode.RepairCluster;
import org.hdfsppr.datanode.update.log.LogView;
import org.hdfsppr.plan.BlockRef;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.update.append.AppendRequest;
import org.hdfsppr.update.append.Payload;
import org.hdfsppr.update.append.ReadLogRequest;
import org.hdfsppr.update.append.SignedTicket;
import org.hdfsppr.update.append.UnitId;
import org.hdfsppr.update.append.UpdateAnswer;
import org.hdfsppr.update.append.UpdateStatus;
import org.hdfsppr.update.append.UpdateTicket;
import org.hdfsppr.update.view.ViewAnswer;
import org.hdfsppr.update.view.ViewFraming;
import org.hdfsppr.update.view.ViewRequest;
import org.hdfsppr.wire.ChannelInput;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests what the node that leads a unit shows of its updates, and when it shows nothing. */
@Timeout(180)
class TestUnitViews extends OnHolders {
  private static final int UNIT_BYTES = 1 << 20;

  private final UnitId unit = new UnitId(UUID.randomUUID(), 0, 1);

  private SignedTicket ticket(long term, long previousTerm, HolderServer... holders) {
    List<NodeRef> nodes = new ArrayList<>();
    Arrays.stream(holders).forEach(holder -> nodes.add(holder.self()));
    return SignedTicket.of(new UpdateTicket(unit,
        new BlockRef(HolderServer.POOL, -16, 1, UNIT_BYTES),
        term, previousTerm, 1, nodes), new Token<BlockTokenIdentifier>());
  }

  private static UpdateAnswer append(HolderServer leader, SignedTicket ticket, long offset,
      byte... data) throws IOException {
    return leader.ask(new AppendRequest(ticket, offset, false, Payload.of(data)), data);
  }

  private static ViewAnswer view(HolderServer leader, SignedTicket ticket, long offset,
      int length) throws IOException {
    return leader.ask(ViewRequest.range(ticket, offset, length));
  }

  private static void assertSeen(ViewAnswer answer, String pieces, int... data) {
    assertTrue(answer.isDone(), answer.toString());
    assertEquals(pieces, answer.pieces.toString());
    byte[] bytes = new byte[data.length];
    for (int i = 0; i < data.length; i++) {
      bytes[i] = (byte) data[i];
    }
    assertArrayEquals(bytes, answer.data);
  }

  @Test
  void theLeaderShowsWhatUpdatesHaveWritten() throws IOException {
    HolderServer a = start("a");
    SignedTicket ticket = ticket(1, 0, a, start("b"));
    assertSeen(view(a, ticket, 0, UNIT_BYTES), "[]");
    assertTrue(a.log().state(unit).isEmpty(), "a read begins no term in the log");
    assertTrue(append(a, ticket, 10, (byte) 1, (byte) 2, (byte) 3).isDone());
    assertTrue(append(a, ticket, 13, (byte) 4).isDone());
    assertTrue(append(a, ticket, 11, (byte) 9).isDone());
    assertTrue(append(a, ticket, 100, (byte) 5).isDone());
    assertSeen(view(a, ticket, 0, 200), "[[10,14), [100,101)]", 1, 9, 3, 4, 5);
    assertSeen(view(a, ticket, 11, 2), "[[11,13)]", 9, 3);
    assertSeen(view(a, ticket, 14, 86), "[]");
  }

  @Test
  void aRangeWithManyPiecesIsOneView() throws IOException {
    HolderServer a = start("a");
    SignedTicket ticket = ticket(1, 0, a);
    // More than an answer lists.
    int pieces = 2_100;
    for (int i = 0; i < pieces; i++) {
      assertTrue(append(a, ticket, 2L * i, (byte) i).isDone());
    }
    ViewAnswer view = view(a, ticket, 0, 2 * pieces);
    assertEquals(pieces, view.pieces.size());
    for (int i = 0; i < pieces; i++) {
      assertEquals(2L * i, view.pieces.get(i).offset);
      assertEquals((byte) i, view.data[i]);
    }
  }

  @Test
  void aCallersRoomIsFreeWhenItGetsItsAnswer() throws IOException {
    HolderServer a = HolderServer.bounded(1, 1, 64 << 20, "bounded", logs, datanode());
    servers.add(a);
    ViewRequest request = ViewRequest.range(ticket(1, 0, a), 0, 100);
    try (Socket socket = a.connect()) {
      ChannelInput in = new ChannelInput(socket.getInputStream());
      for (int i = 0; i < 2_000; i++) {
        ViewFraming.write(socket.getOutputStream(), request);
        ViewAnswer answer = ViewFraming.readAnswer(in, request);
        assertTrue(answer.isDone(), "request " + i + ": " + answer);
      }
    }
  }

  @Test
  void aLeaderOfAnOldTermShowsNothing() throws IOException {
    HolderServer a = start("a");
    HolderServer b = start("b");
    HolderServer c = start("c");
    SignedTicket old = ticket(1, 0, a, b);
    assertTrue(append(a, old, 0, (byte) 1).isDone());
    assertTrue(append(b, ticket(2, 1, b, c), 0, (byte) 2).isDone());
    assertEquals(UpdateStatus.STALE_TERM, view(a, old, 0, 1).status);
    assertSeen(view(b, ticket(2, 1, b, c), 0, 1), "[[0,1)]", 2);
    assertEquals(UpdateStatus.STALE_TERM, append(a, old, 0, (byte) 3).status);
  }

  @Test
  void aLeaderThatHasNotBegunItsTermAsksToo() throws IOException {
    HolderServer a = start("a");
    HolderServer b = start("b");
    HolderServer c = start("c");
    assertSeen(view(a, ticket(1, 0, a, b), 0, 1), "[]");
    // No node has begun term 1, and b was in it.
    assertTrue(append(b, ticket(2, 0, b, c), 0, (byte) 2).isDone());
    assertEquals(UpdateStatus.STALE_TERM, view(a, ticket(1, 0, a, b), 0, 1).status);
  }

  @Test
  void aLeaderThatDoesNotReachItsFollowersShowsNothing() throws IOException {
    HolderServer a = start("a");
    HolderServer b = start("b");
    SignedTicket ticket = ticket(1, 0, a, b);
    assertTrue(append(a, ticket, 0, (byte) 1).isDone());
    servers.remove(b);
    b.close();
    assertEquals(UpdateStatus.TERM_OVER, view(a, ticket, 0, 1).status);
    HolderServer c = start("c");
    assertSeen(view(a, ticket(2, 1, a, c), 0, 1), "[[0,1)]", 1);
    assertEquals(1, c.log().state(unit).orElseThrow().last, "c has got the history");
  }

  @Test
  void aFollowerShowsNothing() throws IOException {
    HolderServer a = start("a");
    HolderServer b = start("b");
    assertTrue(append(a, ticket(1, 0, a, b), 0, (byte) 1).isDone());
    assertEquals(UpdateStatus.REFUSED, view(b, ticket(1, 0, a, b), 0, 1).status);
    assertEquals(UpdateStatus.TERM_OVER, view(b, ticket(1, 0, b, a), 0, 1).status,
        "it does not lead a term that it has followed");
  }

  @Test
  void aLeaderThatWasStartedAgainNeedsALaterTerm() throws IOException {
    HolderServer a = start("a");
    HolderServer b = start("b");
    SignedTicket ticket = ticket(1, 0, a, b);
    assertTrue(append(a, ticket, 0, (byte) 1).isDone());
    servers.remove(a);
    HolderServer again = a.startAgain(datanode());
    servers.add(again);
    assertEquals(UpdateStatus.TERM_OVER, view(again, ticket(1, 0, again, b), 0, 1).status);
    assertSeen(view(again, ticket(2, 1, again, b), 0, 1), "[[0,1)]", 1);
  }

  @Test
  void aFollowerWithALaterHistoryDoesNotBeginAnew() throws IOException {
    HolderServer a = start("a");
    HolderServer b = start("b");
    HolderServer c = start("c");
    assertTrue(append(a, ticket(1, 0, a, b), 0, (byte) 1).isDone());
    assertTrue(append(b, ticket(2, 1, b, c), 0, (byte) 2).isDone());
    // The NameNode has asked a, which was in term 1, before term 2 began at b and c.
    assertEquals(UpdateStatus.NO_HISTORY,
        append(a, ticket(3, 1, a, c), 0, (byte) 3).status);
    assertEquals(2, c.log().state(unit).orElseThrow().term);
    assertEquals(2, c.log().state(unit).orElseThrow().last);
  }

  @Test
  void aSyncReachesAllHolders() throws IOException {
    HolderServer a = start("a");
    HolderServer b = start("b");
    SignedTicket ticket = ticket(1, 0, a, b);
    assertTrue(append(a, ticket, 0, (byte) 1).isDone());
    ViewAnswer answer = a.ask(ViewRequest.sync(ticket));
    assertTrue(answer.isDone());
    assertEquals(1, answer.term);
    assertEquals(0, answer.base);
    assertEquals(List.of(), answer.pieces);
    HolderServer c = start("c");
    assertTrue(append(b, ticket(2, 1, b, c), 0, (byte) 2).isDone());
    ViewAnswer second = b.ask(ViewRequest.sync(ticket(2, 1, b, c)));
    assertEquals(1, second.base);
    assertEquals("{1=0, 2=1}", second.bases.toString());
    // This node has not taken part in the first term.
    assertTrue(append(c, ticket(3, 2, c, b), 0, (byte) 3).isDone());
    assertEquals("{2=1, 3=2}",
        c.ask(ViewRequest.sync(ticket(3, 2, c, b))).bases.toString());
  }

  @Test
  void aTermThatBeginsDuringAViewEndsIt() throws IOException {
    HolderServer a = start("a");
    HolderServer b = start("b");
    assertTrue(append(a, ticket(1, 0, a, b), 0, (byte) 1).isDone());
    LogView view = a.log().view(unit, 0, 1, 0);
    assertSeen(ViewHandler.shown(1, view, a.log().state(unit)), "[[0,1)]", 1);
    assertTrue(append(b, ticket(2, 1, b, a), 0, (byte) 2).isDone());
    // The base is now the one of term 2. A writer would take it for that of term 1.
    assertEquals(UpdateStatus.STALE_TERM,
        ViewHandler.shown(1, view, a.log().state(unit)).status);
  }

  @Test
  void aBusyFollowerDoesNotEndTheTermOfAReader() throws Exception {
    HolderServer a = start("a");
    HolderServer b = HolderServer.bounded(8, 1, 64 << 20, "b", logs, datanode());
    servers.add(b);
    SignedTicket ticket = ticket(1, 0, a, b);
    assertTrue(append(a, ticket, 0, (byte) 1).isDone());
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try {
      List<Future<UpdateAnswer>> both = new ArrayList<>();
      // As when the disk of b does not answer. One of two requests has the only place then.
      synchronized (b.log()) {
        for (int i = 0; i < 2; i++) {
          both.add(threads.submit(() -> b.ask(new ReadLogRequest(ticket, 0, 0), new byte[0])));
        }
        RepairCluster.await("one is refused", () -> both.stream().anyMatch(Future::isDone));
        assertEquals(UpdateStatus.OVERLOADED, view(a, ticket, 0, 1).status);
      }
      for (Future<UpdateAnswer> one : both) {
        one.get(60, TimeUnit.SECONDS);
      }
    } finally {
      threads.shutdown();
    }
    assertSeen(view(a, ticket, 0, 1), "[[0,1)]", 1);
  }

  @Test
  void strangersSeeNothing() throws IOException {
    HolderServer a = start("a");
    SignedTicket ticket = ticket(1, 0, a);
    assertTrue(append(a, ticket, 0, (byte) 1).isDone());
    a.refuseAll("a stranger");
    ViewAnswer answer = view(a, ticket, 0, 1);
    assertEquals(UpdateStatus.REFUSED, answer.status);
    assertEquals(0, answer.data.length);
  }
}
