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
 * How a request goes over a connection. It begins as in Hadoop's data transfer protocol; the sum
 * behind it is there because a coefficient that was damaged on the way would give wrong bytes that
 * carry right checksums ever after:
 *
 * <pre>
 *   | version 2 | opcode 1 | length, varint | PartialSumRequestProto | CRC32C of the message 4 |
 * </pre>
 */
@InterfaceAudience.Private
public final class RequestFraming {
  /** Stock's opcodes are 80 to 90 and 127. */
  public static final int OP_PARTIAL_SUM = 200;

  /** Of version, opcode, length and sum, at most. */
  private static final int AROUND_BYTES = 16;

  private RequestFraming() {
  }

  /** Writes a whole request, in one piece: each write is a packet, and a wake-up over there. */
  public static void write(OutputStream out, PartialSumRequest request) throws IOException {
    byte[] message = RequestCodec.toProto(request).toByteArray();
    ByteArrayOutputStream whole = new ByteArrayOutputStream(message.length + AROUND_BYTES);
    DataOutputStream piece = new DataOutputStream(whole);
    piece.writeShort(DataTransferProtocol.DATA_TRANSFER_VERSION);
    piece.writeByte(OP_PARTIAL_SUM);
    CodedOutputStream length = CodedOutputStream.newInstance(piece);
    length.writeByteArrayNoTag(message);
    length.flush();
    piece.writeInt(sum(message));
    out.write(whole.toByteArray());
  }

  /**
   * Reads a whole request.
   *
   * @throws MalformedRequestException if it is none, or is one of another version
   * @throws IOException if it does not come
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
   * @throws MalformedRequestException if it is of another version
   * @throws IOException if it does not come
   */
  public static int readOpcode(ChannelInput in) throws IOException {
    short version = in.readShort();
    if (version != DataTransferProtocol.DATA_TRANSFER_VERSION) {
      throw new MalformedRequestException("Version " + version + " of the data transfer protocol,"
          + " this node speaks " + DataTransferProtocol.DATA_TRANSFER_VERSION);
    }
    return in.readByte() & 0xff;
  }

  /** The error for an opcode that is none of those that a node serves. */
  public static MalformedRequestException unknownOpcode(int opcode, Collection<Integer> served) {
    return new MalformedRequestException("Opcode " + opcode + " is unknown on this port, which"
        + " serves repairs (" + served.stream().map(String::valueOf)
            .collect(Collectors.joining(", ")) + ")");
  }

  /**
   * Reads what follows {@link #OP_PARTIAL_SUM}.
   *
   * @param features the {@link RequestFeatures} that this node admits to know
   * @throws MalformedRequestException if it is no request
   * @throws IOException if it does not come
   */
  public static PartialSumRequest readPartialSum(ChannelInput in, long features)
      throws IOException {
    byte[] message = in.readDelimited("request", RequestCodec.REQUEST_BYTES_MAX);
    if (in.readInt() != sum(message)) {
      throw new MalformedRequestException("The request was damaged on the way");
    }
    return RequestCodec.parse(message, features);
  }

  private static int sum(byte[] message) {
    CRC32C crc = new CRC32C();
    crc.update(message);
    return (int) crc.getValue();
  }
}
