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
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * The messages before a client may use the device, which NBD calls the fixed newstyle handshake.
 * The server sends a greeting, the client sends its flags and then options, and the server answers
 * each option. There is one export, the device, and its name is empty. A server that has a key for
 * TLS requires TLS: until TLS has begun, it answers every option with an error, except those that
 * begin TLS or end the connection. Used by one thread.
 *
 * <pre>
 *   server   | NBDMAGIC 8 | IHAVEOPT 8 | flags 2
 *   client   | flags 4
 *   client   | IHAVEOPT 8 | option 4 | length 4 | data             again and again
 *   server   | magic 8 | option 4 | kind 4 | length 4 | data       one or more for each option
 * </pre>
 */
@InterfaceAudience.Private
public final class NbdHandshake {
  /** The length of the client's flags, bytes. */
  public static final int FLAGS_BYTES = 4;
  /**
   * How many options a client may send at most. Real clients send a dozen. Without this bound, a
   * client could keep a thread of the server busy by sending options for ever.
   */
  static final int OPTIONS_MOST = 64;
  /** The longest name of an export, bytes, as the protocol says. */
  static final int NAME_BYTES_MOST = 4096;

  static final long GREETING_MAGIC = 0x4e42444d41474943L;
  static final long ANSWER_MAGIC = 0x3e889045565a9L;
  static final int FIXED_NEWSTYLE = 1;
  static final int NO_ZEROES = 2;

  static final int ACK = 1;
  static final int SERVER = 2;
  static final int INFO = 3;
  static final int ERROR = 1 << 31;
  static final int UNSUPPORTED = ERROR | 1;
  static final int POLICY = ERROR | 2;
  static final int INVALID = ERROR | 3;
  static final int TLS_REQUIRED = ERROR | 5;
  static final int UNKNOWN_NAME = ERROR | 6;
  static final int TOO_BIG = ERROR | 9;

  static final short INFO_EXPORT = 0;
  static final short INFO_NAME = 1;
  static final short INFO_DESCRIPTION = 2;
  static final short INFO_BLOCK_SIZE = 3;

  /** Old clients expect this number of zero bytes after the size of the device. */
  private static final int ZEROES = 124;
  /**
   * How many bytes the answers to one option have at most: less than 100 each, and a description or
   * a text.
   */
  private static final int ANSWER_BYTES = 1024;
  /** The longest description, bytes. */
  private static final int DESCRIPTION_BYTES_MOST = 256;

  private final NbdExport export;
  private final boolean hasTls;
  private boolean isFixed;
  private boolean hasZeroes;
  private boolean isTls;
  private boolean isStructured;
  private int options;

  /**
   * @param export the device
   * @param hasTls whether the server has a key for TLS, and so requires TLS
   */
  public NbdHandshake(NbdExport export, boolean hasTls) {
    this.export = export;
    this.hasTls = hasTls;
  }

  public ByteBuffer greeting() {
    return ByteBuffer.allocate(2 * Long.BYTES + Short.BYTES).putLong(GREETING_MAGIC)
        .putLong(NbdOption.MAGIC).putShort((short) (FIXED_NEWSTYLE | NO_ZEROES)).flip();
  }

  /**
   * Reads the client's flags.
   *
   * @param flags {@link #FLAGS_BYTES} bytes
   * @throws NbdProtocolException if the client sets a flag that this server does not know
   */
  public void clientFlags(ByteBuffer flags) throws NbdProtocolException {
    int wanted = flags.getInt();
    if ((wanted & ~(FIXED_NEWSTYLE | NO_ZEROES)) != 0) {
      throw new NbdProtocolException("sent unknown flags " + Integer.toHexString(wanted));
    }
    isFixed = (wanted & FIXED_NEWSTYLE) != 0;
    hasZeroes = (wanted & NO_ZEROES) == 0;
  }

  /**
   * Answers an option.
   *
   * @param option the head of the option
   * @param data all data of the option; empty if the server has skipped them because the option is
   *     not {@link NbdOption#isReadable readable}
   * @return the answer, and how the handshake goes on
   * @throws NbdProtocolException if the connection has to end without an answer
   */
  public NbdStep answer(NbdOption option, ByteBuffer data) throws NbdProtocolException {
    options++;
    if (options > OPTIONS_MOST) {
      throw new NbdProtocolException("sent more than " + OPTIONS_MOST + " options");
    }
    if (option.number == NbdOption.EXPORT_NAME) {
      return exportName(option, data);
    }
    if (!isFixed) {
      throw new NbdProtocolException("sent option " + option.number
          + " without the flag of the fixed newstyle handshake");
    }
    if (hasTls && !isTls && option.number != NbdOption.START_TLS
        && option.number != NbdOption.ABORT) {
      return error(option, TLS_REQUIRED, "This server wants TLS");
    }
    switch (option.number) {
      case NbdOption.ABORT:
        return step(option, NbdStep.Next.END);
      case NbdOption.LIST:
        return list(option);
      case NbdOption.START_TLS:
        return startTls(option);
      case NbdOption.INFO:
      case NbdOption.GO:
        return info(option, data);
      case NbdOption.STRUCTURED_REPLY:
        if (option.length > 0) {
          return error(option, INVALID, "The option has no data");
        }
        isStructured = true;
        return step(option, NbdStep.Next.OPTION);
      default:
        return error(option, UNSUPPORTED, "");
    }
  }

