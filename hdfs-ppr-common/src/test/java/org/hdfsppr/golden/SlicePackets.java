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
package org.hdfsppr.golden;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.protocol.datatransfer.PacketHeader;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.hdfsppr.wire.proto.PprProtos.FailureProto;
import org.hdfsppr.wire.proto.PprProtos.ProgressProto;

/** The packets of a stream of slices. */
@InterfaceAudience.Private
final class SlicePackets {
  private static final int SUM_BYTES = 4;
  private static final int FAILURE = -2;
  private static final int PROGRESS = -3;

  private SlicePackets() {
  }

  static List<GoldenPiece> cut(byte[] stream) throws IOException {
    List<GoldenPiece> pieces = new ArrayList<>();
    ByteBuffer rest = ByteBuffer.wrap(stream);
    while (rest.hasRemaining()) {
      int begin = rest.position();
      int packetBytes = rest.getInt();
      byte[] headerBytes = take(rest, rest.getShort());
      PacketHeader header = new PacketHeader();
      header.setFieldsFromData(packetBytes, headerBytes);
      int end = rest.position();
      rest.position(begin);
      pieces.add(new GoldenPiece("packet header", take(rest, end - begin), null, List.of(
          "packet " + header.getSeqno() + " of " + packetBytes + " bytes, " + header.getDataLen()
              + " of them data, offset " + header.getOffsetInBlock()
              + (header.isLastPacketInBlock() ? ", the last one" : ""))));
      int sumBytes = packetBytes - Integer.BYTES - header.getDataLen();
      if (sumBytes > 0) {
        pieces.add(GoldenPiece.of(sumBytes / SUM_BYTES + " CRC32C", take(rest, sumBytes)));
      }
      byte[] data = take(rest, header.getDataLen());
      if (header.getSeqno() == FAILURE) {
        pieces.add(message(data, FailureProto.parseFrom(data)));
      } else if (header.getSeqno() == PROGRESS) {
        pieces.add(message(data, ProgressProto.parseFrom(data)));
      } else if (data.length > 0) {
        pieces.add(GoldenPiece.of("rows", data));
      }
    }
    return pieces;
  }

  private static GoldenPiece message(byte[] bytes, Message message) {
    return new GoldenPiece("", bytes, message, List.of());
  }

  private static byte[] take(ByteBuffer from, int length) {
    byte[] bytes = new byte[length];
    from.get(bytes);
    return bytes;
  }
}
