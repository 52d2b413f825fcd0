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

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.wire.ChannelInput;
import org.hdfsppr.wire.MalformedRequestException;
import org.hdfsppr.wire.RequestFraming;

/**
 * Writes and reads requests about update logs, and their answers. They have the same framing as
 * requests for partial sums, and then the data follow:
 *
 * <pre>
 *   | version 2 | opcode 1 | length, varint | UpdateRequestProto | CRC32C 4 | data |
 *                          | length, varint | UpdateAnswerProto  | CRC32C 4 | data |
 * </pre>
 */
@InterfaceAudience.Private
public final class UpdateFraming {
  /** The opcode of all requests about logs. */
  public static final int OP_UPDATE = 201;
  /**
   * How many bytes of data go through a channel in one call: as many as a packet of HDFS has. For
   * each call, the JDK allocates a direct buffer as long as the piece, and the thread keeps this
   * buffer.
   */
  private static final int PIECE_BYTES = 64 << 10;

  private UpdateFraming() {
  }

  /**
   * Writes a request with its whole ticket, and its data. It does not ask the DataNode to remember
   * the ticket.
   *
   * @param out the connection
   * @param request the request
   * @param data the data whose length and checksum are the payload of the message
   * @throws IOException if the connection fails
   */
  public static void write(OutputStream out, UpdateRequest request, byte[] data)
      throws IOException {
    write(out, data, request.toProto().toByteArray());
  }

  /**
   * Writes a request and its data. The request has only the number of its ticket if the DataNode
   * remembers the ticket.
   *
   * @param out the connection
   * @param request the request
   * @param data the data whose length and checksum are the payload of the message
   * @param shown the tickets that the DataNode remembers for this connection; give it to {@link
   *     #readAnswer(ChannelInput, UpdateRequest, ShownTickets)} as well
   * @throws IOException if the connection fails
   */
  public static void write(OutputStream out, UpdateRequest request, byte[] data,
      ShownTickets shown) throws IOException {
    write(out, data,
        request.toProto(shown.mention(request.signed())).toByteArray());
  }

  private static void write(OutputStream out, byte[] data, byte[] message) throws IOException {
    send(out, RequestFraming.framed(OP_UPDATE, message), data);
  }

  /**
   * Writes an answer and its data.
   *
   * @param out the connection
   * @param answer the answer
   * @param data the data whose length and checksum are the payload of the message
   * @throws IOException if the connection fails
   */
  public static void write(OutputStream out, UpdateAnswer answer, byte[] data)
      throws IOException {
    write(out, answer, data, false);
  }

  /**
   * Writes an answer and its data. The answer says whether this node remembers the ticket of the
   * request.
   *
   * @param out the connection
   * @param answer the answer
   * @param data the data whose length and checksum are the payload of the message
   * @param keepsTicket whether this node remembers the ticket of the request, as {@link
   *     KeptTickets#keep} has returned it
   * @throws IOException if the connection fails
   */
  public static void write(OutputStream out, UpdateAnswer answer, byte[] data,
      boolean keepsTicket) throws IOException {
    send(out, RequestFraming.framed(answer.toProto(keepsTicket).toByteArray()), data);
  }

  private static void send(OutputStream out, ByteArrayOutputStream whole, byte[] data)
      throws IOException {
    // The message and the first data go out in one write, because each write sends at least one
    // packet.
    int first = Math.max(0, Math.min(data.length, PIECE_BYTES - whole.size()));
    whole.write(data, 0, first);
    out.write(whole.toByteArray());
    for (int at = first; at < data.length; at += PIECE_BYTES) {
      out.write(data, at, Math.min(PIECE_BYTES, data.length - at));
    }
    out.flush();
  }

  /**
   * Reads the part of a request that follows {@link #OP_UPDATE}, without the data. The request must
   * have the whole ticket.
   *
   * @param in the connection
   * @return the request
   * @throws MalformedRequestException if the bytes are no request
   * @throws IOException if the connection ends, fails, or its timeout expires
   */
  public static UpdateRequest readRequest(ChannelInput in) throws IOException {
    return readRequest(in, new KeptTickets());
  }

  /**
   * Reads the part of a request that follows {@link #OP_UPDATE}, without the data. The request may
   * name one of the remembered tickets.
   *
   * @param in the connection
   * @param kept the tickets that this node remembers for the connection
   * @return the request
   * @throws MalformedRequestException if the bytes are no request
   * @throws UnknownTicketException if the request names a ticket that this node does not remember
   * @throws IOException if the connection ends, fails, or its timeout expires
   */
  public static UpdateRequest readRequest(ChannelInput in, KeptTickets kept)
      throws IOException {
    return UpdateRequests.parse(readMessage(in, "request"), kept);
  }

  /**
   * Reads an answer without its data.
   *
   * @param in the connection
   * @param request the request to which the answer belongs
   * @return the answer
   * @throws MalformedRequestException if the bytes are no answer to the request
   * @throws IOException if the connection ends, fails, or its timeout expires
   */
  public static UpdateAnswer readAnswer(ChannelInput in, UpdateRequest request)
      throws IOException {
    return readAnswer(in, request, new ShownTickets());
  }

  /**
   * Reads an answer without its data, to a request that was written with a {@link ShownTickets}.
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
  public static UpdateAnswer readAnswer(ChannelInput in, UpdateRequest request,
      ShownTickets shown) throws IOException {
    UpdateAnswer answer = UpdateAnswer.parse(readMessage(in, "answer"), request, shown);
    if (answer.status == UpdateStatus.UNKNOWN_TICKET) {
      throw new UnknownTicketException(answer.message);
    }
    return answer;
  }

  /**
   * Reads the data that follow a message.
   *
   * @param in the connection
   * @param payload the length and the checksum that the message has announced
   * @return the data
   * @throws MalformedRequestException if the data were damaged on the way
   * @throws IOException if the connection ends, fails, or its timeout expires
   */
  public static byte[] readData(ChannelInput in, Payload payload) throws IOException {
    byte[] data = new byte[payload.length];
    for (int at = 0; at < data.length; at += PIECE_BYTES) {
      in.readFully(ByteBuffer.wrap(data, at, Math.min(PIECE_BYTES, data.length - at)));
    }
    if (!payload.isOf(data)) {
      throw new MalformedRequestException("The data of an update were damaged on the way");
    }
    return data;
  }

  private static byte[] readMessage(ChannelInput in, String name) throws IOException {
    return RequestFraming.readMessage(in, name, UpdateBounds.MESSAGE_BYTES_MAX);
  }
}
