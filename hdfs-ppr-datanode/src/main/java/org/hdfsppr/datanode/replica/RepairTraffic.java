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
package org.hdfsppr.datanode.replica;

import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * What tells the bytes that repairs move of this DataNode's replicas from those that users move.
 * Stock's counters have both: so that a repair's can be taken off there, they are counted here
 * first, and stock's counters are to be read before these. Then a byte of a repair never looks like
 * a user's, whatever threads do in between. What clients read degraded is users' traffic; as far as
 * it comes from memory stock's counters do not have it, and it is added from here. Thread-safe.
 */
@InterfaceAudience.Private
public final class RepairTraffic {
  private final LongAdder read = new LongAdder();
  private final LongAdder written = new LongAdder();
  private final LongAdder fromMemory = new LongAdder();

  /** A repair reads bytes of a replica, which stock's counters do not have yet. */
  public void addRead(long bytes) {
    read.add(bytes);
  }

  /** A repair writes bytes of a replica, which stock's counters do not have yet. */
  public void addWritten(long bytes) {
    written.add(bytes);
  }

  /** A client got bytes of a replica that no file was read for. */
  public void addFromMemory(long bytes) {
    fromMemory.add(bytes);
  }

  /** Read by repairs. */
  public long bytesRead() {
    return read.sum();
  }

  /** Written by repairs. */
  public long bytesWritten() {
    return written.sum();
  }

  /** Got by clients, from memory. */
  public long bytesFromMemory() {
    return fromMemory.sum();
  }
}
