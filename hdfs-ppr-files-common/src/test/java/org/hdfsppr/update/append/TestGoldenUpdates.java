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

import static org.hdfsppr.golden.WireBytes.bytes;
import static org.hdfsppr.golden.WireBytes.in;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier.AccessMode;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.hdfsppr.golden.Golden;
import org.hdfsppr.golden.MessageFrame;
import org.hdfsppr.plan.BlockRef;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.update.append.proto.UpdateProtos.TicketProto;
import org.hdfsppr.update.append.proto.UpdateProtos.UpdateAnswerProto;
import org.hdfsppr.update.append.proto.UpdateProtos.UpdateRequestProto;
import org.hdfsppr.wire.ChannelInput;
import org.hdfsppr.wire.RequestFraming;
import org.junit.jupiter.api.Test;

/** The bytes of updates, of their answers, and of the tickets that both are about. */
@InterfaceAudience.Private
class TestGoldenUpdates {
  private static final byte[] DATA = {1, 2, 3, 4, 5};
  private static final byte[] NO_DATA = {};
  private static final Token<BlockTokenIdentifier> TOKEN = new Token<>(new byte[] {1, 2},
      new byte[] {3, 4}, new Text("HDFS_BLOCK_TOKEN"), new Text("10.0.0.1:9866"));
  private static final MessageFrame REQUEST =
      MessageFrame.request(UpdateRequestProto.getDefaultInstance());
  private static final MessageFrame ANSWER =
      MessageFrame.summed(UpdateAnswerProto.getDefaultInstance());

  private static NodeRef node(int number) {
    return new NodeRef("uuid-" + number, "10.0.0." + number, "host-" + number, 9866, 9877,
        "/rack-" + number);
  }

  private static UpdateTicket ticket() {
    return new UpdateTicket(new UnitId(new UUID(3, -4), 5, 6),
        new BlockRef("BP-1", -16, 1001, 1_000),
        8, 7, 9, List.of(node(1), node(2)));
  }

  private static UpdateTicket full() {
    return ticket().ofVersion(6).withOldBytes().withDeltas().withSeal();
  }

  private static SignedTicket signed() {
    return SignedTicket.of(ticket(), TOKEN);
  }

  private static byte[] again(byte[] arrived, KeptTickets kept, ShownTickets shown)
      throws IOException {
    ChannelInput in = in(arrived);
    RequestFraming.readOpcode(in);
    UpdateRequest request = UpdateFraming.readRequest(in, kept);
    byte[] data = UpdateFraming.readData(in, request.payload);
    return bytes(out -> {
      if (shown == null) {
        UpdateFraming.write(out, request, data);
      } else {
        UpdateFraming.write(out, request, data, shown);
      }
    });
  }

  private static void add(Golden golden, String sample, UpdateRequest request, byte[] data)
      throws IOException {
    golden.written(sample, REQUEST, bytes(out -> UpdateFraming.write(out, request, data)),
        arrived -> again(arrived, new KeptTickets(), null));
  }

  @Test
  void requests() throws IOException {
    Golden golden = Golden.of("update/requests");
    Payload payload = Payload.of(DATA);
    List<NumberedUpdate> records = List.of(new NumberedUpdate(11, 9, 100, 2),
        new NumberedUpdate(12, 10, 997, 3, Origin.of(-7, 8)));
    OldBytes old = new OldBytes(new BlockRef("BP-1", -32, 1002, 1_000),
        List.of(new OldBytes.Range(11, 101, 1), new OldBytes.Range(12, 997, 2)));
    byte[] more = {1, 2, 3, 4, 5, 6, 7, 8};
    add(golden, "append", new AppendRequest(signed(), 995, true, payload, Origin.of(-7, 8), 4),
        DATA);
    add(golden, "append, plain", new AppendRequest(signed(), 0, false, payload), DATA);
    add(golden, "replicate", new ReplicateRequest(signed(), new TermBegin(7, 3, 10), records,
        true, Payload.of(more), old), more);
    add(golden, "replicate, nothing", new ReplicateRequest(signed(), null, List.of(), false,
        Payload.NONE), NO_DATA);
    add(golden, "replicate deltas", new ReplicateRequest(signed(), null,
        List.of(records.get(0), records.get(1).asDelta()), false, payload), DATA);
    add(golden, "trim", new TrimRequest(signed(), 9), NO_DATA);
    add(golden, "trim all", new TrimRequest(signed(), TrimRequest.ALL), NO_DATA);
    add(golden, "read log", new ReadLogRequest(signed(), 4, 4096), NO_DATA);
    add(golden, "read log for one that knows no deltas",
        new ReadLogRequest(signed(), 4, 0, false), NO_DATA);
    add(golden, "begin term", new BeginTermRequest(signed()), NO_DATA);
    add(golden, "list log", new ListLogRequest(signed(), 4), NO_DATA);
    golden.check();
  }

