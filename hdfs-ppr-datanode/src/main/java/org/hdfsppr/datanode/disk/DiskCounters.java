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

/**
 * The kernel's counters of one disk, or their sum over several disks. They count since boot or
 * during an interval. Immutable.
 */
final class DiskCounters {
  static final DiskCounters NOTHING = new DiskCounters(0, 0, 0, 0);

  final long bytesRead;
  final long bytesWritten;
  final long requests;
  final long busyMs;

  /**
   * @param bytesRead the bytes that the disk has read
   * @param bytesWritten the bytes that the disk has written
   * @param requests the requests that the disk has completed
   * @param busyMs how long the disk had at least one request under way, ms
   */
  DiskCounters(long bytesRead, long bytesWritten, long requests, long busyMs) {
    this.bytesRead = bytesRead;
    this.bytesWritten = bytesWritten;
    this.requests = requests;
    this.busyMs = busyMs;
  }

  long bytes() {
    return bytesRead + bytesWritten;
  }

  DiskCounters plus(DiskCounters other) {
    return new DiskCounters(bytesRead + other.bytesRead, bytesWritten + other.bytesWritten,
        requests + other.requests, busyMs + other.busyMs);
  }

  /**
   * Returns the disk's work since {@code before}. Returns null if a counter has fallen, because the
   * counter has overflowed or another disk now has this device number.
   */
  DiskCounters since(DiskCounters before) {
    DiskCounters more = new DiskCounters(bytesRead - before.bytesRead,
        bytesWritten - before.bytesWritten, requests - before.requests, busyMs - before.busyMs);
    return more.bytesRead < 0 || more.bytesWritten < 0 || more.requests < 0 || more.busyMs < 0
        ? null : more;
  }

  @Override
  public String toString() {
    return bytesRead + " bytes read, " + bytesWritten + " written, " + requests + " requests, "
        + busyMs + " ms busy";
  }
}
