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
package org.hdfsppr.namenode.version;

import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.manage.VersionReport;

/**
 * Knows when the made units survive a power cut of all nodes. Until then, no old version may be
 * deleted, and no log may drop updates that are in the new version. Used by one thread at a time.
 */
@InterfaceAudience.Private
public final class PowerCutDurability {
  /**
   * For how long after its result a unit may still be lost in a power cut, ms, if the result does
   * not say that the unit is durable. Nodes of 0.2.0 never say that, and no node says it about a
   * unit that another node has stored. Linux looks every 5 s (vm.dirty_writeback_centisecs) for
   * bytes that have been in memory for 30 s (vm.dirty_expire_centisecs), and writes them. After
   * that, XFS writes the names of files within 30 s, and ext4 within 5 s. The rest of the time is
   * for the writing itself, while a busy disk also writes other bytes.
   */
  public static final long UNSAID_MS = 120_000;

  private static final long NEVER = Long.MIN_VALUE;

  private long unsaidMs = NEVER;

  /**
   * Takes note of a result by which units are done.
   *
   * @param report the report in the result; null if there is none
   * @param nowMs the time, monotonic, ms
   */
  void made(VersionReport report, long nowMs) {
    if (report == null || !report.durable) {
      unsaidMs = nowMs;
    }
  }

  /**
   * Returns how long it takes until all units that were noted survive a power cut.
   *
   * @param nowMs the time, monotonic, ms
   * @return the time, ms; 0 if all of them are durable
   */
  long leftMs(long nowMs) {
    return unsaidMs == NEVER ? 0 : Math.max(0, unsaidMs + UNSAID_MS - nowMs);
  }
}