  /** The second ticket has the number 1. */
  @Test
  void ticketsThatAreKept() throws IOException {
    Golden golden = Golden.of("update/kept-tickets");
    SignedTicket second = SignedTicket.of(full(), TOKEN);
    UpdateRequest request = new ListLogRequest(second, 4);
    ShownTickets shown = new ShownTickets();
    shown.mention(signed());
    shown.answered(true);
    byte[] whole = bytes(out -> UpdateFraming.write(out, request, NO_DATA, shown));
    golden.written("a ticket to be kept", REQUEST, whole, arrived -> {
      ShownTickets others = new ShownTickets();
      others.mention(signed());
      others.answered(true);
      return again(arrived, new KeptTickets(), others);
    });
    shown.answered(true);
    golden.written("a ticket that is kept", REQUEST,
        bytes(out -> UpdateFraming.write(out, request, NO_DATA, shown)), arrived -> {
          KeptTickets kept = new KeptTickets();
          again(whole, kept, null);
          kept.keep();
          return again(arrived, kept, shown);
        });
    golden.check();
  }

  private static void add(Golden golden, String sample, UpdateRequest request,
      UpdateAnswer answer, byte[] data, boolean keepsTicket) throws IOException {
    golden.written(sample, ANSWER,
        bytes(out -> UpdateFraming.write(out, answer, data, keepsTicket)), arrived -> {
          ChannelInput in = in(arrived);
          ShownTickets shown = new ShownTickets();
          shown.mention(request.signed());
          UpdateAnswer read = UpdateFraming.readAnswer(in, request, shown);
          boolean isKept = !shown.mention(request.signed()).isWhole;
          byte[] all = UpdateFraming.readData(in, read.payload);
          return bytes(out -> UpdateFraming.write(out, read, all, isKept));
        });
  }

  @Test
  void answers() throws IOException {
    Golden golden = Golden.of("update/answers");
    LogPosition position = new LogPosition(8, 12, 9, true, 3);
    UpdateRequest read = new ReadLogRequest(signed(), 4, 4096);
    add(golden, "done", read, UpdateAnswer.done(position).withRoom(new LogSpace(7L << 40, 1 << 17))
        .withOldBytes(true).withDeltas(), NO_DATA, true);
    add(golden, "done, plain", read, UpdateAnswer.done(new LogPosition(8, 12, 9, false)), NO_DATA,
        false);
    add(golden, "read log", read, UpdateAnswer.read(position, List.of(
        new NumberedUpdate(5, 9, 1, 2, Origin.of(-7, 8)).asDelta(),
        new NumberedUpdate(6, 9, 1, 3)), Payload.of(DATA)), DATA, false);
    add(golden, "list log", new ListLogRequest(signed(), 4), UpdateAnswer.read(position, List.of(
        new NumberedUpdate(5, 9, 1, 2)), Payload.NONE), NO_DATA, false);
    for (UpdateStatus status : UpdateStatus.values()) {
      UpdateAnswer refused = UpdateAnswer.refused(status, "why", node(3), LogPosition.NOTHING);
      if (status == UpdateStatus.UNKNOWN_TICKET) {
        golden.written("refused: " + status, ANSWER,
            bytes(out -> UpdateFraming.write(out, refused, NO_DATA)));
      } else {
        add(golden, "refused: " + status, read, refused, NO_DATA, false);
      }
    }
    golden.check();
  }

  @Test
  void tickets() throws IOException {
    Golden golden = Golden.of("update/tickets");
    MessageFrame frame = MessageFrame.bare(TicketProto.getDefaultInstance());
    for (UpdateTicket ticket : List.of(ticket(), full())) {
      String name = ticket.sealed ? "sealed" : "plain";
      SignedTicket signed = SignedTicket.of(ticket, TOKEN);
      golden.written("ticket, " + name, frame, signed.bytes.toByteArray(), arrived ->
          SignedTicket.parse(ByteString.copyFrom(arrived), TOKEN).ticket.toBytes()
              .toByteArray());
      golden.written("digest of the ticket with its token, " + name,
          signed.digest().toByteArray());
      for (AccessMode right : AccessMode.values()) {
        String mark = signed.mark(right);
        golden.written("mark, " + right + ", " + name, mark.getBytes(StandardCharsets.US_ASCII),
            mark, "token of " + signed.tokenBlock() + " with " + signed.tokenModes(right));
      }
    }
    golden.check();
  }
}