  /** @return whether the client has asked for structured replies */
  public boolean isStructured() {
    return isStructured;
  }

  /**
   * Answers the option EXPORT_NAME. The protocol has no error as an answer to it, so the connection
   * ends if it fails.
   */
  private NbdStep exportName(NbdOption option, ByteBuffer data) throws NbdProtocolException {
    if (hasTls && !isTls) {
      throw new NbdProtocolException("chose an export without TLS");
    }
    if (option.length > 0) {
      throw new NbdProtocolException("chose an export that does not exist");
    }
    ByteBuffer answer = ByteBuffer.allocate(Long.BYTES + Short.BYTES + ZEROES)
        .putLong(export.size).putShort((short) export.transmissionFlags(isStructured));
    if (hasZeroes) {
      answer.position(answer.limit());
    }
    return new NbdStep(answer.flip(), NbdStep.Next.REQUESTS);
  }

  private NbdStep list(NbdOption option) {
    if (option.length > 0) {
      return error(option, INVALID, "The option has no data");
    }
    ByteBuffer answer = ByteBuffer.allocate(ANSWER_BYTES);
    // The length of the export's name, which is empty.
    head(answer, option, SERVER, Integer.BYTES).putInt(0);
    head(answer, option, ACK, 0);
    return new NbdStep(answer.flip(), NbdStep.Next.OPTION);
  }

  private NbdStep startTls(NbdOption option) {
    if (option.length > 0) {
      return error(option, INVALID, "The option has no data");
    }
    if (!hasTls) {
      return error(option, POLICY, "This server has no key for TLS");
    }
    if (isTls) {
      return error(option, INVALID, "TLS has begun already");
    }
    isTls = true;
    return step(option, NbdStep.Next.TLS);
  }

  private NbdStep info(NbdOption option, ByteBuffer data) {
    if (!option.isReadable()) {
      return error(option, TOO_BIG, "The option has too many data");
    }
    if (data.remaining() < Integer.BYTES + Short.BYTES) {
      return error(option, INVALID, "The option has too few data");
    }
    int nameBytes = data.getInt();
    if (nameBytes < 0 || nameBytes > NAME_BYTES_MOST
        || nameBytes > data.remaining() - Short.BYTES) {
      return error(option, INVALID, "The length of the name is wrong");
    }
    data.position(data.position() + nameBytes);
    int wanted = Short.toUnsignedInt(data.getShort());
    if (data.remaining() != wanted * Short.BYTES) {
      return error(option, INVALID, "The number of questions is wrong");
    }
    if (nameBytes > 0) {
      return error(option, UNKNOWN_NAME, "The only export has the empty name");
    }
    boolean isNameWanted = false;
    boolean isDescriptionWanted = false;
    while (data.hasRemaining()) {
      short question = data.getShort();
      isNameWanted |= question == INFO_NAME;
      isDescriptionWanted |= question == INFO_DESCRIPTION;
    }
    ByteBuffer answer = ByteBuffer.allocate(ANSWER_BYTES);
    head(answer, option, INFO, Short.BYTES + Long.BYTES + Short.BYTES).putShort(INFO_EXPORT)
        .putLong(export.size).putShort((short) export.transmissionFlags(isStructured));
    if (isNameWanted) {
      head(answer, option, INFO, Short.BYTES).putShort(INFO_NAME);
    }
    if (isDescriptionWanted) {
      byte[] text = description();
      head(answer, option, INFO, Short.BYTES + text.length).putShort(INFO_DESCRIPTION).put(text);
    }
    head(answer, option, INFO, Short.BYTES + 3 * Integer.BYTES).putShort(INFO_BLOCK_SIZE)
        .putInt(NbdExport.BLOCK_LEAST).putInt(NbdExport.BLOCK_PREFERRED)
        .putInt(NbdExport.REQUEST_BYTES_MOST);
    head(answer, option, ACK, 0);
    return new NbdStep(answer.flip(), option.number == NbdOption.GO ? NbdStep.Next.REQUESTS
        : NbdStep.Next.OPTION);
  }

  /** Returns the description of the device; if it is too long to be sent as a whole, nothing. */
  private byte[] description() {
    byte[] text = export.description.getBytes(StandardCharsets.UTF_8);
    return text.length <= DESCRIPTION_BYTES_MOST ? text : new byte[0];
  }

  private static NbdStep step(NbdOption option, NbdStep.Next next) {
    ByteBuffer answer = ByteBuffer.allocate(ANSWER_BYTES);
    head(answer, option, ACK, 0);
    return new NbdStep(answer.flip(), next);
  }

  private static NbdStep error(NbdOption option, int kind, String text) {
    byte[] words = text.getBytes(StandardCharsets.UTF_8);
    ByteBuffer answer = ByteBuffer.allocate(ANSWER_BYTES);
    head(answer, option, kind, words.length).put(words);
    return new NbdStep(answer.flip(), NbdStep.Next.OPTION);
  }

  private static ByteBuffer head(ByteBuffer answer, NbdOption option, int kind, int length) {
    return answer.putLong(ANSWER_MAGIC).putInt(option.number).putInt(kind).putInt(length);
  }
}
