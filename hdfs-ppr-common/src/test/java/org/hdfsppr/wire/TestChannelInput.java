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

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.util.Arrays;
import java.util.Random;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.wire.proto.PprProtos.ProgressProto;
import org.junit.jupiter.api.Test;

/** The bytes come in order, in any pieces, and lengths are bounded. */
@InterfaceAudience.Private
class TestChannelInput {
  /** A stream that is a channel as well, and hands out a few bytes at a time. */
  private static final class Trickle extends InputStream implements ReadableByteChannel {
    private final InputStream in;
    private final int most;

    Trickle(byte[] bytes, int most) {
      this.in = new ByteArrayInputStream(bytes);
      this.most = most;
    }

    @Override
    public int read() throws IOException {
      return in.read();
    }

    @Override
    public int read(byte[] to, int offset, int length) throws IOException {
      return in.read(to, offset, Math.min(length, most));
    }

    @Override
    public int read(ByteBuffer dst) throws IOException {
      byte[] bytes = new byte[Math.min(most, dst.remaining())];
      int length = in.read(bytes);
      if (length > 0) {
        dst.put(bytes, 0, length);
      }
      return length;
    }

    @Override
    public boolean isOpen() {
      return true;
    }
  }

  private static byte[] delimited(int... length) {
    byte[] bytes = new byte[300];
    for (int i = 0; i < length.length; i++) {
      bytes[i] = (byte) length[i];
    }
    return bytes;
  }

  private static ChannelInput of(byte[] bytes) {
    return new ChannelInput(new ByteArrayInputStream(bytes));
  }

  @Test
  void piecesDoNotMatter() throws IOException {
    for (long seed = 0; seed < 300; seed++) {
      Random random = new Random(seed);
      byte[] bytes = new byte[40_000];
      random.nextBytes(bytes);
      int most = 1 + random.nextInt(random.nextBoolean() ? 3 : 20_000);
      ChannelInput in = new ChannelInput(random.nextBoolean() ? new Trickle(bytes, most)
          : new ByteArrayInputStream(bytes));
      ByteBuffer right = ByteBuffer.wrap(bytes);
      while (right.hasRemaining()) {
        int kind = random.nextInt(4);
        if (kind == 0) {
          assertEquals(right.get(), in.readByte());
        } else if (kind == 1 && right.remaining() >= 2) {
          assertEquals(right.getShort(), in.readShort());
        } else if (kind == 2 && right.remaining() >= 4) {
          assertEquals(right.getInt(), in.readInt());
        } else {
          int length = Math.min(right.remaining(),
              random.nextInt(random.nextBoolean() ? 20 : 9000));
          ByteBuffer got = random.nextBoolean() ? ByteBuffer.allocateDirect(length)
              : ByteBuffer.allocate(length);
          in.readFully(got);
          got.flip();
          ByteBuffer wanted = right.duplicate();
          wanted.limit(wanted.position() + length);
          assertEquals(wanted, got, "seed " + seed);
          right.position(right.position() + length);
        }
      }
      assertThrows(EOFException.class, in::readByte);
      assertTrue(in.bytesRead() == bytes.length);
    }
  }

  @Test
  void signsAreKept() throws IOException {
    ChannelInput in = of(new byte[] {(byte) 0x80, 1, (byte) 0xff, (byte) 0xfe, -1, -1, -1, -3});
    assertEquals((short) 0x8001, in.readShort());
    assertEquals((short) 0xfffe, in.readShort());
    assertEquals(-3, in.readInt());
  }

  @Test
  void nothingIsLeftOverAfterATimeout() throws IOException {
    byte[] bytes = {1, 2, 3, 4};
    InputStream late = new InputStream() {
      private int calls;

      @Override
      public int read() {
        throw new UnsupportedOperationException();
      }

      @Override
      public int read(byte[] to, int offset, int length) throws IOException {
        to[offset] = bytes[calls / 2];
        if (calls++ % 2 == 0) {
          throw new SocketTimeoutException("late");
        }
        return 1;
      }
    };
    ChannelInput in = new ChannelInput(late);
    for (byte right : bytes) {
      assertThrows(SocketTimeoutException.class, in::readByte);
      assertEquals(right, in.readByte());
    }
  }

  @Test
  void delimitedMessagesAreRead() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ProgressProto.getDefaultInstance().writeDelimitedTo(out);
    out.write(delimited(0xaa, 0x02));
    ChannelInput in = of(out.toByteArray());
    assertEquals(0, in.readDelimited("message", 300).length);
    assertArrayEquals(new byte[298], in.readDelimited("message", 298));
  }

  @Test
  void nothingIsAllocatedForALengthThatIsTooLarge() {
    int[][] lengths = {
        {0xad, 0x02}, {0x81, 0x80, 0x10}, {0xff, 0xff, 0xff, 0xff, 0x07},
        {0xff, 0xff, 0xff, 0xff, 0x0f},
        // 2^32 and more do not fit an int; cut off, they would look harmless.
        {0x80, 0x80, 0x80, 0x80, 0x10}, {0x85, 0x80, 0x80, 0x80, 0x70},
        {0xff, 0xff, 0xff, 0xff, 0xff, 0x01},
        {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01}};
    for (int[] length : lengths) {
      String message = assertThrows(MalformedRequestException.class,
          () -> of(delimited(length)).readDelimited("question", 300),
          Arrays.toString(length)).getMessage();
      assertTrue(message.contains("question"), message);
    }
  }
}
