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

import static org.hdfsppr.golden.WireBytes.bytes;
import static org.hdfsppr.golden.WireBytes.in;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.security.token.Token;
import org.hdfsppr.golden.Golden;
import org.hdfsppr.golden.MessageFrame;
import org.hdfsppr.plan.BlockRef;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.update.append.KeptTickets;
import org.hdfsppr.update.append.ShownTickets;
import org.hdfsppr.update.append.SignedTicket;
import org.hdfsppr.update.append.UnitId;
import org.hdfsppr.update.append.UnknownTicketException;
import org.hdfsppr.update.append.UpdateStatus;
import org.hdfsppr.update.append.UpdateTicket;
import org.hdfsppr.update.view.proto.ViewProtos.ViewAnswerProto;
import org.hdfsppr.update.view.proto.ViewProtos.ViewRequestProto;
import org.hdfsppr.wire.ChannelInput;
import org.hdfsppr.wire.RequestFraming;
import org.junit.jupiter.api.Test;

/** The bytes of views of updates, and of their answers. */
@InterfaceAudience.Private
class TestGoldenViews {
  private static final int UNIT_BYTES = 8 * ViewAnswer.LISTED_MAX;
  private static final SignedTicket TICKET = SignedTicket.of(new UpdateTicket(
      new UnitId(new UUID(1, 2), 3, 1), new BlockRef("BP-1", -15, 7, UNIT_BYTES), 9, 4, 1,
      List.of(new NodeRef("uuid-1", "10.0.0.1", "host-1", 9866, 9877, "/rack-1"))),
      new Token<BlockTokenIdentifier>(new byte[] {1, 2}, new byte[] {3, 4},
          new Text("HDFS_BLOCK_TOKEN"), new Text("10.0.0.1:9866")));
  private static final MessageFrame REQUEST =
      MessageFrame.request(ViewRequestProto.getDefaultInstance());
  private static final MessageFrame ANSWER =
      MessageFrame.summed(ViewAnswerProto.getDefaultInstance());

  private static ViewRequest read(byte[] arrived, KeptTickets kept) throws IOException {
    ChannelInput in = in(arrived);
    RequestFraming.readOpcode(in);
    return ViewFraming.readRequest(in, kept);
  }

  @Test
  void requests() throws IOException {
    Golden golden = Golden.of("update/view-requests");
    ViewRequest range = ViewRequest.range(TICKET, 10, 990);
    for (ViewRequest request : List.of(range, ViewRequest.sync(TICKET),
        new ViewRequest(TICKET, 10, 990, false, false))) {
      golden.written((request.isSync ? "sync" : "range")
          + (request.takesDeltas ? "" : " for one that knows no deltas"), REQUEST,
          bytes(out -> ViewFraming.write(out, request)),
          arrived -> bytes(out -> ViewFraming.write(out, read(arrived, new KeptTickets()))));
    }
    ShownTickets shown = new ShownTickets();
    byte[] whole = bytes(out -> ViewFraming.write(out, range, shown));
    golden.written("range with a ticket to be kept", REQUEST, whole, arrived ->
        bytes(out -> ViewFraming.write(out, read(arrived, new KeptTickets()),
            new ShownTickets())));
    shown.answered(true);
    golden.written("range with a ticket that is kept", REQUEST,
        bytes(out -> ViewFraming.write(out, range, shown)), arrived -> {
          KeptTickets kept = new KeptTickets();
          read(whole, kept);
          kept.keep();
          return bytes(out -> ViewFraming.write(out, read(arrived, kept), shown));
        });
    golden.check();
  }

  private static void add(Golden golden, String sample, ViewRequest request, ViewAnswer answer,
      boolean keepsTicket) throws IOException {
    golden.written(sample, ANSWER,
        bytes(out -> ViewFraming.write(out, request, answer, keepsTicket)), arrived -> {
          ShownTickets shown = new ShownTickets();
          shown.mention(TICKET);
          ViewAnswer read = ViewFraming.readAnswer(in(arrived), request, shown);
          boolean isKept = !shown.mention(TICKET).isWhole;
          return bytes(out -> ViewFraming.write(out, request, read, isKept));
        });
  }

  private static List<ViewPiece> many(boolean haveDeltas) {
    List<ViewPiece> pieces = new ArrayList<>();
    for (int i = 0; i <= ViewAnswer.LISTED_MAX; i++) {
      pieces.add(new ViewPiece(16 + 3 * i, 1 + i % 2, haveDeltas && i % 4 == 0));
    }
    return pieces;
  }

  private static byte[] data(List<ViewPiece> pieces) {
    byte[] data = new byte[pieces.stream().mapToInt(piece -> piece.length).sum()];
    for (int i = 0; i < data.length; i++) {
      data[i] = (byte) (i * 37);
    }
    return data;
  }

  @Test
  void answers() throws IOException {
    Golden golden = Golden.of("update/view-answers");
    ViewRequest request = ViewRequest.range(TICKET, 100, 50);
    List<ViewPiece> pieces = List.of(new ViewPiece(100, 2), new ViewPiece(120, 1, true));
    add(golden, "pieces", request, ViewAnswer.done(9, 6,
        new TreeMap<>(Map.of(4L, 3L, 7L, 3L, 9L, 6L)), pieces, data(pieces)), true);
    add(golden, "nothing", request, ViewAnswer.done(9, 6, List.of(), new byte[0]), false);
    ViewRequest wide = ViewRequest.range(TICKET, 16, 4 * ViewAnswer.LISTED_MAX);
    for (boolean haveDeltas : new boolean[] {false, true}) {
      List<ViewPiece> many = many(haveDeltas);
      add(golden, haveDeltas ? "masks" : "a mask", wide, ViewAnswer.done(9, 6, many, data(many)),
          false);
    }
    for (UpdateStatus status : UpdateStatus.values()) {
      if (status != UpdateStatus.UNKNOWN_TICKET && status != UpdateStatus.DONE) {
        add(golden, "refused: " + status, request, ViewAnswer.refused(status, "why"), false);
      }
    }
    golden.written("unknown ticket", ANSWER, bytes(out ->
        ViewFraming.writeUnknownTicket(out, new UnknownTicketException("Ticket 0 is none"))));
    golden.check();
  }
}
