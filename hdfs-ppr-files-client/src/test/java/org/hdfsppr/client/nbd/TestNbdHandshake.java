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
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Tests the conversation before a client uses the device, byte by byte. */
class TestNbdHandshake {
  private static final long SIZE = 10L << 30;
  private static final NbdExport EXPORT = new NbdExport(SIZE, false, "/images/disk");
  private static final int FLAGS_PLAIN = 1 | 1 << 2 | 1 << 3 | 1 << 6 | 1 << 8 | 1 << 11;

  /** One answer of a server. */
  private static final class Answer {
    private final int option;
    private final int kind;
    private final ByteBuffer data;

    Answer(int option, int kind, ByteBuffer data) {
      this.option = option;
      this.kind = kind;
      this.data = data;
    }
  }

  private static NbdHandshake begun(boolean hasTls) throws NbdProtocolException {
    NbdHandshake handshake = new NbdHandshake(EXPORT, hasTls);
    handshake.clientFlags(ByteBuffer.allocate(4).putInt(3).flip());
    return handshake;
  }

  private static NbdOption option(int number, int length) throws NbdProtocolException {
    return NbdOption.decode(ByteBuffer.allocate(NbdOption.HEADER_BYTES).putLong(NbdOption.MAGIC)
        .putInt(number).putInt(length).flip());
  }

  private static NbdStep send(NbdHandshake handshake, int number, byte... data)
      throws NbdProtocolException {
    return handshake.answer(option(number, data.length), ByteBuffer.wrap(data));
  }

  private static List<Answer> answers(NbdStep step) {
    List<Answer> all = new ArrayList<>();
    ByteBuffer bytes = step.answer;
    while (bytes.hasRemaining()) {
      assertEquals(NbdHandshake.ANSWER_MAGIC, bytes.getLong());
      int option = bytes.getInt();
      int kind = bytes.getInt();
      byte[] data = new byte[bytes.getInt()];
      bytes.get(data);
      all.add(new Answer(option, kind, ByteBuffer.wrap(data)));
    }
    return all;
  }

  private static int onlyKind(NbdStep step) {
    List<Answer> all = answers(step);
    assertEquals(1, all.size());
    return all.get(0).kind;
  }

  private static byte[] question(String name, int... questions) {
    byte[] words = name.getBytes(StandardCharsets.UTF_8);
    ByteBuffer data = ByteBuffer.allocate(6 + words.length + 2 * questions.length)
        .putInt(words.length).put(words).putShort((short) questions.length);
    for (int one : questions) {
      data.putShort((short) one);
    }
    return data.array();
  }

  @Test
  void theServerGreets() {
    byte[] greeting = new NbdHandshake(EXPORT, false).greeting().array();
    assertArrayEquals(ByteBuffer.allocate(18).put("NBDMAGICIHAVEOPT".getBytes(
        StandardCharsets.US_ASCII)).putShort((short) 3).array(), greeting);
  }

  @Test
  void unknownFlagsEndIt() {
    for (int flags : new int[] {4, 1 << 16, -1}) {
      assertThrows(NbdProtocolException.class, () -> new NbdHandshake(EXPORT, false)
          .clientFlags(ByteBuffer.allocate(4).putInt(flags).flip()));
    }
  }

  @Test
  void goDescribesTheDevice() throws Exception {
    NbdStep step = send(begun(false), NbdOption.GO, question("", 1, 2, 3));
    assertEquals(NbdStep.Next.REQUESTS, step.next);
    List<Answer> all = answers(step);
    assertEquals(5, all.size());
    all.forEach(one -> assertEquals(NbdOption.GO, one.option));
    ByteBuffer export = all.get(0).data;
    assertEquals(NbdHandshake.INFO, all.get(0).kind);
    assertEquals(NbdHandshake.INFO_EXPORT, export.getShort());
    assertEquals(SIZE, export.getLong());
    assertEquals(FLAGS_PLAIN, export.getShort());
    assertEquals(NbdHandshake.INFO_NAME, all.get(1).data.getShort());
    assertFalse(all.get(1).data.hasRemaining());
    assertEquals(NbdHandshake.INFO_DESCRIPTION, all.get(2).data.getShort());
    assertEquals("/images/disk", StandardCharsets.UTF_8.decode(all.get(2).data).toString());
    ByteBuffer sizes = all.get(3).data;
    assertEquals(NbdHandshake.INFO_BLOCK_SIZE, sizes.getShort());
    assertEquals(1, sizes.getInt());
    assertEquals(4096, sizes.getInt());
    assertEquals(32 << 20, sizes.getInt());
    assertEquals(NbdHandshake.ACK, all.get(4).kind);
  }

