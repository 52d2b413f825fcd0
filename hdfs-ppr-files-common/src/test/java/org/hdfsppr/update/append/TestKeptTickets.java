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
package org.hdfsppr.update.append;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier.AccessMode;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.security.token.Token;
import org.hdfsppr.plan.BlockRef;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.update.append.proto.UpdateProtos.KeptTicketProto;
import org.hdfsppr.update.append.proto.UpdateProtos.UpdateRequestProto;
import org.hdfsppr.wire.ChannelInput;
import org.hdfsppr.wire.MalformedRequestException;
import org.hdfsppr.wire.RequestFraming;
import org.junit.jupiter.api.Test;

/** Tests that a ticket goes over a connection once, and that no request gets another one. */
@InterfaceAudience.Private
class TestKeptTickets {
  private static final byte[] DATA = {1, 2, 3, 4, 5};

  /** What the caller knows of the connection. */
  private final ShownTickets shown = new ShownTickets();
  /** What the node keeps for it. */
  private final KeptTickets kept = new KeptTickets();
  /** The bytes of the last request. */
  private byte[] sent;

  private static Token<BlockTokenIdentifier> token(int number, int bytes) {
    return new Token<>(new byte[bytes], new byte[] {(byte) number}, new Text("kind"),
        new Text("service"));
  }

  private static SignedTicket ticket(int unit, int token, int tokenBytes) {
    return SignedTicket.of(new UpdateTicket(new UnitId(new UUID(3, 4), 5, unit),
        new BlockRef("BP-1", -16 - unit, 1001, 1000), 8, 7, 9,
        List.of(new NodeRef("uuid-1", "10.0.0.1", "host-1", 9866, 9877, "/rack-1"))),
        token(token, tokenBytes));
  }

  private static SignedTicket ticket(int unit) {
    return ticket(unit, 1, 100);
  }

  private static AppendRequest append(SignedTicket ticket) {
    return new AppendRequest(ticket, 0, true, Payload.of(DATA));
  }

