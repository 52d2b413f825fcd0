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
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.Socket;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.security.token.Token;
import org.hdfsppr.plan.BlockRef;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.update.append.AppendRequest;
import org.hdfsppr.update.append.LogPosition;
import org.hdfsppr.update.append.Payload;
import org.hdfsppr.update.append.ReplicateRequest;
import org.hdfsppr.update.append.ShownTickets;
import org.hdfsppr.update.append.SignedTicket;
import org.hdfsppr.update.append.UnitId;
import org.hdfsppr.update.append.UnknownTicketException;
import org.hdfsppr.update.append.UpdateAnswer;
import org.hdfsppr.update.append.UpdateFraming;
import org.hdfsppr.update.append.UpdateRequest;
import org.hdfsppr.update.append.UpdateStatus;
import org.hdfsppr.update.append.UpdateTicket;
import org.hdfsppr.update.view.ViewAnswer;
import org.hdfsppr.update.view.ViewFraming;
import org.hdfsppr.update.view.ViewRequest;
import org.hdfsppr.wire.ChannelInput;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Tests requests that name a ticket which their connection has shown: from clients to leaders, and
 * from leaders to followers.
 */
@InterfaceAudience.Private
@Timeout(180)
class TestTicketsShownOnce extends OnHolders {
  private static final byte[] DATA = {1, 2, 3};
  private static final byte[] NO_DATA = new byte[0];
  private static int files;


  private static SignedTicket ticket(long term, NodeRef... holders) {
    return ticket(new UnitId(new UUID(1, ++files), 3, 4), term, holders);
  }

  private static SignedTicket ticket(UnitId unit, long term, NodeRef... holders) {
    return SignedTicket.of(new UpdateTicket(unit, new BlockRef(HolderServer.POOL, -16, 1, 1000),
        term,
        term - 1, 1, Arrays.asList(holders)), new Token<>());
  }

  private static AppendRequest append(SignedTicket ticket) {
    return new AppendRequest(ticket, 0, false, Payload.of(DATA));
  }

  /** A caller with a connection of its own. */
  private static final class Caller implements AutoCloseable {
    private final Socket socket;
    private final ChannelInput in;
    private final ShownTickets shown = new ShownTickets();

    Caller(HolderServer server) throws IOException {
      socket = server.connect();
      in = new ChannelInput(socket.getInputStream());
    }

    UpdateAnswer ask(UpdateRequest request) throws IOException {
      UpdateFraming.write(socket.getOutputStream(), request,
          request.payload.length == 0 ? NO_DATA : DATA, shown);
      return UpdateFraming.readAnswer(in, request, shown);
    }

    ViewAnswer ask(ViewRequest request) throws IOException {
      ViewFraming.write(socket.getOutputStream(), request, shown);
      return ViewFraming.readAnswer(in, request, shown);
    }

    boolean names(SignedTicket ticket) {
      return !shown.mention(ticket).isWhole;
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }

  private static void assertStatus(UpdateStatus status, UpdateAnswer answer) {
    assertEquals(status, answer.status, answer.toString());
  }

  private static void assertDone(UpdateAnswer answer) {
    assertStatus(UpdateStatus.DONE, answer);
  }

  private static int updates(HolderServer server, SignedTicket ticket) throws IOException {
    return server.log().entries(ticket.ticket.unit, 0, Integer.MAX_VALUE).size();
  }

  @Test
  void namedTicketsAreTakenForThoseThatWereShown() throws IOException {
    HolderServer a = start("a");
    SignedTicket first = ticket(1, a.self());
    SignedTicket second = ticket(1, a.self());
    try (Caller caller = new Caller(a)) {
      for (int i = 0; i < 3; i++) {
        for (SignedTicket ticket : List.of(first, second)) {
          assertEquals(i > 0, caller.names(ticket));
          assertDone(caller.ask(append(ticket)));
        }
      }
      assertDone(caller.ask(append(second)));
      // Views and updates share what the connection has shown.
      assertTrue(caller.ask(ViewRequest.sync(first)).isDone());
      assertEquals(DATA.length, caller.ask(ViewRequest.range(first, 0, 10)).data.length);
    }
    assertEquals(3, updates(a, first));
    assertEquals(4, updates(a, second));
  }

  @Test
  void rightOfANamedTicketIsCheckedEachTime() throws IOException {
    HolderServer a = start("a");
    SignedTicket ticket = ticket(1, a.self());
    for (boolean isView : new boolean[] {false, true}) {
      try (Caller caller = new Caller(a)) {
        assertDone(caller.ask(append(ticket)));
        a.refuseAll("the token has expired");
        assertTrue(caller.names(ticket));
        int before = updates(a, ticket);
        if (isView) {
          assertEquals(UpdateStatus.REFUSED, caller.ask(ViewRequest.range(ticket, 0, 10)).status);
        } else {
          assertStatus(UpdateStatus.REFUSED, caller.ask(append(ticket)));
        }
        assertEquals(before, updates(a, ticket));
        a.refuseAll(null);
      }
    }
  }

  @Test
  void ticketThatWasRefusedIsNotKept() throws IOException {
    HolderServer a = start("a");
    SignedTicket ticket = ticket(1, a.self());
    a.refuseAll("a stranger");
    try (Caller caller = new Caller(a)) {
      assertStatus(UpdateStatus.REFUSED, caller.ask(append(ticket)));
      assertFalse(caller.names(ticket));
    }
  }

