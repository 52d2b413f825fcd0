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

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.thirdparty.protobuf.InvalidProtocolBufferException;
import org.hdfsppr.update.append.KeptTickets;
import org.hdfsppr.update.append.ShownTickets;
import org.hdfsppr.update.append.TicketMention;
import org.hdfsppr.update.append.UnknownTicketException;
import org.hdfsppr.update.append.UpdateStatus;
import org.hdfsppr.update.view.proto.ViewProtos.PieceProto;
import org.hdfsppr.update.view.proto.ViewProtos.TermBaseProto;
import org.hdfsppr.update.view.proto.ViewProtos.ViewAnswerProto;
import org.hdfsppr.update.view.proto.ViewProtos.ViewRequestProto;
import org.hdfsppr.wire.ChannelInput;
import org.hdfsppr.wire.MalformedRequestException;
import org.hdfsppr.wire.PeerText;
import org.hdfsppr.wire.RequestFraming;
import org.hdfsppr.wire.WireRules;

/**
 * Writes and reads requests for views of units, and their answers. It checks what it reads. The
 * framing is the same as for requests about update logs:
 *
 * <pre>
 *   | version 2 | opcode 1 | length, varint | ViewRequestProto | CRC32C 4 |
 *                          | length, varint | ViewAnswerProto  | CRC32C 4 | masks | data |
 * </pre>
 *
 * There is a mask only if the answer has too many pieces to list them, and a second mask only if
 * some of these pieces are deltas.
 */
@InterfaceAudience.Private
public final class ViewFraming {
  /** The opcode of all requests for views. */
  public static final int OP_VIEW = 202;
  /**
   * How many bytes a message has at most, without its data. An answer that lists all pieces has
   * about 40 KiB.
   */
  private static final int MESSAGE_BYTES_MAX = 64 << 10;
  /**
   * How many bytes of data go through a channel in one call, as in {@link
   * org.hdfsppr.update.append.UpdateFraming}.
   */
  private static final int PIECE_BYTES = 64 << 10;
  /** How many characters the reason of a refusal has at most. */
  private static final int TEXT_MAX = 512;

  private ViewFraming() {
  }

  /**
   * Writes a request with its whole ticket.
   *
   * @param out the connection
   * @param request the request
   * @throws IOException if the connection fails
   */
  public static void write(OutputStream out, ViewRequest request) throws IOException {
    write(out, request.toProto(TicketMention.whole(request.signed())));
  }

  /**
   * Writes a request, with only the number of its ticket if the DataNode remembers the ticket.
   *
   * @param out the connection
   * @param request the request
   * @param shown the tickets that the DataNode remembers for this connection; give it to {@link
   *     #readAnswer(ChannelInput, ViewRequest, ShownTickets)} as well
   * @throws IOException if the connection fails
   */
  public static void write(OutputStream out, ViewRequest request, ShownTickets shown)
      throws IOException {
    write(out, request.toProto(shown.mention(request.signed())));
  }

  private static void write(OutputStream out, ViewRequestProto request) throws IOException {
    out.write(RequestFraming.framed(OP_VIEW, request.toByteArray()).toByteArray());
    out.flush();
  }

  /**
   * Writes an answer and its data.
   *
   * @param out the connection
   * @param request the request to which the answer belongs
   * @param answer the answer
   * @throws IOException if the connection fails
   */
  public static void write(OutputStream out, ViewRequest request, ViewAnswer answer)
      throws IOException {
    write(out, request, answer, false);
  }

  /**
   * Writes an answer and its data. The answer says whether this node remembers the ticket of the
   * request.
   *
   * @param out the connection
   * @param request the request to which the answer belongs
   * @param answer the answer
   * @param keepsTicket whether this node remembers the ticket of the request, as {@link
   *     KeptTickets#keep} has returned it
   * @throws IOException if the connection fails
   */
  public static void write(OutputStream out, ViewRequest request, ViewAnswer answer,
      boolean keepsTicket) throws IOException {
    boolean isListed = answer.pieces.size() <= ViewAnswer.LISTED_MAX;
    byte[] mask = isListed ? new byte[0]
        : PieceMask.of(answer.pieces, request.offset, request.length);
    List<ViewPiece> some =
        answer.pieces.stream().filter(piece -> piece.isDelta).collect(Collectors.toList());
    byte[] deltas = isListed || some.isEmpty() ? new byte[0]
        : PieceMask.of(some, request.offset, request.length);
    ViewAnswerProto.Builder builder = ViewAnswerProto.newBuilder()
        .setStatus(answer.status.number)
        .setTerm(answer.term)
        .setBase(answer.base)
        .setDataBytes(answer.data.length)
        .setDataSum(RequestFraming.sum(mask, deltas, answer.data));
    if (keepsTicket) {
      builder.setKeepsTicket(true);
    }
    if (!answer.message.isEmpty()) {
      String text = PeerText.oneLine(answer.message);
      builder.setMessage(text.substring(0, Math.min(TEXT_MAX, text.length())));
    }
    answer.bases.forEach((term, base) ->
        builder.addTerms(TermBaseProto.newBuilder().setTerm(term).setBase(base)));
    if (isListed) {
      for (ViewPiece piece : answer.pieces) {
        PieceProto.Builder proto = PieceProto.newBuilder().setOffset(piece.offset)
            .setLength(piece.length);
        builder.addPieces(piece.isDelta ? proto.setDelta(true) : proto);
      }
    } else {
      builder.setMask(true).setDeltaMask(deltas.length > 0);
    }
    ByteArrayOutputStream whole = RequestFraming.framed(builder.build().toByteArray());
    byte[][] parts = {mask, deltas, answer.data};
    if (whole.size() + mask.length + deltas.length + answer.data.length <= PIECE_BYTES) {
      // Short data go out in one write with the message, because each write sends at least one
      // packet.
      for (byte[] part : parts) {
        whole.write(part, 0, part.length);
      }
      parts = new byte[0][];
    }
    out.write(whole.toByteArray());
    for (byte[] part : parts) {
      for (int at = 0; at < part.length; at += PIECE_BYTES) {
        out.write(part, at, Math.min(PIECE_BYTES, part.length - at));
      }
    }
    out.flush();
  }

