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
package org.hdfsppr.stream;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import org.apache.hadoop.classification.InterfaceAudience;

/** One end of a connection in memory: a pipe in, a pipe out. */
@InterfaceAudience.Private
final class MemoryConnection implements TransferConnection {
  private final String name;
  private final BytePipe pipeIn;
  private final BytePipe pipeOut;
  private final InputStream in;
  private final OutputStream out;
  private volatile boolean closed;

  /**
   * @param channels whether the streams are channels as well, as Hadoop's socket streams are and
   *     its encrypting ones are not
   * @param mostAtOnce bytes that one read or write of a channel moves
   */
  MemoryConnection(String name, BytePipe pipeIn, BytePipe pipeOut, boolean channels,
      int mostAtOnce) {
    this.name = name;
    this.pipeIn = pipeIn;
    this.pipeOut = pipeOut;
    this.in = channels ? new ChannelIn(pipeIn, mostAtOnce) : new In(pipeIn, mostAtOnce);
    this.out = channels ? new ChannelOut(pipeOut, mostAtOnce) : new Out(pipeOut);
  }

  @Override
  public InputStream in() {
    return in;
  }

  @Override
  public OutputStream out() {
    return out;
  }

  @Override
  public void setTimeout(int timeoutMs) {
    if (timeoutMs < 1) {
      throw new IllegalArgumentException("A timeout of " + timeoutMs + " ms never passes");
    }
    pipeIn.setReadTimeout(timeoutMs);
    pipeOut.setWriteTimeout(timeoutMs);
  }

  boolean isClosed() {
    return closed;
  }

  @Override
  public void abort() {
    pipeIn.closeReader();
    pipeOut.closeWriter();
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      pipeIn.closeReader();
      pipeOut.closeWriter();
    }
  }

  @Override
  public String toString() {
    return name;
  }

  /** Reads a pipe. */
  private static class In extends InputStream {
    private final BytePipe pipe;
    private final int mostAtOnce;

    In(BytePipe pipe, int mostAtOnce) {
      this.pipe = pipe;
      this.mostAtOnce = mostAtOnce;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] to, int offset, int length) throws IOException {
      return length == 0 ? 0 : pipe.read(to, offset, Math.min(length, mostAtOnce));
    }
  }

  /** Reads a pipe, into buffers as well. */
  private static final class ChannelIn extends In implements ReadableByteChannel {
    ChannelIn(BytePipe pipe, int mostAtOnce) {
      super(pipe, mostAtOnce);
    }

    @Override
    public int read(ByteBuffer dst) throws IOException {
      byte[] bytes = new byte[dst.remaining()];
      int length = read(bytes, 0, bytes.length);
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

  /** Writes a pipe. */
  private static class Out extends OutputStream {
    private final BytePipe pipe;

    Out(BytePipe pipe) {
      this.pipe = pipe;
    }

    @Override
    public void write(int b) throws IOException {
      write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] from, int offset, int length) throws IOException {
      pipe.write(from, offset, length);
    }
  }

  /** Writes a pipe, from buffers as well. */
  private static final class ChannelOut extends Out implements WritableByteChannel {
    private final int mostAtOnce;

    ChannelOut(BytePipe pipe, int mostAtOnce) {
      super(pipe);
      this.mostAtOnce = mostAtOnce;
    }

    @Override
    public int write(ByteBuffer src) throws IOException {
      byte[] bytes = new byte[Math.min(src.remaining(), mostAtOnce)];
      src.get(bytes);
      write(bytes, 0, bytes.length);
      return bytes.length;
    }

    @Override
    public boolean isOpen() {
      return true;
    }
  }
}