  /** Sends a request, and checks that it arrives as it was sent. */
  private UpdateRequest send(UpdateRequest request) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    UpdateFraming.write(out, request, request.payload.length == 0 ? new byte[0] : DATA,
        shown);
    sent = out.toByteArray();
    UpdateRequest read = read(sent);
    assertEquals(request.toProto(), read.toProto());
    return read;
  }

  private UpdateRequest read(byte[] bytes) throws IOException {
    ChannelInput in = new ChannelInput(new ByteArrayInputStream(bytes));
    assertEquals(UpdateFraming.OP_UPDATE, RequestFraming.readOpcode(in));
    return UpdateFraming.readRequest(in, kept);
  }

  private void answer(UpdateRequest request, UpdateAnswer answer, boolean keepsTicket)
      throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    UpdateFraming.write(out, answer, new byte[0], keepsTicket);
    UpdateFraming.readAnswer(new ChannelInput(new ByteArrayInputStream(out.toByteArray())),
        request, shown);
  }

  private void answer(UpdateRequest request, boolean keepsTicket) throws IOException {
    answer(request, UpdateAnswer.done(LogPosition.NOTHING), keepsTicket);
  }

  /** Sends a request, which the node takes as one with the right to ask. */
  private void exchange(UpdateRequest request) throws IOException {
    send(request);
    answer(request, kept.keep());
  }

  /** {@return whether a request would have its ticket now} */
  private boolean isWhole(SignedTicket ticket) {
    return shown.mention(ticket).isWhole;
  }

  @Test
  void ticketIsShownOnce() throws IOException {
    exchange(append(ticket(1)));
    int whole = sent.length;
    List<NumberedUpdate> records = List.of(new NumberedUpdate(11, 9, 100, 5));
    for (UpdateRequest request : List.of(append(ticket(1)),
        new ReplicateRequest(ticket(1), null, records, true, Payload.of(DATA)),
        new TrimRequest(ticket(1), 9), new ReadLogRequest(ticket(1), 4, 4096),
        new ListLogRequest(ticket(1), 4), new BeginTermRequest(ticket(1)))) {
      exchange(request);
      assertTrue(sent.length < whole - 150, sent.length + " bytes, at first " + whole);
    }
  }

  @Test
  void anotherTicketOrTokenIsShown() throws IOException {
    exchange(append(ticket(1)));
    for (SignedTicket other : List.of(ticket(2), ticket(1, 2, 100))) {
      assertTrue(isWhole(other));
      exchange(append(other));
      assertFalse(isWhole(other));
    }
    assertFalse(isWhole(ticket(1)));
    exchange(append(ticket(1)));
  }

  @Test
  void nodeOfAnOldVersionIsShownEachTicket() throws IOException {
    for (int i = 0; i < 100; i++) {
      UpdateRequest request = append(ticket(i % 4));
      send(request);
      answer(request, false);
      assertTrue(isWhole(ticket(i % 4)));
    }
  }

  @Test
  void callerOfAnOldVersionGetsNoFlag() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    UpdateFraming.write(out, append(ticket(1)), DATA);
    read(out.toByteArray());
    assertFalse(kept.keep());
    assertFalse(UpdateAnswer.done(LogPosition.NOTHING).toProto(false)
        .hasKeepsTicket());
  }

  @Test
  void ticketWithoutARightIsNotKept() throws IOException {
    UpdateRequest request = append(ticket(1));
    send(request);
    answer(request, false);
    for (int number = 0; number < KeptTickets.TICKETS_MOST; number++) {
      byte[] named = named(ticket(1), number);
      assertThrows(UnknownTicketException.class, () -> UpdateRequests.parse(named, kept));
    }
  }

  /** Returns a request that names a ticket, whether the connection keeps it or not. */
  private static byte[] named(SignedTicket ticket, int number) {
    return append(ticket).toProto(TicketMention.kept(ticket, number)).toByteArray();
  }

  @Test
  void anotherTicketOfTheSameNumberIsNotTaken() throws IOException {
    exchange(append(ticket(1)));
    assertEquals(ticket(1).mark(AccessMode.WRITE),
        UpdateRequests.parse(named(ticket(1), 0), kept).signed().mark(AccessMode.WRITE));
    for (SignedTicket other : List.of(ticket(2), ticket(1, 2, 100))) {
      assertThrows(UnknownTicketException.class,
          () -> UpdateRequests.parse(named(other, 0), kept));
    }
    for (int number : new int[] {-1, KeptTickets.TICKETS_MOST, Integer.MAX_VALUE}) {
      MalformedRequestException refused = assertThrows(MalformedRequestException.class,
          () -> UpdateRequests.parse(named(ticket(1), number), kept));
      assertFalse(refused instanceof UnknownTicketException);
    }
  }

  /** The caller gives a number to another ticket, for which the node then finds no right. */
  @Test
  void numberThatWasGivenAnewNamesNothingBefore() throws IOException {
    exchange(append(ticket(1)));
    UpdateRequests.parse(append(ticket(2)).toProto(TicketMention.toBeKept(ticket(2),
        0)).toByteArray(), kept);
    for (SignedTicket each : List.of(ticket(1), ticket(2))) {
      assertThrows(UnknownTicketException.class,
          () -> UpdateRequests.parse(named(each, 0), kept));
    }
    // What comes then asks for nothing to be kept.
    UpdateRequests.parse(append(ticket(2)).toProto().toByteArray(), kept);
    assertFalse(kept.keep());
  }

  @Test
  void longTicketIsNeverKept() throws IOException {
    int around = ticket(1, 1, 0).size();
    SignedTicket longest = ticket(1, 1, KeptTickets.BYTES_MOST - around);
    exchange(append(longest));
    assertFalse(isWhole(longest));
    SignedTicket longer = ticket(2, 1, KeptTickets.BYTES_MOST - around + 1);
    exchange(append(longer));
    assertTrue(isWhole(longer));
    // A caller that asks all the same.
    UpdateRequests.parse(append(longer).toProto(TicketMention.toBeKept(longer, 5)).toByteArray(),
        kept);
    assertFalse(kept.keep());
  }

  /** Both ends keep as many, and agree which. */
  @Test
  void manyTicketsAreKeptInTurns() throws IOException {
    long seed = Long.getLong("tickets.seed", 7);
    System.out.println("-Dtickets.seed=" + seed);
    Random random = new Random(seed);
    List<Integer> latest = new ArrayList<>();
    for (int i = 0; i < 5_000; i++) {
      int unit = random.nextInt(14);
      int token = random.nextInt(5);
      boolean hasRight = random.nextInt(10) > 0;
      UpdateRequest request = append(ticket(unit, token, 100));
      Integer one = unit * 5 + token;
      boolean isWhole = isWhole(request.signed());
      assertEquals(!latest.contains(one), isWhole);
      send(request);
      answer(request, hasRight && kept.keep());
      if (isWhole && latest.size() == KeptTickets.TICKETS_MOST) {
        latest.remove(0);
      }
      if (latest.remove(one) || hasRight) {
        latest.add(one);
      }
    }
  }

  @Test
  void requestsThatContradictThemselvesAreRefused() {
    UpdateRequestProto whole = append(ticket(1)).toProto();
    KeptTicketProto named = TicketMention.kept(ticket(1), 0).kept();
    for (UpdateRequestProto.Builder wrong : List.of(whole.toBuilder().clearTicket(),
        whole.toBuilder().clearToken(), whole.toBuilder().clearTicket().clearToken(),
        whole.toBuilder().setKept(named), whole.toBuilder().clearToken().setKept(named),
        whole.toBuilder().clearTicket().clearToken().setKept(named).setKeepAs(0),
        whole.toBuilder().setKeepAs(KeptTickets.TICKETS_MOST), whole.toBuilder().setKeepAs(-1))) {
      MalformedRequestException refused = assertThrows(MalformedRequestException.class,
          () -> UpdateRequests.parse(wrong.build().toByteArray(), kept));
      assertFalse(refused instanceof UnknownTicketException);
    }
  }

  @Test
  void unknownTicketIsAnExceptionOfTheCaller() throws IOException {
    UpdateRequest request = append(ticket(1));
    send(request);
    UnknownTicketException unknown = assertThrows(UnknownTicketException.class, () ->
        answer(request, UpdateAnswer.refused(UpdateStatus.UNKNOWN_TICKET, "Ticket 3 is none", null,
            LogPosition.NOTHING), false));
    assertEquals("Ticket 3 is none", unknown.getMessage());
  }

  /** However damaged its bytes are, a request has the ticket that it shows, or a kept one. */
  @Test
  void noBytesDoHarm() throws IOException {
    long seed = Long.getLong("messages.seed", 5);
    System.out.println("-Dmessages.seed=" + seed);
    Random random = new Random(seed);
    for (int unit = 0; unit < 3; unit++) {
      exchange(append(ticket(unit)));
    }
    int taken = 0;
    int unknown = 0;
    for (int round = 0; round < 30_000; round++) {
      byte[] bytes = named(ticket(random.nextInt(4)), random.nextInt(4));
      for (int i = random.nextInt(3); i > 0; i--) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
      }
      try {
        SignedTicket found = UpdateRequests.parse(bytes, kept).signed();
        assertTrue(found.ticket.unit.unit < 3, found.ticket.toString());
        taken++;
      } catch (UnknownTicketException e) {
        unknown++;
      } catch (MalformedRequestException e) {
        assertFalse(e.getMessage().isEmpty());
      }
    }
    assertTrue(taken > 1_000 && unknown > 1_000, taken + " taken, " + unknown + " unknown");
  }

  /** Counts writes, each of which is a packet at least. */
  private static final class Packets extends ByteArrayOutputStream {
    private int count;

    @Override
    public synchronized void write(byte[] bytes, int from, int length) {
      count++;
      super.write(bytes, from, length);
    }
  }

  @Test
  void shortDataGoOutWithTheirMessage() throws IOException {
    byte[] data = new byte[5_000];
    Packets request = new Packets();
    UpdateRequest append = new AppendRequest(SignedTicket.of(new UpdateTicket(
        new UnitId(new UUID(3, 4), 5, 1), new BlockRef("BP-1", -16, 1001, 10_000), 8, 7, 9,
        ticket(1).ticket.holders), token(1, 10)), 0, true, Payload.of(data));
    UpdateFraming.write(request, append, data, shown);
    assertEquals(1, request.count);
    ChannelInput in = new ChannelInput(new ByteArrayInputStream(request.toByteArray()));
    RequestFraming.readOpcode(in);
    assertArrayEquals(data,
        UpdateFraming.readData(in, UpdateFraming.readRequest(in, kept).payload));
    assertTrue(in.isDrained());
    Packets answer = new Packets();
    UpdateFraming.write(answer, UpdateAnswer.done(LogPosition.NOTHING), data);
    assertEquals(1, answer.count);
  }
}
