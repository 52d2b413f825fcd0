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
package org.hdfsppr.update.view;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier.AccessMode;
import org.apache.hadoop.security.token.Token;
import org.hdfsppr.plan.BlockRef;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.update.append.KeptTickets;
import org.hdfsppr.update.append.ShownTickets;
import org.hdfsppr.update.append.SignedTicket;
import org.hdfsppr.update.append.UnitId;
import org.hdfsppr.update.append.UnknownTicketException;
import org.hdfsppr.update.append.UpdateStatus;
import org.hdfsppr.update.append.UpdateTicket;
import org.hdfsppr.update.view.ViewFraming.PieceMask;
import org.hdfsppr.wire.ChannelInput;
import org.hdfsppr.wire.MalformedRequestException;
import org.junit.jupiter.api.Test;

/** Requests for views and their answers, whole, wrong and damaged. */
class TestViewMessages {
  /** Version and opcode, which the server reads itself. */
  private static final int FRONT = 3;
  private static final SignedTicket TICKET = SignedTicket.of(new UpdateTicket(
      new UnitId(new UUID(1, 2), 3, 1), new BlockRef("BP-1", -15, 7, 1_000), 9, 4, 1,
      List.of(new NodeRef("u1", "127.0.0.1", "h", 1, 2, "/r"))), new Token<>());

  private static ChannelInput in(byte[] bytes) {
    return new ChannelInput(new ByteArrayInputStream(bytes));
  }

