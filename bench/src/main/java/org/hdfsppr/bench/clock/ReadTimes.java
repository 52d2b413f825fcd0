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

import org.apache.hadoop.classification.InterfaceAudience;

/** The times of a client's reads, in nanoseconds. Immutable. */
@InterfaceAudience.Private
public final class ReadTimes {
  public final long total;
  public final long waiting;
  public final long computing;

  /**
   * @param total from the beginning of the reads to their end
   * @param waiting for bytes of DataNodes
   * @param computing in the client
   */
  public ReadTimes(long total, long waiting, long computing) {
    this.total = total;
    this.waiting = waiting;
    this.computing = computing;
  }

  /**
   * {@return the times of the reads after an earlier reading of the clock}
   *
   * @param earlier the earlier reading
   */
  public ReadTimes since(ReadTimes earlier) {
    return new ReadTimes(total - earlier.total, waiting - earlier.waiting,
        computing - earlier.computing);
  }
}