  @Test
  void infoDoesNotChoose() throws Exception {
    NbdHandshake handshake = begun(false);
    NbdStep step = send(handshake, NbdOption.INFO, question(""));
    assertEquals(NbdStep.Next.OPTION, step.next);
    List<Answer> all = answers(step);
    assertEquals(3, all.size());
    assertEquals(NbdStep.Next.REQUESTS, send(handshake, NbdOption.GO, question("")).next);
  }

  @Test
  void flagsSayWhatTheDeviceCanDo() {
    assertEquals(FLAGS_PLAIN, EXPORT.transmissionFlags(false));
    assertEquals(FLAGS_PLAIN | 1 << 7, EXPORT.transmissionFlags(true));
    assertEquals(1 | 1 << 1 | 1 << 2 | 1 << 3 | 1 << 8,
        new NbdExport(1, true, "").transmissionFlags(false));
  }

  @Test
  void onlyTheEmptyNameExists() throws Exception {
    NbdHandshake handshake = begun(false);
    assertEquals(NbdHandshake.UNKNOWN_NAME,
        onlyKind(send(handshake, NbdOption.GO, question("other"))));
    assertEquals(NbdHandshake.UNKNOWN_NAME,
        onlyKind(send(handshake, NbdOption.INFO, question("x".repeat(4096), 3))));
    assertThrows(NbdProtocolException.class,
        () -> send(handshake, NbdOption.EXPORT_NAME, (byte) 'x'));
  }

  @Test
  void wrongLengthsAreRefused() throws Exception {
    NbdHandshake handshake = begun(false);
    assertEquals(NbdHandshake.INVALID, onlyKind(send(handshake, NbdOption.GO)));
    assertEquals(NbdHandshake.INVALID, onlyKind(send(handshake, NbdOption.GO, new byte[5])));
    for (int nameBytes : new int[] {1, 4097, Integer.MAX_VALUE, -1, Integer.MIN_VALUE}) {
      byte[] data = ByteBuffer.allocate(8).putInt(nameBytes).array();
      assertEquals(NbdHandshake.INVALID, onlyKind(send(handshake, NbdOption.INFO,
          nameBytes == 1 ? java.util.Arrays.copyOf(data, 6) : data)), "" + nameBytes);
    }
    byte[] oneTooFew = question("", 3);
    oneTooFew[5] = 2;
    assertEquals(NbdHandshake.INVALID, onlyKind(send(handshake, NbdOption.GO, oneTooFew)));
    assertEquals(NbdHandshake.INVALID,
        onlyKind(send(handshake, NbdOption.GO, question("x".repeat(4097)))));
    for (int number : new int[] {NbdOption.LIST, NbdOption.STRUCTURED_REPLY,
        NbdOption.START_TLS}) {
      assertEquals(NbdHandshake.INVALID, onlyKind(send(handshake, number, (byte) 0)));
    }
  }

  @Test
  void longDataAreSkippedUpToABound() throws Exception {
    NbdHandshake handshake = begun(false);
    NbdOption skipped = option(NbdOption.GO, NbdOption.DATA_BYTES_MOST + 1);
    assertFalse(skipped.isReadable());
    assertEquals(NbdHandshake.TOO_BIG,
        onlyKind(handshake.answer(skipped, ByteBuffer.allocate(0))));
    assertEquals(NbdHandshake.UNSUPPORTED, onlyKind(handshake.answer(
        option(10, NbdOption.SKIPPED_BYTES_MOST), ByteBuffer.allocate(0))));
    assertThrows(NbdProtocolException.class,
        () -> option(10, NbdOption.SKIPPED_BYTES_MOST + 1));
    assertThrows(NbdProtocolException.class, () -> option(10, -1));
  }

  @Test
  void unknownOptionsAreAnswered() throws Exception {
    NbdHandshake handshake = begun(false);
    for (int number : new int[] {0, 4, 9, 10, 11, 12, -1}) {
      NbdStep step = send(handshake, number, (byte) 1, (byte) 2);
      assertEquals(NbdStep.Next.OPTION, step.next);
      List<Answer> all = answers(step);
      assertEquals(number, all.get(0).option);
      assertEquals(NbdHandshake.UNSUPPORTED, all.get(0).kind);
    }
  }

