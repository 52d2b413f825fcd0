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
 * Estimates the rate at which one disk can stream: the bytes that the disk moved, divided by the
 * time that it was busy. Idle time therefore does not lower the estimate.
 *
 * <p>A sample counts only if it shows streams: the disk was busy for a tenth of the time or more,
 * and its requests were large. Small requests at random positions keep a disk busy and move few
 * bytes. They show the cost of small requests, and not the rate of streams. A faster sample changes
 * the estimate with a weight of 1/2, and a slower sample with a weight of 1/20, because a mix of
 * streams and small requests looks like a slow disk. The estimate stays between bounds that no disk
 * in service leaves. It is unknown until the first sample. Not thread-safe.
 */
@InterfaceAudience.Private
final class DiskRate {
  /** The least estimate, bytes per second. A disk that streams less is about to fail. */
  static final double LEAST = 20e6;
  /**
   * The greatest estimate, bytes per second. No disk with rotating parts, and no array of such
   * disks, moves more.
   */
  static final double MOST = 20e9;

  private static final long BUSY_MS_LEAST = 50;
  private static final double BUSY_SHARE_LEAST = 0.1;
  /**
   * The least mean size of the requests in a sample, bytes. The kernel reads ahead in requests of
   * 128 KiB. The bound is half of that, because requests for the ends of files and for checksums
   * are smaller.
   */
  private static final long REQUEST_BYTES_LEAST = 64 << 10;
  private static final double FASTER_WEIGHT = 0.5;
  private static final double SLOWER_WEIGHT = 0.05;

  private double bytesPerS;

  /** Takes a sample: the work of the disk in an interval of {@code elapsedMs} milliseconds. */
  void saw(DiskCounters did, double elapsedMs) {
    if (did.busyMs < BUSY_MS_LEAST || did.busyMs < BUSY_SHARE_LEAST * elapsedMs
        || did.bytes() < REQUEST_BYTES_LEAST * Math.max(1, did.requests)) {
      return;
    }
    double seen = Math.max(LEAST, Math.min(MOST, did.bytes() * 1000.0 / did.busyMs));
    double weight = bytesPerS == 0 ? 1 : seen > bytesPerS ? FASTER_WEIGHT : SLOWER_WEIGHT;
    bytesPerS += weight * (seen - bytesPerS);
  }

  /** Returns bytes per second, or 0 if the rate is unknown. */
  double bytesPerS() {
    return bytesPerS;
  }
}