  /**
   * Reads the part of a request that follows {@link #OP_VIEW}. The request must have the whole
   * ticket.
   *
   * @param in the connection
   * @return the request
   * @throws MalformedRequestException if the bytes are no request
   * @throws IOException if the connection ends, fails, or its timeout expires
   */
  public static ViewRequest readRequest(ChannelInput in) throws IOException {
    return readRequest(in, new KeptTickets());
  }

  /**
   * Reads the part of a request that follows {@link #OP_VIEW}. The request may name one of the
   * remembered tickets.
   *
   * @param in the connection
   * @param kept the tickets that this node remembers for the connection
   * @return the request
   * @throws MalformedRequestException if the bytes are no request
   * @throws UnknownTicketException if the request names a ticket that this node does not remember
   * @throws IOException if the connection ends, fails, or its timeout expires
   */
  public static ViewRequest readRequest(ChannelInput in, KeptTickets kept) throws IOException {
    return ViewRequest.parse(RequestFraming.readMessage(in, "request", MESSAGE_BYTES_MAX), kept);
  }

  /**
   * Answers a request that names a ticket which this node does not remember. The caller then closes
   * the connection.
   *
   * @param out the connection
   * @param unknown says which number the request has named
   * @throws IOException if the connection fails
   */
  public static void writeUnknownTicket(OutputStream out, UnknownTicketException unknown)
      throws IOException {
    out.write(RequestFraming.framed(ViewAnswerProto.newBuilder()
        .setStatus(UpdateStatus.UNKNOWN_TICKET.number)
        .setMessage(PeerText.oneLine(unknown.getMessage()))
        .build().toByteArray()).toByteArray());
    out.flush();
  }

  /**
   * Reads an answer and its data.
   *
   * @param in the connection
   * @param request the request to which the answer belongs
   * @return the answer
   * @throws MalformedRequestException if the bytes are no answer to the request
   * @throws IOException if the connection ends, fails, or its timeout expires
   */
  public static ViewAnswer readAnswer(ChannelInput in, ViewRequest request) throws IOException {
    return readAnswer(in, request, new ShownTickets());
  }

  /**
   * Reads an answer and its data, to a request that was written with a {@link ShownTickets}.
   *
   * @param in the connection
   * @param request the request to which the answer belongs
   * @param shown the object with which the request was written
   * @return the answer
   * @throws MalformedRequestException if the bytes are no answer to the request
   * @throws UnknownTicketException if the DataNode does not remember the ticket that the request
   *     has named
   * @throws IOException if the connection ends, fails, or its timeout expires
   */
  public static ViewAnswer readAnswer(ChannelInput in, ViewRequest request, ShownTickets shown)
      throws IOException {
    try {
      ViewAnswerProto proto = ViewAnswerProto.parseFrom(RequestFraming.readMessage(in, "answer",
          MESSAGE_BYTES_MAX));
      UpdateStatus status = UpdateStatus.ofNumber(proto.getStatus());
      String text = WireRules.text("message", proto.getMessage());
      if (status == UpdateStatus.UNKNOWN_TICKET) {
        throw new UnknownTicketException(text);
      }
      byte[] data = new byte[WireRules.within("data_bytes", proto.getDataBytes(), 0,
          request.length)];
      byte[] mask = new byte[proto.getMask() ? PieceMask.bytes(request.length) : 0];
      byte[] deltas = new byte[proto.getDeltaMask() ? mask.length : 0];
      List<ViewPiece> pieces = proto.getMask() ? List.of() : pieces(proto, request);
      readFully(in, mask);
      readFully(in, deltas);
      readFully(in, data);
      if (RequestFraming.sum(mask, deltas, data) != proto.getDataSum()) {
        throw new MalformedRequestException("The data of updates were damaged on the way");
      }
      if (proto.getMask()) {
        pieces = PieceMask.pieces(mask, deltas, request.offset, request.length);
      }
      if (pieces.stream().mapToLong(piece -> piece.length).sum() != data.length) {
        throw new IllegalArgumentException(pieces.size() + " pieces with " + data.length
            + " bytes of data");
      }
      ViewAnswer answer = new ViewAnswer(status, text, proto.getTerm(), proto.getBase(),
          bases(proto), pieces, data);
      shown.answered(proto.getKeepsTicket());
      return answer;
    } catch (InvalidProtocolBufferException e) {
      throw new MalformedRequestException("The answer is no ViewAnswerProto: " + e.getMessage(),
          e);
    } catch (IllegalArgumentException e) {
      throw new MalformedRequestException("The answer contradicts itself: " + e.getMessage(), e);
    }
  }

