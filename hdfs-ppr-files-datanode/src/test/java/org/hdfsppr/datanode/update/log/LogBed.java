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
package org.hdfsppr.datanode.update.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Random;
import java.util.UUID;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.update.append.UnitId;

/** Opens logs in memory, and has names for what tests write into them. */
@InterfaceAudience.Private
final class LogBed {
  static final UUID FILE = new UUID(7, 8);
  static final UUID OTHER_FILE = new UUID(7, 9);
  static final UnitId UNIT = new UnitId(FILE, 0, 1);
  static final UnitId OTHER = new UnitId(OTHER_FILE, 2, 3);
  static final long BOOT = 1;
  static final long LATER_BOOT = 2;
  static final int SEGMENT_BYTES = 2048;
  /** Longer than any test waits. */
  static final long WAIT_MS = 60_000;

  private LogBed() {
  }

  static UpdateLog open(LogFolder folder, long boot) throws IOException {
    return open(folder, boot, new LogLimits(1 << 20, SEGMENT_BYTES, 10_000));
  }

  static UpdateLog open(LogFolder folder, long boot, LogLimits limits) throws IOException {
    return UpdateLog.open(folder, limits, boot, new Random(boot)::nextLong, System::nanoTime);
  }

  /** Returns bytes that say which they are. */
  static ByteBuffer data(int seed, int length) {
    byte[] bytes = new byte[length];
    new Random(seed).nextBytes(bytes);
    return ByteBuffer.wrap(bytes);
  }

  /** Lets a unit that the log does not know begin its first term. */
  static void begin(UpdateLog log, UnitId unit, long term) throws IOException {
    log.begin(unit, term, 0, 0, true);
  }
}
