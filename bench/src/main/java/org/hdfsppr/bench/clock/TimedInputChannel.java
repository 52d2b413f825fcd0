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

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;


/** The input channel of a connection whose reads count as waiting. */
final class TimedInputChannel implements ReadableByteChannel {
  private final ReadableByteChannel in;
  private final ReadClock clock;

  TimedInputChannel(ReadableByteChannel in, ReadClock clock) {
    this.in = in;
    this.clock = clock;
  }

  @Override
  public int read(ByteBuffer dst) throws IOException {
    clock.enter(ReadClock.Step.WAIT);
    try {
      return in.read(dst);
    } finally {
      clock.leave(ReadClock.Step.WAIT);
    }
  }

  @Override
  public boolean isOpen() {
    return in.isOpen();
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