  private static void readFully(ChannelInput in, byte[] data) throws IOException {
    for (int at = 0; at < data.length; at += PIECE_BYTES) {
      in.readFully(ByteBuffer.wrap(data, at, Math.min(PIECE_BYTES, data.length - at)));
    }
  }

  private static NavigableMap<Long, Long> bases(ViewAnswerProto proto) {
    WireRules.within("terms", proto.getTermsCount(), 0, ViewAnswer.TERMS_MAX);
    NavigableMap<Long, Long> bases = new TreeMap<>();
    for (TermBaseProto one : proto.getTermsList()) {
      if (one.getTerm() < 1 || one.getTerm() > proto.getTerm() || one.getBase() < 0
          || bases.put(one.getTerm(), one.getBase()) != null) {
        throw new IllegalArgumentException("term " + one.getTerm() + " began with update "
            + one.getBase() + " before term " + proto.getTerm());
      }
    }
    return bases;
  }

  private static List<ViewPiece> pieces(ViewAnswerProto proto, ViewRequest request) {
    WireRules.within("pieces", proto.getPiecesCount(), 0, ViewAnswer.LISTED_MAX);
    List<ViewPiece> pieces = new ArrayList<>();
    long behind = request.offset;
    for (PieceProto piece : proto.getPiecesList()) {
      if (piece.getLength() < 1 || piece.getOffset() < behind
          || piece.getOffset() > request.offset + request.length - piece.getLength()) {
        throw new IllegalArgumentException("a piece has " + piece.getLength() + " bytes at "
            + piece.getOffset());
      }
      behind = piece.getOffset() + piece.getLength();
      pieces.add(new ViewPiece(piece.getOffset(), piece.getLength(), piece.getDelta()));
    }
    return pieces;
  }

  /**
   * A mask with a bit for each byte of a range, which is set if updates have written the byte. It
   * has the same length for any number of pieces, so that all of them fit into one answer, and a
   * reader sees them as they were at one moment.
   */
  static final class PieceMask {
    private PieceMask() {
    }

    /** Returns how many bytes the mask of a range has. */
    static int bytes(int range) {
      return (range + Byte.SIZE - 1) / Byte.SIZE;
    }

    /**
     * Returns the mask of pieces.
     *
     * @param offset the offset in the unit at which the range begins
     * @param range how many bytes the range has
     */
    static byte[] of(List<ViewPiece> pieces, long offset, int range) {
      byte[] mask = new byte[bytes(range)];
      for (ViewPiece piece : pieces) {
        int first = (int) (piece.offset - offset);
        for (int i = first; i < first + piece.length; i++) {
          mask[i / Byte.SIZE] |= 1 << i % Byte.SIZE;
        }
      }
      return mask;
    }

    /**
     * Returns the pieces of a mask.
     *
     * @param deltas the mask of the pieces whose data are deltas; empty if there are none
     * @throws IllegalArgumentException if a set bit stands for a byte behind the range, or for a
     *     delta outside of all pieces
     */
    static List<ViewPiece> pieces(byte[] mask, byte[] deltas, long offset, int range) {
      List<ViewPiece> pieces = new ArrayList<>();
      int begin = -1;
      boolean isDelta = false;
      for (int i = 0; i <= mask.length * Byte.SIZE; i++) {
        boolean is = isSet(mask, i);
        boolean isOfDelta = isSet(deltas, i);
        if (is && i >= range || isOfDelta && !is) {
          throw new IllegalArgumentException("a piece goes past the end of the range, or a delta"
              + " past its piece");
        }
        if (begin >= 0 && (!is || isOfDelta != isDelta)) {
          pieces.add(new ViewPiece(offset + begin, i - begin, isDelta));
          begin = -1;
        }
        if (is && begin < 0) {
          begin = i;
          isDelta = isOfDelta;
        }
      }
      return pieces;
    }

    private static boolean isSet(byte[] mask, int bit) {
      return bit < mask.length * Byte.SIZE && (mask[bit / Byte.SIZE] >> bit % Byte.SIZE & 1) != 0;
    }
  }
}
