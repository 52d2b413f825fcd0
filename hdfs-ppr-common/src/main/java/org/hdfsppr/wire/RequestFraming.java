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

import java.io.DataOutputStream;
import java.io.IOException;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.protocol.datatransfer.DataTransferProtocol;

/**
 * How a request begins, as in Hadoop's data transfer protocol: 2 bytes version, 1 byte opcode, the
 * delimited message.
 */
@InterfaceAudience.Private
public final class RequestFraming {
  /** Stock's opcodes are 80 to 90 and 127. */
  public static final int OP_PARTIAL_SUM = 200;

  private RequestFraming() {
  }

  /** Writes a whole request. */
  public static void write(DataOutputStream out, PartialSumRequest request) throws IOException {
    out.writeShort(DataTransferProtocol.DATA_TRANSFER_VERSION);
    out.writeByte(OP_PARTIAL_SUM);
    RequestCodec.toProto(request).writeDelimitedTo(out);
  }

  /**
   * Reads a whole request.
   *
   * @throws MalformedRequestException if it is none, or is one of another version
   * @throws IOException if it does not come
   */
  public static PartialSumRequest read(ChannelInput in) throws IOException {
    short version = in.readShort();
    if (version != DataTransferProtocol.DATA_TRANSFER_VERSION) {
      throw new MalformedRequestException("Version " + version + " of the data transfer protocol,"
          + " this node speaks " + DataTransferProtocol.DATA_TRANSFER_VERSION);
    }
    int opcode = in.readByte() & 0xff;
    if (opcode != OP_PARTIAL_SUM) {
      throw new MalformedRequestException("Opcode " + opcode + " is unknown on this port, which"
          + " serves repairs (" + OP_PARTIAL_SUM + ")");
    }
    return RequestCodec.parse(in.readDelimited("request", RequestCodec.REQUEST_BYTES_MAX));
  }
}
