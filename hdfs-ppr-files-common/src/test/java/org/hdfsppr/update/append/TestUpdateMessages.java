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
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier.AccessMode;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.apache.hadoop.util.StringUtils;
import org.hdfsppr.plan.BlockRef;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.update.append.proto.UpdateProtos.TicketProto;
import org.hdfsppr.update.append.proto.UpdateProtos.UpdateRequestProto;
import org.hdfsppr.wire.ChannelInput;
import org.hdfsppr.wire.MalformedRequestException;
import org.hdfsppr.wire.RequestFraming;
import org.junit.jupiter.api.Test;

/** Tests that messages about logs arrive as they were sent, and that all others are refused. */
@InterfaceAudience.Private
class TestUpdateMessages {
  private static final int UNIT_BYTES = 1000;
  private static final byte[] DATA = {1, 2, 3, 4, 5};
  private static final Token<BlockTokenIdentifier> TOKEN = new Token<>(new byte[] {1},
      new byte[] {2}, new Text("kind"), new Text("service"));

  private static NodeRef node(int number) {
    return new NodeRef("uuid-" + number, "10.0.0." + number, "host-" + number, 9866, 9877,
        "/rack-" + number);
  }

  private static UpdateTicket ticket() {
    return new UpdateTicket(new UnitId(new UUID(3, 4), 5, 6),
        new BlockRef("BP-1", -16, 1001, UNIT_BYTES),
        8, 7, 9, List.of(node(1), node(2)));
  }

  private static SignedTicket signed() {
    return SignedTicket.of(ticket(), TOKEN);
  }

  private static List<UpdateRequest> requests() {
    List<NumberedUpdate> records =
        List.of(new NumberedUpdate(11, 9, 100, 2), new NumberedUpdate(12, 10, 997, 3));
    return List.of(new AppendRequest(signed(), 995, true, Payload.of(DATA)),
        new AppendRequest(signed(), 0, false, Payload.of(DATA)),
        new ReplicateRequest(signed(), null, records, true, Payload.of(DATA)),
        new ReplicateRequest(signed(), new TermBegin(7, 3, 10), Collections.emptyList(), false,
            Payload.NONE),
        new TrimRequest(signed(), 9), new ReadLogRequest(signed(), 4, 4096));
  }

  private static byte[] data(UpdateRequest request) {
    return request.payload.length == 0 ? new byte[0] : DATA;
  }

