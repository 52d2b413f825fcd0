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
 * Estimates the part of the disks' work that this DataNode's repairs caused. Of the bytes that
 * repairs read, this class counts at most as many as the disks have read, because the other bytes
 * came from memory. Bytes that repairs write reach the disks later, with the kernel's write-back;
 * this class remembers these bytes until then. In doubt this class attributes work to repairs. If
 * it took the load of a repair for users' load, a manager would keep the next repair away from this
 * DataNode.
 *
 * <p>A disk's time depends on bytes and on requests, so this class calculates the share of other
 * work twice, from bytes and from requests, and takes the greater share. A user that reads small
 * pieces at random positions keeps a disk busy with few bytes; a stream keeps it busy with few
 * requests. Not thread-safe.
 */
@InterfaceAudience.Private
final class OwnShare {
  /**
   * The assumed size of a repair's disk requests, bytes. The kernel's read-ahead makes requests of
   * this size. Repairs that read more at a time cause larger requests, and fewer.
   */
  private static final double REQUEST_BYTES = 128 << 10;
  /**
   * The time constant with which this class forgets written bytes, ms. It is twice the time for
   * which Linux leaves written pages in memory.
   */
  private static final double KEPT_MS = 60_000;

  private double notYetOnDisk;

  /**
   * Estimates the share of the disks' work that repairs did not cause, 0 to 1.
   *
   * @param did the work of the disks in the interval
   * @param read bytes that repairs read in the interval
   * @param written bytes that repairs wrote in the interval
   * @param elapsedMs the length of the interval, ms
   */
  double ofOthers(DiskCounters did, long read, long written, double elapsedMs) {
    notYetOnDisk = notYetOnDisk * Math.exp(-elapsedMs / KEPT_MS) + written;
    double ownWritten = Math.min(did.bytesWritten, notYetOnDisk);
    notYetOnDisk -= ownWritten;
    double own = Math.min(did.bytesRead, read) + ownWritten;
    if (own == 0) {
      return 1;
    }
    double byBytes = 1 - own / did.bytes();
    double byRequests = did.requests == 0 ? 0 : 1 - own / REQUEST_BYTES / did.requests;
    return Math.max(0, Math.max(byBytes, byRequests));
  }
}
