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

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;


/** The input of a connection whose reads count as waiting. */
final class TimedInput extends FilterInputStream {
  private final ReadClock clock;

  TimedInput(InputStream in, ReadClock clock) {
    super(in);
    this.clock = clock;
  }

  @Override
  public int read() throws IOException {
    clock.enter(ReadClock.Step.WAIT);
    try {
      return in.read();
    } finally {
      clock.leave(ReadClock.Step.WAIT);
    }
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    clock.enter(ReadClock.Step.WAIT);
    try {
      return in.read(bytes, offset, length);
    } finally {
      clock.leave(ReadClock.Step.WAIT);
    }
  }
}
