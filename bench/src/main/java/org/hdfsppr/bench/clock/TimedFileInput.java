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
package org.hdfsppr.bench.clock;

import java.io.FileInputStream;
import java.io.IOException;
import java.nio.channels.FileChannel;

import org.apache.hadoop.classification.InterfaceAudience;

/**
 * A file whose reads are timed, through the stream or through its channel. It takes the place of
 * another stream of the same file, and shares its position.
 */
@InterfaceAudience.Private
public final class TimedFileInput extends FileInputStream {
  private final FileInputStream in;
  private final FileClock clock;

  /**
   * @param in the stream that reads; closed with this one
   * @param clock gets the times
   * @throws IOException if the stream is closed
   */
  public TimedFileInput(FileInputStream in, FileClock clock) throws IOException {
    super(in.getFD());
    this.in = in;
    this.clock = clock;
  }

  @Override
  public int read() throws IOException {
    long start = System.nanoTime();
    try {
      return in.read();
    } finally {
      clock.readSince(start);
    }
  }

  @Override
  public int read(byte[] bytes) throws IOException {
    return read(bytes, 0, bytes.length);
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    long start = System.nanoTime();
    try {
      return in.read(bytes, offset, length);
    } finally {
      clock.readSince(start);
    }
  }

  @Override
  public long skip(long bytes) throws IOException {
    return in.skip(bytes);
  }

  @Override
  public int available() throws IOException {
    return in.available();
  }

  @Override
  public FileChannel getChannel() {
    return new TimedFileChannel(in.getChannel(), clock);
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
