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
package org.hdfsppr.it.cluster;

import org.apache.hadoop.classification.InterfaceAudience;

/** What all racks together have sent to the core, as the kernel counts it. */
@InterfaceAudience.Private
public final class RackTraffic {
  /**
   * The headers of a frame with a segment of TCP, bytes: 14 of Ethernet, 20 of IPv4, and 32 of TCP,
   * as Linux sends it with the option of timestamps.
   */
  public static final int HEADER_BYTES = 66;

  public final long bytes;
  public final long frames;

  /**
   * @param bytes the bytes of whole frames, with their headers
   * @param frames how many frames these were
   */
  public RackTraffic(long bytes, long frames) {
    this.bytes = bytes;
    this.frames = frames;
  }

  /**
   * {@return the traffic since an earlier reading}
   *
   * @param earlier an earlier reading
   */
  public RackTraffic since(RackTraffic earlier) {
    return new RackTraffic(bytes - earlier.bytes, frames - earlier.frames);
  }

  /**
   * {@return this traffic without what crosses racks in any case}
   *
   * @param idle the traffic of some time without load
   * @param share how much longer this traffic took than the idle one
   */
  public RackTraffic without(RackTraffic idle, double share) {
    return new RackTraffic(Math.max(0, bytes - Math.round(idle.bytes * share)),
        Math.max(0, frames - Math.round(idle.frames * share)));
  }

  /** {@return the bytes that programs have sent, without the headers of frames} */
  public long payloadBytes() {
    return Math.max(0, bytes - HEADER_BYTES * frames);
  }
}