  @Test
  void listAbortAndStructuredReplies() throws Exception {
    NbdHandshake handshake = begun(false);
    List<Answer> list = answers(send(handshake, NbdOption.LIST));
    assertEquals(2, list.size());
    assertEquals(NbdHandshake.SERVER, list.get(0).kind);
    assertEquals(0, list.get(0).data.getInt());
    assertEquals(NbdHandshake.ACK, list.get(1).kind);
    assertFalse(handshake.isStructured());
    assertEquals(NbdHandshake.ACK, onlyKind(send(handshake, NbdOption.STRUCTURED_REPLY)));
    assertTrue(handshake.isStructured());
    NbdStep end = send(handshake, NbdOption.ABORT);
    assertEquals(NbdHandshake.ACK, onlyKind(end));
    assertEquals(NbdStep.Next.END, end.next);
  }

  @Test
  void exportNameHasZeroesOnlyForOldClients() throws Exception {
    NbdStep step = send(begun(false), NbdOption.EXPORT_NAME);
    assertEquals(NbdStep.Next.REQUESTS, step.next);
    assertEquals(10, step.answer.remaining());
    assertEquals(SIZE, step.answer.getLong());
    NbdHandshake old = new NbdHandshake(EXPORT, false);
    old.clientFlags(ByteBuffer.allocate(4));
    assertThrows(NbdProtocolException.class, () -> send(old, NbdOption.LIST));
    ByteBuffer answer = send(old, NbdOption.EXPORT_NAME).answer;
    assertEquals(134, answer.remaining());
    answer.getLong();
    answer.getShort();
    while (answer.hasRemaining()) {
      assertEquals(0, answer.get());
    }
  }

  @Test
  void tlsComesFirstWhereThereIsAKey() throws Exception {
    NbdHandshake handshake = begun(true);
    for (int number : new int[] {NbdOption.LIST, NbdOption.INFO, NbdOption.GO, 99,
        NbdOption.STRUCTURED_REPLY}) {
      assertEquals(NbdHandshake.TLS_REQUIRED, onlyKind(send(handshake, number)));
    }
    assertFalse(handshake.isStructured());
    assertThrows(NbdProtocolException.class,
        () -> send(begun(true), NbdOption.EXPORT_NAME));
    NbdStep tls = send(handshake, NbdOption.START_TLS);
    assertEquals(NbdHandshake.ACK, onlyKind(tls));
    assertEquals(NbdStep.Next.TLS, tls.next);
    assertEquals(NbdHandshake.INVALID, onlyKind(send(handshake, NbdOption.START_TLS)));
    assertEquals(NbdStep.Next.REQUESTS, send(handshake, NbdOption.GO, question("")).next);
    assertEquals(NbdHandshake.POLICY, onlyKind(send(begun(false), NbdOption.START_TLS)));
  }

  @Test
  void aClientThatOnlySendsOptionsHasToGo() throws Exception {
    NbdHandshake handshake = begun(false);
    for (int i = 0; i < NbdHandshake.OPTIONS_MOST; i++) {
      send(handshake, NbdOption.LIST);
    }
    assertThrows(NbdProtocolException.class, () -> send(handshake, NbdOption.LIST));
  }

  /** Whatever comes, each option has an answer that can be parsed, or ends the connection. */
  @Test
  void randomOptionsHaveAnswers() throws Exception {
    long seed = Long.getLong("seed", 42);
    System.out.println("TestNbdHandshake: -Dseed=" + seed);
    Random random = new Random(seed);
    int chosen = 0;
    for (int run = 0; run < 20_000; run++) {
      NbdHandshake handshake = begun(random.nextInt(4) == 0);
      try {
        NbdStep step;
        do {
          byte[] data = data(random);
          step = send(handshake, random.nextInt(14) - 1, data);
          if (step.next != NbdStep.Next.REQUESTS || step.answer.remaining() != 10) {
            answers(step).forEach(one -> assertTrue(one.kind > 0 && one.kind <= 3
                || (one.kind & 1 << 31) != 0));
          }
        } while (step.next == NbdStep.Next.OPTION || step.next == NbdStep.Next.TLS);
        chosen += step.next == NbdStep.Next.REQUESTS ? 1 : 0;
      } catch (NbdProtocolException e) {
        assertTrue(e.getMessage().length() > 5);
      }
    }
    assertTrue(chosen > 1000, "only " + chosen + " runs came to requests");
  }

  private static byte[] data(Random random) {
    if (random.nextInt(3) == 0) {
      return new byte[0];
    }
    byte[] data = question(random.nextInt(3) == 0 ? "name" : "", random.nextInt(4),
        random.nextInt(70_000));
    for (int i = random.nextInt(3); i > 0; i--) {
      data[random.nextInt(data.length)] = (byte) random.nextInt();
    }
    return java.util.Arrays.copyOf(data, random.nextInt(2) == 0 ? data.length
        : random.nextInt(data.length + 3));
  }
}
