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

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;
import org.hdfsppr.golden.Golden;
import org.junit.jupiter.api.Test;

/** The bytes of all that the server of block devices answers. */
class TestGoldenNbd {
  private static final byte[] NO_DATA = {};

  private static NbdExport export(boolean isReadOnly) {
    return new NbdExport(10L << 30, isReadOnly, "/images/disk");
  }

  private static NbdHandshake begun(boolean isReadOnly, boolean hasTls, int flags)
      throws NbdProtocolException {
    NbdHandshake handshake = new NbdHandshake(export(isReadOnly), hasTls);
    handshake.clientFlags(ByteBuffer.allocate(NbdHandshake.FLAGS_BYTES).putInt(flags).flip());
    return handshake;
  }

  private static NbdHandshake begun(boolean hasTls) throws NbdProtocolException {
    return begun(false, hasTls, NbdHandshake.FIXED_NEWSTYLE | NbdHandshake.NO_ZEROES);
  }

  private static byte[] bytes(ByteBuffer answer) {
    byte[] bytes = new byte[answer.remaining()];
    answer.get(bytes);
    return bytes;
  }

  private static void answer(Golden golden, String sample, NbdHandshake handshake, int option,
      byte... data) throws NbdProtocolException {
    NbdStep step = handshake.answer(NbdOption.decode(ByteBuffer.allocate(NbdOption.HEADER_BYTES)
        .putLong(NbdOption.MAGIC).putInt(option).putInt(data.length).flip()),
        ByteBuffer.wrap(data));
    golden.written(sample, bytes(step.answer), "next: " + step.next);
  }

  private static byte[] question(String name, int... questions) {
    ByteBuffer data = ByteBuffer.allocate(Integer.BYTES + name.length()
        + Short.BYTES * (1 + questions.length)).putInt(name.length()).put(name.getBytes())
        .putShort((short) questions.length);
    for (int one : questions) {
      data.putShort((short) one);
    }
    return data.array();
  }

  @Test
  void handshake() throws IOException {
    Golden golden = Golden.of("nbd/handshake");
    golden.written("greeting", bytes(begun(false).greeting()));
    answer(golden, "export name", begun(false), NbdOption.EXPORT_NAME);
    answer(golden, "export name with zeroes", begun(false, false, 0), NbdOption.EXPORT_NAME);
    answer(golden, "export name, read-only", begun(true, false, 0), NbdOption.EXPORT_NAME);
    Map<String, Integer> options = new LinkedHashMap<>();
    options.put("abort", NbdOption.ABORT);
    options.put("list", NbdOption.LIST);
    options.put("start TLS", NbdOption.START_TLS);
    options.put("structured reply", NbdOption.STRUCTURED_REPLY);
    options.put("unknown option", 99);
    for (Map.Entry<String, Integer> option : options.entrySet()) {
      answer(golden, option.getKey(), begun(false), option.getValue(), NO_DATA);
      answer(golden, option.getKey() + " before TLS", begun(true), option.getValue(), NO_DATA);
      answer(golden, option.getKey() + " with data", begun(false), option.getValue(), (byte) 1);
    }
    byte[] all = question("", NbdHandshake.INFO_NAME, NbdHandshake.INFO_DESCRIPTION);
    for (int option : new int[] {NbdOption.INFO, NbdOption.GO}) {
      answer(golden, "option " + option, begun(false), option, question(""));
      answer(golden, "option " + option + ", all questions", begun(false), option, all);
      answer(golden, "option " + option + ", another name", begun(false), option,
          question("other"));
      answer(golden, "option " + option + ", too short", begun(false), option, (byte) 0);
    }
    NbdHandshake structured = begun(false);
    answer(golden, "structured reply first", structured, NbdOption.STRUCTURED_REPLY);
    answer(golden, "structured reply, then go", structured, NbdOption.GO, question(""));
    golden.check();
  }

  @Test
  void replies() throws IOException {
    Golden golden = Golden.of("nbd/replies");
    NbdRequest request = NbdRequest.decode(ByteBuffer.allocate(NbdRequest.HEADER_BYTES)
        .putInt(NbdRequest.MAGIC).putShort((short) 0).putShort((short) 0)
        .putLong(0x1234_5678_9abc_def0L).putLong(4096).putInt(512).flip());
    for (boolean isStructured : new boolean[] {false, true}) {
      NbdReplies replies = new NbdReplies(isStructured);
      String name = isStructured ? ", structured" : ", simple";
      golden.written("done" + name, bytes(replies.done(request)));
      golden.written("before data" + name, bytes(replies.beforeData(request)));
      for (NbdError error : NbdError.values()) {
        golden.written("failed: " + error + name, bytes(replies.failed(request, error, "why")));
      }
    }
    golden.check();
  }
}