  private static byte[] bytes(ViewRequest request) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ViewFraming.write(out, request);
    assertEquals(ViewFraming.OP_VIEW, out.toByteArray()[2] & 0xff);
    return Arrays.copyOfRange(out.toByteArray(), FRONT, out.size());
  }

  private static byte[] bytes(ViewRequest request, ViewAnswer answer) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ViewFraming.write(out, request, answer);
    return out.toByteArray();
  }

  @Test
  void requestsArriveAsTheyWereSent() throws IOException {
    ViewRequest range = ViewFraming.readRequest(in(bytes(ViewRequest.range(TICKET, 10, 990))));
    assertEquals(10, range.offset);
    assertEquals(990, range.length);
    assertFalse(range.isSync);
    assertEquals(TICKET.mark(AccessMode.READ), range.signed().mark(AccessMode.READ));
    ViewRequest sync = ViewFraming.readRequest(in(bytes(ViewRequest.sync(TICKET))));
    assertTrue(sync.isSync);
    assertEquals(0, sync.length);
  }

  @Test
  void aRangeLiesWithinTheUnit() {
    assertThrows(IllegalArgumentException.class, () -> ViewRequest.range(TICKET, 10, 991));
    assertThrows(IllegalArgumentException.class, () -> ViewRequest.range(TICKET, -1, 5));
    assertThrows(IllegalArgumentException.class, () -> ViewRequest.range(TICKET, 5, 0));
  }

  @Test
  void answersArriveAsTheyWereSent() throws IOException {
    ViewRequest request = ViewRequest.range(TICKET, 100, 50);
    ViewAnswer answer = ViewFraming.readAnswer(in(bytes(request, ViewAnswer.done(9, 6,
        List.of(new ViewPiece(100, 2), new ViewPiece(120, 1)), new byte[] {1, 2, 3}))),
        request);
    assertTrue(answer.isDone());
    assertEquals(9, answer.term);
    assertEquals(6, answer.base);
    assertEquals("[[100,102), [120,121)]", answer.pieces.toString());
    assertArrayEquals(new byte[] {1, 2, 3}, answer.data);
    NavigableMap<Long, Long> bases = new TreeMap<>(Map.of(4L, 3L, 7L, 3L, 9L, 6L));
    assertEquals(bases, ViewFraming.readAnswer(in(bytes(request, ViewAnswer.done(9, 6, bases,
        List.of(), new byte[0]))), request).bases);
    ViewAnswer refused = ViewFraming.readAnswer(
        in(bytes(request, ViewAnswer.refused(UpdateStatus.STALE_TERM, "old\nterm"))), request);
    assertEquals(UpdateStatus.STALE_TERM, refused.status);
    assertFalse(refused.message.contains("\n"));
  }

  @Test
  void anAnswerThatDoesNotFitIsRefused() throws IOException {
    ViewRequest request = ViewRequest.range(TICKET, 100, 50);
    NavigableMap<Long, Long> many = new TreeMap<>();
    for (long term = 1; term <= ViewAnswer.TERMS_MAX + 1; term++) {
      many.put(term, term);
    }
    for (ViewAnswer wrong : List.of(
        ViewAnswer.done(9, 6, new TreeMap<>(Map.of(10L, 3L)), List.of(), new byte[0]),
        ViewAnswer.done(9, 6, new TreeMap<>(Map.of(0L, 3L)), List.of(), new byte[0]),
        ViewAnswer.done(9, 6, new TreeMap<>(Map.of(3L, -1L)), List.of(), new byte[0]),
        ViewAnswer.done(99, 6, many, List.of(), new byte[0]),
        ViewAnswer.done(9, 6, List.of(new ViewPiece(99, 2)), new byte[2]),
        ViewAnswer.done(9, 6, List.of(new ViewPiece(149, 2)), new byte[2]),
        ViewAnswer.done(9, 6, List.of(new ViewPiece(120, 2), new ViewPiece(121, 2)),
            new byte[4]),
        ViewAnswer.done(9, 6, List.of(new ViewPiece(120, 2)), new byte[3]),
        ViewAnswer.done(9, 6, List.of(), new byte[51]))) {
      assertThrows(MalformedRequestException.class, () ->
          ViewFraming.readAnswer(in(bytes(request, wrong)), request), wrong.pieces.toString());
    }
  }

  @Test
  void anyNumberOfPiecesIsOneAnswer() throws IOException {
    SignedTicket ticket = SignedTicket.of(new UpdateTicket(new UnitId(new UUID(1, 2), 3, 1),
        new BlockRef("BP-1", -15, 7, 1 << 20), 9, 4, 1,
        List.of(new NodeRef("u1", "127.0.0.1", "h", 1, 2, "/r"))), new Token<>());
    Random random = new Random(5);
    for (int count : new int[] {ViewAnswer.LISTED_MAX, ViewAnswer.LISTED_MAX + 1, 50_000}) {
      ViewRequest request = ViewRequest.range(ticket, 77, 3 * count + 5);
      List<ViewPiece> pieces = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        pieces.add(new ViewPiece(77 + 3L * i, i % 2 + 1));
      }
      byte[] data = new byte[pieces.stream().mapToInt(piece -> piece.length).sum()];
      random.nextBytes(data);
      byte[] sent = bytes(request, ViewAnswer.done(9, 6, pieces, data));
      ViewAnswer answer = ViewFraming.readAnswer(in(sent), request);
      assertEquals(pieces.toString(), answer.pieces.toString());
      assertArrayEquals(data, answer.data);
      sent[sent.length - data.length - 1] ^= 1;
      assertThrows(MalformedRequestException.class, () ->
          ViewFraming.readAnswer(in(sent), request));
    }
  }

  @Test
  void piecesMayBeDeltas() throws IOException {
    SignedTicket ticket = SignedTicket.of(new UpdateTicket(new UnitId(new UUID(1, 2), 3, 1),
        new BlockRef("BP-1", -15, 7, 1 << 20), 9, 4, 1,
        List.of(new NodeRef("u1", "127.0.0.1", "h", 1, 2, "/r"))), new Token<>());
    Random random = new Random(6);
    for (int count : new int[] {3, ViewAnswer.LISTED_MAX + 1, 50_000}) {
      ViewRequest request = ViewRequest.range(ticket, 77, 3 * count + 5);
      assertTrue(ViewFraming.readRequest(in(bytes(request))).takesDeltas);
      List<ViewPiece> pieces = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        // Some touch each other, and are of another kind.
        pieces.add(new ViewPiece(77 + 3L * i, 1, i % 2 == 0));
        pieces.add(new ViewPiece(78 + 3L * i, 1, i % 2 == 1));
      }
      byte[] data = new byte[2 * count];
      random.nextBytes(data);
      ViewAnswer answer = ViewFraming.readAnswer(
          in(bytes(request, ViewAnswer.done(9, 6, pieces, data))), request);
      assertEquals(pieces.toString(), answer.pieces.toString());
      assertArrayEquals(data, answer.data);
    }
    assertThrows(IllegalArgumentException.class, () ->
        PieceMask.pieces(new byte[] {1}, new byte[] {2}, 7, 10));
    assertEquals("[[7,8), delta [8,9), [9,10)]",
        PieceMask.pieces(new byte[] {7}, new byte[] {2}, 7, 10).toString());
  }

  /** A connection that has shown a ticket for an update need not show it for a view, and back. */
  @Test
  void ticketIsShownOnce() throws IOException {
    ShownTickets shown = new ShownTickets();
    KeptTickets kept = new KeptTickets();
    List<Integer> lengths = new ArrayList<>();
    for (ViewRequest request : List.of(ViewRequest.range(TICKET, 10, 990),
        ViewRequest.sync(TICKET), ViewRequest.range(TICKET, 0, 1))) {
      ByteArrayOutputStream sent = new ByteArrayOutputStream();
      ViewFraming.write(sent, request, shown);
      lengths.add(sent.size());
      ViewRequest read = ViewFraming.readRequest(
          in(Arrays.copyOfRange(sent.toByteArray(), FRONT, sent.size())), kept);
      assertEquals(request.length, read.length);
      assertEquals(request.isSync, read.isSync);
      assertEquals(TICKET.mark(AccessMode.READ), read.signed().mark(AccessMode.READ));
      ByteArrayOutputStream answered = new ByteArrayOutputStream();
      ViewFraming.write(answered, request,
          ViewAnswer.done(9, 6, List.of(), new byte[0]), kept.keep());
      ViewFraming.readAnswer(in(answered.toByteArray()), request, shown);
    }
    assertTrue(lengths.get(1) < lengths.get(0) - 50, lengths.toString());
    assertTrue(lengths.get(2) < lengths.get(0) - 50, lengths.toString());
    assertFalse(shown.mention(TICKET).isWhole);
  }

  @Test
  void ticketThatIsNotKeptIsUnknown() throws IOException {
    ShownTickets shown = new ShownTickets();
    shown.mention(TICKET);
    shown.answered(true);
    ViewRequest request = ViewRequest.range(TICKET, 10, 990);
    ByteArrayOutputStream sent = new ByteArrayOutputStream();
    ViewFraming.write(sent, request, shown);
    UnknownTicketException unknown = assertThrows(UnknownTicketException.class, () ->
        ViewFraming.readRequest(in(Arrays.copyOfRange(sent.toByteArray(), FRONT, sent.size())),
            new KeptTickets()));
    ByteArrayOutputStream answered = new ByteArrayOutputStream();
    ViewFraming.writeUnknownTicket(answered, unknown);
    assertEquals(unknown.getMessage(), assertThrows(UnknownTicketException.class, () ->
        ViewFraming.readAnswer(in(answered.toByteArray()), request, shown)).getMessage());
    assertEquals(UpdateStatus.UNKNOWN_TICKET.number,
        answered.toByteArray()[2], "an answer begins with its status");
  }

  @Test
  void aBitBehindTheRangeIsRefused() {
    assertEquals("[[7,8), [22,25)]",
        PieceMask.pieces(new byte[] {1, (byte) 0x80, 3}, new byte[0], 7, 18).toString());
    assertThrows(IllegalArgumentException.class, () ->
        PieceMask.pieces(new byte[] {0, 4}, new byte[0], 7, 10));
  }

  @Test
  void damagedBytesNeverPass() throws IOException {
    ViewRequest request = ViewRequest.range(TICKET, 100, 50);
    byte[] sent = bytes(request);
    byte[] answered = bytes(request, ViewAnswer.done(9, 6,
        List.of(new ViewPiece(101, 4)), new byte[] {1, 2, 3, 4}));
    Random random = new Random(8);
    for (int i = 0; i < 3_000; i++) {
      byte[] one = sent.clone();
      one[random.nextInt(one.length)] ^= (byte) (1 + random.nextInt(255));
      assertThrows(IOException.class, () -> ViewFraming.readRequest(in(one)));
      byte[] other = answered.clone();
      other[random.nextInt(other.length)] ^= (byte) (1 + random.nextInt(255));
      assertThrows(IOException.class, () -> ViewFraming.readAnswer(in(other), request));
    }
  }
}
