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
package org.hdfsppr.client.nbd;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Tests requests, their refusals, and replies, byte by byte. */
class TestNbdRequests {
  private static final long SIZE = 1L << 30;
  private static final int MOST = NbdExport.REQUEST_BYTES_MOST;
  private static final NbdExport EXPORT = new NbdExport(SIZE, false, "");
  private static final NbdRequestRules DOOR = new NbdRequestRules(EXPORT, true);

  private static NbdRequest request(int flags, int type, long offset, int length)
      throws NbdProtocolException {
    return NbdRequest.decode(ByteBuffer.allocate(NbdRequest.HEADER_BYTES).putInt(0x25609513)
        .putShort((short) flags).putShort((short) type).putLong(0x1234_5678_9abc_def0L)
        .putLong(offset).putInt(length).flip());
  }

  private static Optional<NbdError> refusal(int flags, int type, long offset, int length)
      throws NbdProtocolException {
    return DOOR.refusal(request(flags, type, offset, length));
  }

  private static void assertFine(int flags, int type, long offset, int length) throws Exception {
    assertEquals(Optional.empty(), refusal(flags, type, offset, length));
  }

  private static void assertRefused(NbdError why, int flags, int type, long offset, int length)
      throws Exception {
    assertEquals(Optional.of(why), refusal(flags, type, offset, length));
  }

  @Test
  void aRequestIsDecoded() throws Exception {
    NbdRequest request = request(1, 1, 4096, 512);
    assertEquals(NbdRequestType.WRITE, request.type);
    assertEquals(0x1234_5678_9abc_def0L, request.cookie);
    assertEquals(4096, request.offset);
    assertEquals(512, request.length);
    assertEquals(512, request.payloadBytes());
    assertTrue(request.isDurable());
    assertEquals(0, request(0, 0, 0, 512).payloadBytes());
    assertEquals(0xffff_ffffL, request(0, 4, 0, -1).length);
    assertEquals(NbdRequestType.UNKNOWN, request(0, 0xffff, 0, 0).type);
    assertThrows(NbdProtocolException.class,
        () -> NbdRequest.decode(ByteBuffer.allocate(NbdRequest.HEADER_BYTES)));
  }

  @Test
  void rangesLieWithinTheDevice() throws Exception {
    assertFine(0, 0, SIZE - 1, 1);
    assertFine(0, 1, 0, MOST);
    assertFine(0, 4, 0, (int) SIZE);
    assertRefused(NbdError.INVALID, 0, 0, SIZE, 1);
    assertRefused(NbdError.INVALID, 0, 0, SIZE - 1, 2);
    assertRefused(NbdError.NO_SPACE, 0, 1, SIZE - 1, 2);
    assertRefused(NbdError.INVALID, 0, 4, 1, (int) SIZE);
    assertRefused(NbdError.NO_SPACE, 0, 6, 0, -1);
    for (long offset : new long[] {-1, Long.MIN_VALUE, Long.MAX_VALUE, Long.MAX_VALUE - 4095}) {
      assertRefused(NbdError.INVALID, 0, 0, offset, 4096);
      assertRefused(NbdError.NO_SPACE, 0, 1, offset, 4096);
    }
  }

  @Test
  void lengthsHaveBounds() throws Exception {
    for (int type : new int[] {0, 1, 4, 6}) {
      assertRefused(NbdError.INVALID, 0, type, 0, 0);
    }
    assertRefused(NbdError.INVALID, 0, 0, 0, MOST + 1);
    assertRefused(NbdError.OVERFLOW, 1 << 2, 0, 0, MOST + 1);
    assertRefused(NbdError.INVALID, 0, 1, 0, MOST + 1);
    assertFine(0, 3, 0, 0);
    assertRefused(NbdError.INVALID, 0, 3, 0, 1);
    assertRefused(NbdError.INVALID, 0, 3, 1, 0);
  }

  @Test
  void flagsBelongToTypes() throws Exception {
    for (int type : new int[] {0, 1, 4, 6}) {
      assertFine(1, type, 0, 1);
    }
    assertFine(1, 3, 0, 0);
    assertFine(1 << 2, 0, 0, 1);
    assertEquals(Optional.of(NbdError.INVALID),
        new NbdRequestRules(EXPORT, false).refusal(request(1 << 2, 0, 0, 1)));
    assertFine(1 | 1 << 1 | 1 << 4, 6, 0, 1);
    assertRefused(NbdError.INVALID, 1 << 1, 1, 0, 1);
    assertRefused(NbdError.INVALID, 1 << 4, 4, 0, 1);
    assertRefused(NbdError.INVALID, 1 << 2, 1, 0, 1);
    for (int type = 0; type < 7; type++) {
      assertRefused(NbdError.INVALID, 1 << 3, type, 0, 1);
      assertRefused(NbdError.INVALID, 1 << 15, type, 0, 1);
    }
    for (int type : new int[] {5, 7, 8, 0xffff}) {
      assertRefused(NbdError.INVALID, 0, type, 0, 1);
    }
  }