  @Test
  void laterTermRefusesANamedTicket() throws IOException {
    HolderServer a = start("a");
    SignedTicket ticket = ticket(1, a.self());
    try (Caller caller = new Caller(a); Caller later = new Caller(a)) {
      assertDone(caller.ask(append(ticket)));
      assertDone(later.ask(append(ticket(ticket.ticket.unit, 2, a.self()))));
      assertTrue(caller.names(ticket));
      assertStatus(UpdateStatus.STALE_TERM, caller.ask(append(ticket)));
    }
    assertEquals(2, updates(a, ticket));
  }

  /** What another connection has shown does not count, nor what no caller has shown. */
  @Test
  void unknownTicketIsRefused() throws IOException {
    HolderServer a = start("a");
    SignedTicket ticket = ticket(1, a.self());
    try (Caller caller = new Caller(a)) {
      assertDone(caller.ask(append(ticket)));
      for (boolean isView : new boolean[] {false, true}) {
        try (Caller other = new Caller(a)) {
          other.shown.mention(ticket);
          other.shown.answered(true);
          UnknownTicketException unknown = assertThrows(UnknownTicketException.class, () -> {
            if (isView) {
              other.ask(ViewRequest.range(ticket, 0, 10));
            } else {
              other.ask(append(ticket));
            }
          });
          assertTrue(unknown.getMessage().contains("Ticket 0 of this connection is none"),
              unknown.getMessage());
        }
      }
      assertEquals(1, updates(a, ticket));
      assertDone(caller.ask(append(ticket)));
    }
    assertEquals(2, updates(a, ticket));
  }

  /** Answers as a follower of a present version does. */
  private static boolean done(int number, ReplicateRequest request, Socket socket,
      boolean keepsTicket) throws IOException {
    long last = request.records.isEmpty() ? Math.max(0, number - 1)
        : request.records.get(request.records.size() - 1).sequence;
    UpdateFraming.write(socket.getOutputStream(), UpdateAnswer.done(
        new LogPosition(request.ticket().term, last, 1, true)), NO_DATA, keepsTicket);
    return true;
  }

  private static void assertAppends(HolderServer leader, SignedTicket ticket, int count)
      throws IOException {
    for (int i = 0; i < count; i++) {
      assertDone(leader.ask(append(ticket), DATA));
    }
  }

  @Test
  void followerIsShownATicketOnce() throws IOException {
    HolderServer a = start("a");
    try (FakeFollower follower = FakeFollower.keeping((number, request, data, socket) ->
        done(number, request, socket, number == 0))) {
      assertAppends(a, ticket(1, a.self(), follower.node()), 4);
      // The first one begins the term.
      assertEquals(List.of(true, false, false, false, false), follower.whole());
      assertEquals(0, follower.unknown());
    }
  }

  @Test
  void followerOfAnOldVersionIsShownEachTicket() throws IOException {
    HolderServer a = start("a");
    try (FakeFollower follower = FakeFollower.start((number, request, data, socket) ->
        done(number, request, socket, false))) {
      assertAppends(a, ticket(1, a.self(), follower.node()), 4);
      assertEquals(List.of(true, true, true, true, true), follower.whole());
      assertEquals(0, follower.unknown());
    }
  }

  /** A follower forgets what it has kept. The leader shows it once more, and the term goes on. */
  @Test
  void followerThatDoesNotKnowATicketIsShownIt() throws IOException {
    HolderServer a = start("a");
    try (FakeFollower follower = FakeFollower.start((number, request, data, socket) ->
        done(number, request, socket, true))) {
      assertAppends(a, ticket(1, a.self(), follower.node()), 3);
      assertEquals(List.of(true, true, true, true), follower.whole());
      assertEquals(3, follower.unknown());
    }
  }

  /** A follower that answers even a ticket that it does not know it ends the term. */
  @Test
  void followerThatNeverKnowsATicketIsNotAskedForEver() throws IOException {
    HolderServer a = start("a");
    try (FakeFollower follower = FakeFollower.start((number, request, data, socket) -> {
      UpdateFraming.write(socket.getOutputStream(), UpdateAnswer.refused(
          UpdateStatus.UNKNOWN_TICKET, "injected", null, LogPosition.NOTHING), NO_DATA);
      return false;
    })) {
      UpdateAnswer answer = a.ask(append(ticket(1, a.self(), follower.node())), DATA);
      assertStatus(UpdateStatus.TERM_OVER, answer);
      assertEquals(2, follower.requests());
    }
  }

  @Test
  void realFollowersKeepTickets() throws IOException {
    HolderServer a = start("a");
    HolderServer b = start("b");
    SignedTicket first = ticket(1, a.self(), b.self());
    SignedTicket second = ticket(1, a.self(), b.self());
    try (Caller caller = new Caller(a)) {
      for (int i = 0; i < 3; i++) {
        assertDone(caller.ask(append(first)));
        assertDone(caller.ask(append(second)));
      }
      b.refuseAll("the token has expired");
      assertStatus(UpdateStatus.TERM_OVER, caller.ask(append(first)));
    }
    assertEquals(3, updates(b, first));
    assertEquals(3, updates(b, second));
  }
}
