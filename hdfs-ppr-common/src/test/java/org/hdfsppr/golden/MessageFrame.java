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

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.thirdparty.protobuf.CodedOutputStream;
import org.apache.hadoop.thirdparty.protobuf.Message;

/**
 * Where the message is among the bytes of a sample. It is written here once more, apart from the
 * code that is tested, so that a change of that code's framing is found.
 */
@InterfaceAudience.Private
public final class MessageFrame {
  private static final int HEAD_BYTES = 3;
  private static final int SUM_BYTES = 4;
  private static final int LOW_BITS = 0x7f;

  private final Message type;
  private final boolean hasHead;
  private final boolean hasLength;
  private final boolean hasSum;

  private MessageFrame(Message type, boolean hasHead, boolean hasLength, boolean hasSum) {
    this.type = type;
    this.hasHead = hasHead;
    this.hasLength = hasLength;
    this.hasSum = hasSum;
  }

  /** Nothing but the message. */
  public static MessageFrame bare(Message type) {
    return new MessageFrame(type, false, false, false);
  }

  /** The message behind its length. */
  public static MessageFrame delimited(Message type) {
    return new MessageFrame(type, false, true, false);
  }

  /** The message behind its length, its CRC32C, and data. */
  public static MessageFrame summed(Message type) {
    return new MessageFrame(type, false, true, true);
  }

  /** Version and opcode of a data transfer request, and then as {@link #summed}. */
  public static MessageFrame request(Message type) {
    return new MessageFrame(type, true, true, true);
  }

  List<GoldenPiece> cut(byte[] bytes) throws IOException {
    List<GoldenPiece> pieces = new ArrayList<>();
    ByteBuffer rest = ByteBuffer.wrap(bytes);
    if (hasHead) {
      pieces.add(GoldenPiece.of("version, opcode", take(rest, HEAD_BYTES)));
    }
    int length = bytes.length;
    if (hasLength) {
      int before = rest.position();
      length = varint(rest);
      pieces.add(GoldenPiece.of("length of the message",
          Arrays.copyOfRange(bytes, before, rest.position())));
    }
    byte[] message = take(rest, length);
    pieces.add(new GoldenPiece("", message, type.getParserForType().parseFrom(message), List.of()));
    if (hasSum) {
      pieces.add(GoldenPiece.of("CRC32C of the message", take(rest, SUM_BYTES)));
    }
    if (rest.hasRemaining()) {
      pieces.add(GoldenPiece.of("data", take(rest, rest.remaining())));
    }
    return pieces;
  }

  private static byte[] take(ByteBuffer from, int length) {
    byte[] bytes = new byte[length];
    from.get(bytes);
    return bytes;
  }

  private static int varint(ByteBuffer from) {
    int value = 0;
    for (int shift = 0;; shift += Byte.SIZE - 1) {
      byte next = from.get();
      value |= (next & LOW_BITS) << shift;
      if (next >= 0) {
        return value;
      }
    }
  }

  Message message(byte[] bytes) throws IOException {
    return cut(bytes).stream().filter(piece -> piece.message != null).findFirst().orElseThrow()
        .message;
  }

  /** Returns the same bytes around another message. */
  byte[] with(byte[] bytes, Message other) throws IOException {
    byte[] message = other.toByteArray();
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (GoldenPiece piece : cut(bytes)) {
      if (piece.message != null) {
        out.write(message);
      } else if (piece.label.startsWith("length")) {
        CodedOutputStream length = CodedOutputStream.newInstance(out);
        length.writeUInt32NoTag(message.length);
        length.flush();
      } else if (piece.label.startsWith("CRC32C")) {
        CRC32C sum = new CRC32C();
        sum.update(message);
        out.write(ByteBuffer.allocate(SUM_BYTES).putInt((int) sum.getValue()).array());
      } else {
        out.write(piece.bytes);
      }
    }
    return out.toByteArray();
  }
}