  @Test
  void aDeviceForReadingIsNotChanged() throws Exception {
    NbdRequestRules door = new NbdRequestRules(new NbdExport(SIZE, true, ""), false);
    for (int type : new int[] {1, 4, 6}) {
      assertEquals(Optional.of(NbdError.NOT_PERMITTED), door.refusal(request(0, type, 0, 512)));
    }
    assertEquals(Optional.empty(), door.refusal(request(0, 0, 0, 512)));
    assertEquals(Optional.empty(), door.refusal(request(0, 3, 0, 0)));
  }

  @Test
  void simpleReplies() throws Exception {
    NbdReplies replies = new NbdReplies(false);
    NbdRequest request = request(0, 0, 4096, 512);
    byte[] done = ByteBuffer.allocate(16).putInt(0x67446698).putInt(0)
        .putLong(request.cookie).array();
    assertArrayEquals(done, bytes(replies.done(request)));
    assertArrayEquals(done, bytes(replies.beforeData(request)));
    assertArrayEquals(ByteBuffer.allocate(16).putInt(0x67446698).putInt(28)
        .putLong(request.cookie).array(),
        bytes(replies.failed(request, NbdError.NO_SPACE, "full")));
  }

  @Test
  void structuredReplies() throws Exception {
    NbdReplies replies = new NbdReplies(true);
    NbdRequest request = request(0, 0, 4096, 512);
    assertArrayEquals(ByteBuffer.allocate(20).putInt(0x668e33ef).putShort((short) 1)
        .putShort((short) 0).putLong(request.cookie).putInt(0).array(),
        bytes(replies.done(request)));
    assertArrayEquals(ByteBuffer.allocate(28).putInt(0x668e33ef).putShort((short) 1)
        .putShort((short) 1).putLong(request.cookie).putInt(520).putLong(4096).array(),
        bytes(replies.beforeData(request)));
    assertArrayEquals(ByteBuffer.allocate(30).putInt(0x668e33ef).putShort((short) 1)
        .putShort((short) 0x8001).putLong(request.cookie).putInt(10).putInt(5)
        .putShort((short) 4).put("disk".getBytes(StandardCharsets.UTF_8)).array(),
        bytes(replies.failed(request, NbdError.IO, "disk")));
  }

  @Test
  void longTextsAreCutBetweenCharacters() throws Exception {
    ByteBuffer reply = new NbdReplies(true).failed(request(0, 0, 0, 1), NbdError.IO,
        "x" + "ä".repeat(2000));
    reply.position(20 + 4);
    byte[] text = new byte[reply.getShort()];
    reply.get(text);
    assertFalse(reply.hasRemaining());
    assertEquals("x" + "ä".repeat(511), new String(text, StandardCharsets.UTF_8));
  }

  /** Whatever comes, what passes the door lies within the device and fits into memory. */
  @Test
  void randomRequestsAreJudged() throws Exception {
    long seed = Long.getLong("seed", 42);
    System.out.println("TestNbdRequests: -Dseed=" + seed);
    Random random = new Random(seed);
    int passed = 0;
    for (int i = 0; i < 200_000; i++) {
      long near = SIZE + random.nextInt(9) - 4;
      long offset = random.nextInt(4) == 0 ? random.nextLong()
          : random.nextBoolean() ? near : random.nextInt((int) SIZE);
      int length = random.nextInt(4) == 0 ? random.nextInt() : random.nextInt(MOST + 9);
      NbdRequest request = request(random.nextInt(3) == 0 ? 1 << random.nextInt(16) : 0,
          random.nextInt(9), offset, length);
      if (request.type == NbdRequestType.DISCONNECT
          || DOOR.refusal(request).isPresent()) {
        continue;
      }
      passed++;
      assertTrue(request.offset >= 0 && request.offset + request.length <= SIZE);
      assertTrue(request.payloadBytes() <= MOST);
      assertTrue(request.type != NbdRequestType.READ || request.length <= MOST);
      assertTrue(request.type == NbdRequestType.FLUSH || request.length > 0);
    }
    assertTrue(passed > 10_000, "only " + passed + " requests passed");
  }

  private static byte[] bytes(ByteBuffer buffer) {
    byte[] all = new byte[buffer.remaining()];
    buffer.get(all);
    return all;
  }
}