  private static byte[] written(UpdateRequest request) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    UpdateFraming.write(out, request, data(request));
    return out.toByteArray();
  }

  private static ChannelInput in(byte[] bytes) {
    return new ChannelInput(new ByteArrayInputStream(bytes));
  }

  @Test
  void requestsArriveAsTheyWereSent() throws IOException {
    for (UpdateRequest request : requests()) {
      ChannelInput in = in(written(request));
      assertEquals(UpdateFraming.OP_UPDATE, RequestFraming.readOpcode(in));
      UpdateRequest read = UpdateFraming.readRequest(in);
      assertEquals(request.getClass(), read.getClass());
      assertArrayEquals(data(request), UpdateFraming.readData(in, read.payload));
      assertTrue(in.isDrained());
      assertEquals(request.toProto(), read.toProto());
    }
  }

  @Test
  void ticketArrivesAsItWasMade() throws IOException {
    UpdateTicket read = UpdateTicket.parse(ticket().toBytes());
    assertEquals(ticket().unit, read.unit);
    assertEquals("BP-1", read.poolId());
    assertEquals(ticket().block, read.block);
    assertEquals(8, read.term);
    assertEquals(7, read.previousTerm);
    assertEquals(9, read.epoch);
    assertTrue(read.leader().saysTheSameAs(node(1)));
    assertEquals(1, read.followers().size());
    assertTrue(read.followers().get(0).saysTheSameAs(node(2)));
  }

  @Test
  void fieldsArriveAsTheyWereSent() throws IOException {
    List<UpdateRequest> read = new ArrayList<>();
    for (UpdateRequest request : requests()) {
      read.add(UpdateRequests.parse(request.toProto().toByteArray(), new KeptTickets()));
    }
    AppendRequest append = (AppendRequest) read.get(0);
    assertEquals(995, append.offset);
    assertTrue(append.durable);
    assertFalse(((AppendRequest) read.get(1)).durable);
    ReplicateRequest replicate = (ReplicateRequest) read.get(2);
    assertTrue(replicate.durable);
    assertFalse(replicate.begin().isPresent());
    assertEquals(2, replicate.records.size());
    NumberedUpdate second = replicate.records.get(1);
    assertEquals(12, second.sequence);
    assertEquals(10, second.epoch);
    assertEquals(997, second.offset);
    assertEquals(3, second.length);
    TermBegin begin = ((ReplicateRequest) read.get(3)).begin().get();
    assertEquals(7, begin.previousTerm);
    assertEquals(3, begin.first);
    assertEquals(10, begin.last);
    assertEquals(9, ((TrimRequest) read.get(4)).epoch);
    assertEquals(4, ((ReadLogRequest) read.get(5)).after);
    assertEquals(4096, ((ReadLogRequest) read.get(5)).bytesMost);
  }

  @Test
  void answersArriveAsTheyWereSent() throws IOException {
    LogPosition position = new LogPosition(8, 12, 9, true);
    UpdateRequest request = requests().get(5);
    List<UpdateAnswer> answers = List.of(UpdateAnswer.done(position),
        UpdateAnswer.done(position).withRoom(new LogSpace(7L << 40, 1 << 17)),
        UpdateAnswer.done(position).withRoom(LogSpace.NONE),
        UpdateAnswer.refused(UpdateStatus.TERM_OVER, "why\nso", node(3), LogPosition.NOTHING),
        UpdateAnswer.read(position, List.of(new NumberedUpdate(5, 9, 1, 5)), Payload.of(DATA)));
    for (UpdateAnswer answer : answers) {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      UpdateFraming.write(out, answer, answer.payload.length == 0 ? new byte[0] : DATA);
      ChannelInput in = in(out.toByteArray());
      UpdateAnswer read = UpdateFraming.readAnswer(in, request);
      assertEquals(answer.status, read.status);
      assertEquals(answer.message.replace('\n', ' '), read.message);
      assertEquals(answer.node(), read.node());
      assertEquals(answer.position.term, read.position.term);
      assertEquals(answer.position.last, read.position.last);
      assertEquals(answer.position.epoch, read.position.epoch);
      assertEquals(answer.position.complete, read.position.complete);
      assertEquals(answer.records.size(), read.records.size());
      assertEquals(answer.room().map(LogSpace::toString), read.room().map(LogSpace::toString));
      UpdateFraming.readData(in, read.payload);
      assertTrue(in.isDrained());
    }
    byte[] unasked = answers.get(4).toProto(false).toByteArray();
    assertThrows(MalformedRequestException.class,
        () -> UpdateAnswer.parse(unasked, requests().get(0), new ShownTickets()));
    assertThrows(MalformedRequestException.class,
        () -> UpdateAnswer.parse(unasked, new ReadLogRequest(signed(), 5, 100),
            new ShownTickets()));
  }

  private static OldBytes old(long block, OldBytes.Range... ranges) {
    return new OldBytes(new BlockRef("BP-1", block, 1002, UNIT_BYTES), List.of(ranges));
  }

  @Test
  void oldBytesArriveAsTheyWereSent() throws IOException {
    List<NumberedUpdate> records =
        List.of(new NumberedUpdate(11, 9, 100, 2), new NumberedUpdate(12, 10, 990, 10));
    byte[] data = new byte[12 + 1 + 2 + 3];
    ReplicateRequest sent = new ReplicateRequest(signed(), null, records, true,
        Payload.of(data), old(-32, new OldBytes.Range(11, 101, 1),
            new OldBytes.Range(12, 990, 2), new OldBytes.Range(12, 997, 3)));
    ReplicateRequest read = (ReplicateRequest) UpdateRequests.parse(sent.toProto().toByteArray(),
        new KeptTickets());
    assertEquals(new BlockRef("BP-1", -32, 1002, UNIT_BYTES), read.old.block);
    assertEquals(6, read.old.bytes);
    assertEquals(3, read.old.ranges.size());
    OldBytes.Range last = read.old.ranges.get(2);
    assertEquals(12, last.sequence);
    assertEquals(997, last.offset);
    assertEquals(3, last.length);
    assertEquals(sent.toProto(), read.toProto());
    assertTrue(((ReplicateRequest) requests().get(2)).old.isEmpty());
  }

  @Test
  void oldBytesOfNoUpdateAreRefused() {
    List<NumberedUpdate> records =
        List.of(new NumberedUpdate(11, 9, 100, 2), new NumberedUpdate(12, 10, 997, 3));
    List<OldBytes> wrong = List.of(old(-32, new OldBytes.Range(10, 100, 1)),
        old(-32, new OldBytes.Range(13, 997, 1)), old(-32, new OldBytes.Range(11, 99, 1)),
        old(-32, new OldBytes.Range(11, 101, 2)), old(-32, new OldBytes.Range(12, 997, 0)),
        old(-32, new OldBytes.Range(12, 997, 1), new OldBytes.Range(11, 100, 1)),
        old(-32, new OldBytes.Range(12, 997, 2), new OldBytes.Range(12, 998, 1)));
    for (OldBytes each : wrong) {
      Payload payload = Payload.of(new byte[5 + (int) each.bytes]);
      assertThrows(IllegalArgumentException.class, () ->
          new ReplicateRequest(signed(), null, records, true, payload, each));
    }
    assertThrows(IllegalArgumentException.class, () -> new ReplicateRequest(signed(), null,
        records, true, Payload.of(DATA), old(-32, new OldBytes.Range(11, 100, 1))));
    assertThrows(IllegalArgumentException.class, () ->
        new OldBytes(null, List.of(new OldBytes.Range(11, 100, 1))));
    assertThrows(IllegalArgumentException.class, () -> old(-32,
        Collections.nCopies(UpdateBounds.OLD_RANGES_MAX + 1, new OldBytes.Range(11, 100, 1))
            .toArray(new OldBytes.Range[0])));
    UpdateRequestProto right = new ReplicateRequest(signed(), null, records,
        true, Payload.of(new byte[6]), old(-32, new OldBytes.Range(11, 100, 1))).toProto();
    UpdateRequestProto noBlock = right.toBuilder().setReplicate(
        right.getReplicate().toBuilder().clearOldBlockId()).build();
    assertThrows(MalformedRequestException.class,
        () -> UpdateRequests.parse(noBlock.toByteArray(), new KeptTickets()));
  }

  /** Nothing that old versions do not know is sent unless the strategy needs it. */
  @Test
  void whoKnowsOldBytesSaysSo() throws IOException {
    assertFalse(proto().hasOldBytes());
    assertFalse(UpdateTicket.parse(ticket().toBytes()).hasOldBytes());
    UpdateTicket with = ticket().withOldBytes().ofVersion(3);
    assertTrue(UpdateTicket.parse(with.toBytes()).hasOldBytes());
    UpdateAnswer done = UpdateAnswer.done(LogPosition.NOTHING);
    assertFalse(done.toProto(false).hasKeepsOldBytes());
    byte[] keeps = done.withOldBytes(true).withRoom(LogSpace.NONE).toProto(false)
        .toByteArray();
    assertTrue(UpdateAnswer.parse(keeps, requests().get(2), new ShownTickets()).keepsOldBytes());
  }

  /** A node that does not know deltas must not take them for what updates write. */
  @Test
  void deltasAreNoRequestOfOldVersions() throws IOException {
    List<NumberedUpdate> records =
        List.of(new NumberedUpdate(11, 9, 100, 2), new NumberedUpdate(12, 10, 997, 3).asDelta());
    ReplicateRequest sent =
        new ReplicateRequest(signed(), null, records, true, Payload.of(DATA));
    UpdateRequestProto proto = sent.toProto();
    assertFalse(proto.hasReplicate());
    ReplicateRequest read = (ReplicateRequest) UpdateRequests.parse(proto.toByteArray(),
        new KeptTickets());
    assertFalse(read.records.get(0).isDelta);
    assertTrue(read.records.get(1).isDelta);
    assertTrue(read.hasDeltas());
    assertFalse(((ReplicateRequest) requests().get(2)).hasDeltas());
    for (UpdateRequestProto.Builder wrong : List.of(
        proto.toBuilder().setReplicate(proto.getReplicateDeltas()),
        proto.toBuilder().setReplicate(proto.getReplicateDeltas()).clearReplicateDeltas(),
        requests().get(2).toProto().toBuilder().clearReplicate()
            .setReplicateDeltas(requests().get(2).toProto().getReplicate()))) {
      assertThrows(MalformedRequestException.class,
          () -> UpdateRequests.parse(wrong.build().toByteArray(), new KeptTickets()));
    }
  }

  @Test
  void whoKnowsDeltasSaysSo() throws IOException {
    assertFalse(proto().hasDeltas());
    UpdateTicket with = ticket().withDeltas().ofVersion(3);
    assertTrue(UpdateTicket.parse(with.toBytes()).hasDeltas());
    assertFalse(UpdateTicket.parse(with.toBytes()).hasOldBytes());
    assertTrue(with.withOldBytes().hasDeltas());
    UpdateAnswer done = UpdateAnswer.done(LogPosition.NOTHING);
    assertFalse(done.toProto(false).hasKeepsDeltas());
    byte[] keeps = done.withDeltas().withOldBytes(false)
        .withRoom(LogSpace.NONE).toProto(false).toByteArray();
    assertTrue(UpdateAnswer.parse(keeps, requests().get(2), new ShownTickets()).keepsDeltas());
    UpdateRequestProto read = requests().get(5).toProto();
    assertTrue(((ReadLogRequest) UpdateRequests.parse(read.toByteArray(),
        new KeptTickets())).takesDeltas);
    byte[] old = read.toBuilder().setReadLog(read.getReadLog().toBuilder().clearTakesDeltas())
        .build().toByteArray();
    assertFalse(((ReadLogRequest) UpdateRequests.parse(old, new KeptTickets())).takesDeltas);
    UpdateAnswer list = UpdateAnswer.read(LogPosition.NOTHING,
        List.of(new NumberedUpdate(5, 9, 1, 5).asDelta()), Payload.of(DATA));
    assertTrue(UpdateAnswer.parse(list.toProto(false).toByteArray(), new ReadLogRequest(signed(),
        4, 100), new ShownTickets()).records.get(0).isDelta);
  }

  /** Nodes of 0.2.0 understand tickets that are not sealed, and see the same bytes and marks. */
  @Test
  void ticketsThatAreNotSealedAreThoseOfOlderVersions() throws Exception {
    TicketProto proto = TicketProto.parseFrom(signed().bytes);
    assertFalse(proto.hasSealed());
    for (AccessMode right : AccessMode.values()) {
      assertEquals("ppr-ticket-" + hex(SignedTicket.sha256(signed().bytes)),
          signed().mark(right));
      assertEquals(EnumSet.of(right), signed().tokenModes(right));
      assertEquals(ticket().block.toExtendedBlock(), signed().tokenBlock());
    }
  }

  @Test
  void tokenOfASealedTicketIsOfNoBlockAndHasNoMode() throws Exception {
    SignedTicket sealed = SignedTicket.of(ticket().withSeal(), new Token<>());
    assertTrue(SignedTicket.parse(sealed.bytes, sealed.token).ticket.sealed);
    assertTrue(ticket().withSeal().withDeltas().withOldBytes().ofVersion(0).sealed);
    Set<String> marks = new HashSet<>();
    for (AccessMode right : AccessMode.values()) {
      assertEquals(EnumSet.noneOf(AccessMode.class), sealed.tokenModes(right));
      assertTrue(marks.add(sealed.mark(right)));
      assertTrue(sealed.mark(right).endsWith(hex(SignedTicket.sha256(sealed.bytes))));
      assertNotEquals(hex(SignedTicket.sha256(signed().bytes)),
          hex(SignedTicket.sha256(sealed.bytes)));
    }
    assertEquals(ticket().poolId(), sealed.tokenBlock().getBlockPoolId());
    assertEquals(SignedTicket.NO_BLOCK, sealed.tokenBlock().getBlockId());
  }

  private static String hex(ByteString bytes) {
    return StringUtils.byteToHexString(bytes.toByteArray());
  }

  @Test
  void markChangesWithEachBitOfTheTicket() {
    byte[] bytes = ticket().toBytes().toByteArray();
    String mark = signed().mark(AccessMode.WRITE);
    assertEquals(mark, signed().with(new Token<>()).mark(AccessMode.WRITE));
    for (int bit = 0; bit < 8 * bytes.length; bit++) {
      byte[] other = bytes.clone();
      other[bit / 8] ^= 1 << bit % 8;
      assertNotEquals(mark, "ppr-ticket-" + hex(SignedTicket.sha256(ByteString.copyFrom(other))));
    }
  }

  private static TicketProto.Builder proto() throws IOException {
    return TicketProto.parseFrom(ticket().toBytes()).toBuilder();
  }

  @Test
  void ticketsThatContradictThemselvesAreRefused() throws IOException {
    List<TicketProto.Builder> wrong = List.of(proto().setTerm(0), proto().setTerm(-1),
        proto().setPreviousTerm(8), proto().setPreviousTerm(-1), proto().setEpoch(0),
        proto().setGroup(-1), proto().setGroup(UpdateBounds.GROUP_MAX + 1), proto().setUnit(16),
        proto().clearHolders(), proto().addHolders(proto().getHolders(0)),
        proto().setBlockPoolId("other\n"), proto().setBlockPoolId(""),
        proto().setBlock(proto().getBlock().toBuilder().setBlockPoolId("BP-2")),
        proto().setBlock(proto().getBlock().toBuilder().clearLength()));
    for (TicketProto.Builder each : wrong) {
      UpdateRequestProto request = requests().get(4).toProto().toBuilder()
          .setTicket(each.build().toByteString()).build();
      assertThrows(MalformedRequestException.class,
          () -> UpdateRequests.parse(request.toByteArray(), new KeptTickets()), each.toString());
    }
  }

  @Test
  void requestsThatContradictThemselvesAreRefused() {
    assertThrows(IllegalArgumentException.class,
        () -> new AppendRequest(signed(), 996, true, Payload.of(DATA)));
    assertThrows(IllegalArgumentException.class,
        () -> new AppendRequest(signed(), -1, true, Payload.of(DATA)));
    assertThrows(IllegalArgumentException.class,
        () -> new AppendRequest(signed(), 0, true, Payload.NONE));
    List<List<NumberedUpdate>> wrong = List.of(List.of(new NumberedUpdate(1, 1, 0, 4)),
        List.of(new NumberedUpdate(1, 1, 996, 5)), List.of(new NumberedUpdate(0, 1, 0, 5)),
        List.of(new NumberedUpdate(1, 0, 0, 5)), List.of(new NumberedUpdate(1, 1, -1, 5)),
        List.of(new NumberedUpdate(1, 1, 0, 5), new NumberedUpdate(2, 1, 0, 0)),
        List.of(new NumberedUpdate(1, 1, 0, 2), new NumberedUpdate(3, 1, 0, 3)),
        List.of(new NumberedUpdate(1, 2, 0, 2), new NumberedUpdate(2, 1, 0, 3)));
    for (List<NumberedUpdate> records : wrong) {
      assertThrows(IllegalArgumentException.class,
          () -> new ReplicateRequest(signed(), null, records, true, Payload.of(DATA)));
    }
    assertThrows(IllegalArgumentException.class, () -> new TermBegin(0, 0, 0));
    assertThrows(IllegalArgumentException.class, () -> new TermBegin(0, 3, 1));
    assertThrows(IllegalArgumentException.class, () -> new ReplicateRequest(signed(),
        new TermBegin(8, 1, 0), Collections.emptyList(), true, Payload.NONE));
    assertThrows(IllegalArgumentException.class, () -> new TrimRequest(signed(), 0));
    assertThrows(IllegalArgumentException.class, () -> new ReadLogRequest(signed(), -1, 0));
    assertThrows(IllegalArgumentException.class,
        () -> new ReadLogRequest(signed(), 0, UpdateBounds.DATA_BYTES_MAX + 1));
    UpdateRequestProto trim = requests().get(4).toProto();
    UpdateRequestProto two = trim.toBuilder()
        .setReadLog(requests().get(5).toProto().getReadLog()).build();
    assertThrows(MalformedRequestException.class, () -> UpdateRequests.parse(two.toByteArray(),
        new KeptTickets()));
    assertThrows(MalformedRequestException.class,
        () -> UpdateRequests.parse(trim.toBuilder().clearTrim().build().toByteArray(),
            new KeptTickets()));
    assertThrows(MalformedRequestException.class,
        () -> UpdateRequests.parse(trim.toBuilder().setDataBytes(1).build().toByteArray(),
            new KeptTickets()));
    assertThrows(MalformedRequestException.class, () -> UpdateRequests.parse(trim.toBuilder()
        .setDataBytes(UpdateBounds.DATA_BYTES_MAX + 1).build().toByteArray(), new KeptTickets()));
  }

  @Test
  void damagedBytesAreRefused() throws IOException {
    UpdateRequest request = requests().get(0);
    byte[] bytes = written(request);
    for (int at = 3; at < bytes.length; at++) {
      byte[] wrong = bytes.clone();
      wrong[at] ^= 1;
      assertThrows(IOException.class, () -> {
        ChannelInput in = in(wrong);
        RequestFraming.readOpcode(in);
        UpdateFraming.readData(in, UpdateFraming.readRequest(in).payload);
      }, "byte " + at);
    }
  }

  @Test
  void noBytesDoHarm() {
    long seed = Long.getLong("messages.seed", 5);
    System.out.println("-Dmessages.seed=" + seed);
    Random random = new Random(seed);
    int read = 0;
    for (int round = 0; round < 50_000; round++) {
      byte[] bytes = requests().get(random.nextInt(6)).toProto().toByteArray();
      for (int i = random.nextInt(4); i >= 0; i--) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
      }
      if (random.nextInt(4) == 0) {
        bytes = Arrays.copyOf(bytes, random.nextInt(bytes.length));
      }
      try {
        UpdateRequests.parse(bytes, new KeptTickets());
        read++;
      } catch (MalformedRequestException e) {
        assertFalse(e.getMessage().isEmpty());
      }
      try {
        UpdateAnswer.parse(bytes, requests().get(5), new ShownTickets());
      } catch (MalformedRequestException e) {
        assertFalse(e.getMessage().isEmpty());
      }
    }
    assertTrue(read > 100, read + " requests made sense");
  }

  @Test
  void largeDataGoInPieces() throws IOException {
    byte[] data = new byte[UpdateBounds.UPDATE_BYTES_MAX];
    new Random(3).nextBytes(data);
    ByteArrayOutputStream sent = new ByteArrayOutputStream();
    OutputStream out = new FilterOutputStream(sent) {
      @Override
      public void write(byte[] bytes, int from, int length) {
        assertTrue(length <= 64 << 10, length + " bytes at once");
        sent.write(bytes, from, length);
      }
    };
    UpdateFraming.write(out, UpdateAnswer.done(LogPosition.NOTHING), data);
    byte[] bytes = sent.toByteArray();
    InputStream in = new ByteChannelStream(Arrays.copyOfRange(bytes, bytes.length - data.length,
        bytes.length));
    assertArrayEquals(data, UpdateFraming.readData(new ChannelInput(in), Payload.of(data)));
  }

  /** A connection that a reader may ask for a bounded number of bytes at once. */
  private static final class ByteChannelStream extends ByteArrayInputStream
      implements ReadableByteChannel {
    ByteChannelStream(byte[] bytes) {
      super(bytes);
    }

    @Override
    public int read(ByteBuffer into) {
      assertTrue(into.remaining() <= 64 << 10, into.remaining() + " bytes at once");
      int length = read(into.array(), into.arrayOffset() + into.position(), into.remaining());
      into.position(into.position() + Math.max(0, length));
      return length;
    }

    @Override
    public boolean isOpen() {
      return true;
    }

    @Override
    public void close() {
      // Nothing is open.
    }
  }

  @Test
  void statusesHaveTheirNumbers() {
    for (UpdateStatus status : UpdateStatus.values()) {
      assertEquals(status, UpdateStatus.ofNumber(status.number));
      assertEquals(status.ordinal(), status.number);
    }
    assertEquals(UpdateStatus.FAILED, UpdateStatus.ofNumber(1000));
  }
}
