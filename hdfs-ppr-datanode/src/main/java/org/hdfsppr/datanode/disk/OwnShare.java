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
package org.hdfsppr.datanode.disk;

import org.apache.hadoop.classification.InterfaceAudience;

/**
 * How much of what disks did was for repairs of this DataNode. What repairs read counts for the
 * disks as long as these read anything; what they wrote reaches the disks later, with the kernel's
 * write back, and is kept in mind until then. In doubt it is the repairs' doing: their load must
 * not look like users', or each repair would drive away the next one.
 *
 * <p>Time on a disk goes by bytes and by requests: of the two shares that leave something to
 * others the greater one counts. A user that reads small pieces at random places keeps a disk busy
 * with few bytes, and a stream with few requests. Not thread-safe.
 */
@InterfaceAudience.Private
final class OwnShare {
  /** The kernel's own read ahead; with more asked for, requests are larger and fewer. */
  private static final double REQUEST_BYTES = 128 << 10;
  /** Twice what Linux leaves written pages in memory. */
  private static final double KEPT_MS = 60_000;

  private double notYetOnDisk;

  /**
   * The share of others, 0 to 1.
   *
   * @param did what the disks did
   * @param read what repairs read in that time
   * @param written what they wrote in that time
   */
  double ofOthers(DiskCounters did, long read, long written, double elapsedMs) {
    notYetOnDisk = notYetOnDisk * Math.exp(-elapsedMs / KEPT_MS) + written;
    double ownWritten = Math.min(did.bytesWritten(), notYetOnDisk);
    notYetOnDisk -= ownWritten;
    double own = Math.min(did.bytesRead(), read) + ownWritten;
    if (own == 0) {
      return 1;
    }
    double byBytes = 1 - own / did.bytes();
    double byRequests = did.requests() == 0 ? 0 : 1 - own / REQUEST_BYTES / did.requests();
    return Math.max(0, Math.max(byBytes, byRequests));
  }
}
