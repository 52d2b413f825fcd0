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
 * Estimates the part of the disks' work that this DataNode's repairs caused. Bytes that repairs
 * read count as far as the disks have read as many bytes. Bytes that repairs write reach the disks
 * later, with the kernel's write-back; this class remembers these bytes until then. In doubt this
 * class attributes work to repairs: if it took the load of repairs for users' load, each repair
 * would drive away the next one.
 *
 * <p>A disk's time depends on bytes and on requests, so this class calculates the others' share
 * from each and takes the greater one. A user that reads small pieces at random places keeps a disk
 * busy with few bytes; a stream keeps it busy with few requests. Not thread-safe.
 */
@InterfaceAudience.Private
final class OwnShare {
  /**
   * The bytes of a repair's request, as the kernel's own read-ahead makes it. Repairs that ask for
   * more send larger requests, and fewer.
   */
  private static final double REQUEST_BYTES = 128 << 10;
  /**
   * How long this class remembers written bytes, ms: twice the time for which Linux leaves written
   * pages in memory.
   */
  private static final double KEPT_MS = 60_000;

  private double notYetOnDisk;

  /**
   * Estimates the share of others, 0 to 1.
   *
   * @param did the work of the disks in the interval
   * @param read bytes that repairs read in the interval
   * @param written bytes that repairs wrote in the interval
   * @param elapsedMs the length of the interval, ms
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
