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

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Encodes the replies to requests, either as NBD's simple replies or, if the client has asked for
 * them, as structured replies.
 *
 * <pre>
 *   simple      | magic 4 | error 4 | cookie 8 | the bytes of a read
 *   structured  | magic 4 | flags 2 | type 2 | cookie 8 | length 4 | content of that length
 *     of a read    content: | offset 8 | the bytes
 *     of an error  content: | error 4 | length 2 | text of that length
 * </pre>
 *
 * By the protocol, a structured reply may have several chunks; here it has one. Immutable.
 */
@InterfaceAudience.Private
public final class NbdReplies {
  static final int SIMPLE_MAGIC = 0x67446698;
  static final int STRUCTURED_MAGIC = 0x668e33ef;
  static final int SIMPLE_BYTES = 16;
  static final int STRUCTURED_BYTES = 20;
  /** The flag that marks the last chunk of a reply. */
  static final short DONE = 1;
  static final short TYPE_NONE = 0;
  static final short TYPE_DATA = 1;
  static final short TYPE_ERROR = (short) (1 << 15 | 1);

  /** The longest text of an error, bytes; a longer one is cut. */
  private static final int TEXT_BYTES_MOST = 1024;

  private final boolean isStructured;

  /** @param isStructured whether the client has asked for structured replies */
  public NbdReplies(boolean isStructured) {
    this.isStructured = isStructured;
  }

  /**
   * Encodes the reply to a request that was carried out and is not a read.
   *
   * @param request the request
   * @return the reply
   */
  public ByteBuffer done(NbdRequest request) {
    return (isStructured ? structured(request, TYPE_NONE, 0, 0) : simple(request, 0)).flip();
  }

  /**
   * Encodes the part of the reply to a read that comes before the data.
   *
   * @param request a read
   * @return the part of the reply before the data; the caller has to send all data after it
   */
  public ByteBuffer beforeData(NbdRequest request) {
    int length = (int) request.length;
    return (isStructured ? structured(request, TYPE_DATA, Long.BYTES + length, Long.BYTES)
        .putLong(request.offset) : simple(request, 0)).flip();
  }

  /**
   * Encodes the reply to a request that has failed.
   *
   * @param request the request
   * @param error why
   * @param text a sentence that the client may show to its user; it is cut if it is long
   * @return the reply
   */
  public ByteBuffer failed(NbdRequest request, NbdError error, String text) {
    if (!isStructured) {
      return simple(request, error.number).flip();
    }
    byte[] words = shortened(text);
    int content = Integer.BYTES + Short.BYTES + words.length;
    return structured(request, TYPE_ERROR, content, content).putInt(error.number)
        .putShort((short) words.length).put(words).flip();
  }

  private static byte[] shortened(String text) {
    byte[] words = text.getBytes(StandardCharsets.UTF_8);
    if (words.length <= TEXT_BYTES_MOST) {
      return words;
    }
    int end = TEXT_BYTES_MOST;
    // This cuts only between characters: in UTF-8, each byte of a character except the first begins
    // with the bits 10.
    while (end > 0 && (words[end] & 0xc0) == 0x80) {
      end--;
    }
    return Arrays.copyOf(words, end);
  }

  private static ByteBuffer simple(NbdRequest request, int error) {
    return ByteBuffer.allocate(SIMPLE_BYTES).putInt(SIMPLE_MAGIC).putInt(error)
        .putLong(request.cookie);
  }

  /**
   * Encodes the head of a chunk whose content has {@code content} bytes, in a buffer with room for
   * {@code room} of them.
   */
  private static ByteBuffer structured(NbdRequest request, short type, int content, int room) {
    return ByteBuffer.allocate(STRUCTURED_BYTES + room).putInt(STRUCTURED_MAGIC).putShort(DONE)
        .putShort(type).putLong(request.cookie).putInt(content);
  }
}
