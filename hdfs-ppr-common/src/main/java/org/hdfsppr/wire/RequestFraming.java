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
package org.hdfsppr.wire;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Collection;
import java.util.Collections;
import java.util.stream.Collectors;
import java.util.zip.CRC32C;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.protocol.datatransfer.DataTransferProtocol;
import org.apache.hadoop.thirdparty.protobuf.CodedOutputStream;

/**
 * Writes and reads requests on a connection. A request ends with a checksum, because a coefficient
 * that was damaged on the way would give wrong bytes, and the target would store these bytes with
 * valid checksums. Before the checksum, a request has the format of Hadoop's data transfer
 * protocol:
 *
 * <pre>
 *   | version 2 | opcode 1 | length, varint | PartialSumRequestProto | CRC32C of the message 4 |
 * </pre>
 */
@InterfaceAudience.Private
public final class RequestFraming {
  /** The opcode of a partial sum request. Stock HDFS uses the opcodes 80 to 90 and 127. */
  public static final int OP_PARTIAL_SUM = 200;

  /** The greatest length that version, opcode, length field and checksum have together, bytes. */
  private static final int AROUND_BYTES = 16;

  private RequestFraming() {
  }

  /**
   * Writes a whole request with one write, because each write may become a packet of its own and
   * wake the receiver.
   *
   * @param out the connection
   * @param request the request
   * @throws IOException if the connection fails
   */
  public static void write(OutputStream out, PartialSumRequest request) throws IOException {
    byte[] message = request.toProto().toByteArray();
    out.write(framed(OP_PARTIAL_SUM, message).toByteArray());
  }

  /**
   * Puts version, opcode, length and checksum around the message of a request.
   *
   * @param opcode the opcode of the request
   * @param message the message
   * @return the bytes of the request; the caller may append data
   * @throws IOException never
   */
  public static ByteArrayOutputStream framed(int opcode, byte[] message) throws IOException {
    ByteArrayOutputStream whole = new ByteArrayOutputStream(message.length + AROUND_BYTES);
    DataOutputStream piece = new DataOutputStream(whole);
    piece.writeShort(DataTransferProtocol.DATA_TRANSFER_VERSION);
    piece.writeByte(opcode);
    frame(piece, message);
    return whole;
  }

  /**
   * Puts length and checksum around the message of an answer, which has neither version nor opcode.
   *
   * @param message the message
   * @return the bytes of the answer; the caller may append data
   * @throws IOException never
   */
  public static ByteArrayOutputStream framed(byte[] message) throws IOException {
    ByteArrayOutputStream whole = new ByteArrayOutputStream(message.length + AROUND_BYTES);
    frame(new DataOutputStream(whole), message);
    return whole;
  }

  private static void frame(DataOutputStream piece, byte[] message) throws IOException {
    CodedOutputStream length = CodedOutputStream.newInstance(piece);
    length.writeByteArrayNoTag(message);
    length.flush();
    piece.writeInt(sum(message));
  }

  /**
   * Reads a whole request.
   *
   * @param in the connection
   * @return the request
   * @throws MalformedRequestException if the bytes are no request, or a request of another version
   * @throws IOException if the connection ends, fails, or its timeout expires
   */
  public static PartialSumRequest read(ChannelInput in) throws IOException {
    int opcode = readOpcode(in);
    if (opcode != OP_PARTIAL_SUM) {
      throw unknownOpcode(opcode, Collections.singleton(OP_PARTIAL_SUM));
    }
    return readPartialSum(in, RequestFeatures.KNOWN);
  }

  /**
   * Reads the beginning of any request, up to its opcode.
   *
   * @param in the connection
   * @return the opcode, 0 to 255
   * @throws MalformedRequestException if the request is of another version
   * @throws IOException if the connection ends, fails, or its timeout expires
   */
  public static int readOpcode(ChannelInput in) throws IOException {
    short version = in.readShort();
    if (version != DataTransferProtocol.DATA_TRANSFER_VERSION) {
      throw new MalformedRequestException("Version " + version + " of the data transfer protocol,"
          + " this node speaks " + DataTransferProtocol.DATA_TRANSFER_VERSION);
    }
    return in.readByte() & 0xff;
  }

  /**
   * Makes the error for an opcode that this node does not serve.
   *
   * @param opcode the opcode
   * @param served the opcodes that this node serves
   * @return the error
   */
  public static MalformedRequestException unknownOpcode(int opcode, Collection<Integer> served) {
    return new MalformedRequestException("Opcode " + opcode + " is unknown on this port, which"
        + " serves repairs (" + served.stream().map(String::valueOf)
            .collect(Collectors.joining(", ")) + ")");
  }

  /**
   * Reads the part of a request that follows {@link #OP_PARTIAL_SUM}.
   *
   * @param in the connection
   * @param features the {@link RequestFeatures} that this node says it knows
   * @return the request
   * @throws MalformedRequestException if the bytes are no request
   * @throws IOException if the connection ends, fails, or its timeout expires
   */
  public static PartialSumRequest readPartialSum(ChannelInput in, long features)
      throws IOException {
    return PartialSumRequest.parse(
        readMessage(in, "request", RequestBounds.REQUEST_BYTES_MAX), features);
  }

  /**
   * Reads a message with its length and its checksum.
   *
   * @param in the connection
   * @param name what the message is, for errors
   * @param bytesMost the longest message, bytes
   * @return the message
   * @throws MalformedRequestException if the message is longer, or was damaged on the way
   * @throws IOException if the connection ends, fails, or its timeout expires
   */
  public static byte[] readMessage(ChannelInput in, String name, int bytesMost)
      throws IOException {
    byte[] message = in.readDelimited(name, bytesMost);
    if (in.readInt() != sum(message)) {
      throw new MalformedRequestException("The " + name + " was damaged on the way");
    }
    return message;
  }

  /**
   * @param parts bytes that follow each other
   * @return their CRC32C
   */
  public static int sum(byte[]... parts) {
    CRC32C crc = new CRC32C();
    for (byte[] part : parts) {
      crc.update(part);
    }
    return (int) crc.getValue();
  }
}
