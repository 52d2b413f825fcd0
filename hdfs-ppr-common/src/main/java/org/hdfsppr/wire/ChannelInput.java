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

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Reads a connection with few system calls and few copies. Small fields come from a read-ahead
 * buffer; large fields go from the channel directly into the caller's buffer. Hadoop's socket, SASL
 * and crypto streams are all channels. The bytes of any other stream pass through the read-ahead
 * buffer. Used by one thread.
 */
@InterfaceAudience.Private
public final class ChannelInput {
  /**
   * Length of the read-ahead buffer, bytes. It holds several headers. A field that is longer than
   * half of the buffer is read directly from the channel, with system calls of its own.
   */
  private static final int AHEAD_BYTES = 8 << 10;

  private final InputStream in;
  private final ReadableByteChannel channel;
  private final ByteBuffer ahead;
  private long bytesRead;

  /** @param in the connection; the caller still has to close it */
  public ChannelInput(InputStream in) {
    this.in = in;
    this.channel = in instanceof ReadableByteChannel ? (ReadableByteChannel) in : null;
    this.ahead = ByteBuffer.allocate(AHEAD_BYTES);
    ahead.limit(0);
  }

  /** @return bytes that came over the connection so far, including those read ahead */
  public long bytesRead() {
    return bytesRead;
  }

  /**
   * Fills a buffer from its position to its limit.
   *
   * @param dst the buffer
   * @throws EOFException if the connection ends too early
   * @throws IOException if the connection fails, or its timeout expires
   */
  public void readFully(ByteBuffer dst) throws IOException {
    while (dst.hasRemaining()) {
      if (ahead.hasRemaining()) {
        int length = Math.min(ahead.remaining(), dst.remaining());
        ByteBuffer part = ahead.duplicate();
        part.limit(part.position() + length);
        dst.put(part);
        ahead.position(ahead.position() + length);
      } else if (channel != null && dst.remaining() > AHEAD_BYTES / 2) {
        count(channel.read(dst));
      } else {
        readAhead();
      }
    }
  }

  private void readAhead() throws IOException {
    ahead.clear();
    int length;
    try {
      length = in.read(ahead.array(), 0, ahead.capacity());
    } finally {
      ahead.limit(0);
    }
    count(length);
    ahead.limit(length);
  }

  private void count(int length) throws EOFException {
    if (length < 0) {
      throw new EOFException("The peer closed the connection");
    }
    bytesRead += length;
  }

  /**
   * Waits until at least one byte has arrived, without consuming it.
   *
   * @throws EOFException if the connection ends too early
   * @throws IOException if the connection fails, or its timeout expires
   */
  public void await() throws IOException {
    if (!ahead.hasRemaining()) {
      readAhead();
    }
  }

  /** @return whether the caller has consumed all bytes that were read ahead */
  public boolean isDrained() {
    return !ahead.hasRemaining();
  }

  /**
   * @return the next byte
   * @throws EOFException if the connection ends too early
   * @throws IOException if the connection fails, or its timeout expires
   */
  public byte readByte() throws IOException {
    if (!ahead.hasRemaining()) {
      readAhead();
    }
    return ahead.get();
  }

  /**
   * @return the next two bytes, big-endian
   * @throws EOFException if the connection ends too early
   * @throws IOException if the connection fails, or its timeout expires
   */
  public short readShort() throws IOException {
    return (short) ((readByte() & 0xff) << 8 | readByte() & 0xff);
  }

  /**
   * @return the next four bytes, big-endian
   * @throws EOFException if the connection ends too early
   * @throws IOException if the connection fails, or its timeout expires
   */
  public int readInt() throws IOException {
    return (readShort() & 0xffff) << 16 | readShort() & 0xffff;
  }

  /**
   * Reads a message. Its length stands in front of it, as a varint.
   *
   * @param name name of the message, for errors
   * @param most the largest length in bytes; the reader allocates nothing for a longer message
   * @return the message
   * @throws MalformedRequestException if the length is malformed or too large
   * @throws IOException if the connection ends, fails, or its timeout expires
   */
  public byte[] readDelimited(String name, int most) throws IOException {
    long length = 0;
    for (int shift = 0; ; shift += 7) {
      if (shift > 28) {
        throw new MalformedRequestException("The length of the " + name + " is no varint");
      }
      byte b = readByte();
      length |= (long) (b & 0x7f) << shift;
      if (b >= 0) {
        break;
      }
    }
    if (length > most) {
      throw new MalformedRequestException("The " + name + " says that it has " + length
          + " bytes, at most " + most + " are allowed");
    }
    byte[] bytes = new byte[(int) length];
    readFully(ByteBuffer.wrap(bytes));
    return bytes;
  }
}
