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
package org.hdfsppr.client.command;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.function.LongSupplier;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * The body of an answer, with a greatest length and a latest time. A server that never ends its
 * answer must not keep a command for ever, or fill its memory. Used by one thread.
 */
@InterfaceAudience.Private
final class BoundedBody extends FilterInputStream {
  private final LongSupplier nanos;
  private final long latestNanos;
  private final long bytesMax;
  private long bytesLeft;

  /**
   * @param body the bytes, after decompression
   * @param bytesMax the greatest length, bytes
   * @param msMax the time limit for all of the body from now on, ms
   * @param nanos a clock that never goes back, ns
   */
  BoundedBody(InputStream body, long bytesMax, long msMax, LongSupplier nanos) {
    super(body);
    this.nanos = nanos;
    this.latestNanos = nanos.getAsLong() + msMax * 1_000_000;
    this.bytesMax = bytesMax;
    this.bytesLeft = bytesMax;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    int read = read(one, 0, 1);
    return read < 0 ? read : one[0] & 0xff;
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    if (nanos.getAsLong() - latestNanos > 0) {
      throw new IOException("its answer takes too long");
    }
    // One byte more than allowed is asked for, which tells a body that ends in time from a longer
    // one.
    int read = super.read(bytes, offset, (int) Math.min(length, bytesLeft + 1));
    bytesLeft -= Math.max(read, 0);
    if (bytesLeft < 0) {
      throw new IOException("its answer is longer than " + (bytesMax >> 20) + " MiB");
    }
    return read;
  }

  @Override
  public long skip(long bytes) throws IOException {
    // Skipped bytes would not be counted. Jackson skips none.
    throw new IOException("Bytes of an answer are read, and not skipped");
  }

  @Override
  public boolean markSupported() {
    return false;
  }
}
