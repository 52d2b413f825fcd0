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
package org.hdfsppr.bench.characterize;

/** What is the same for all points of a run. Immutable. */
final class LoadSettings {
  private static final long MIB = 1 << 20;

  private final long deviceBytes;
  private final long objectBytes;
  final int depth;
  final int seconds;
  private final int warmUpSeconds;
  private final int firstWarmUpSeconds;
  final int flushEach;
  final long seed;

  /**
   * @param deviceBytes the bytes that are asked at most, before they are rounded up
   * @param objectBytes the bytes of each file of a device, before they are rounded up
   * @param depth how many requests are under way at a time
   * @param seconds how long requests are made at most
   * @param warmUpSeconds how long requests are made before, at bytes that are not measured
   * @param firstWarmUpSeconds the same before the first point of each scheme and operation, whose
   *     daemons have compiled nothing yet
   * @param flushEach after how many writes there is a flush; 0 for one at the end only
   * @param seed draws places
   */
  LoadSettings(long deviceBytes, long objectBytes, int depth, int seconds, int warmUpSeconds,
      int firstWarmUpSeconds, int flushEach, long seed) {
    if (deviceBytes < 1 || objectBytes < 1 || depth < 1 || seconds < 1 || warmUpSeconds < 0
        || firstWarmUpSeconds < 0 || flushEach < 0) {
      throw new IllegalArgumentException("--size is " + deviceBytes + ", --object " + objectBytes
          + ", --depth " + depth + ", --seconds " + seconds + ", --warm-up " + warmUpSeconds
          + ", --first-warm-up " + firstWarmUpSeconds + ", --fsync " + flushEach);
    }
    this.deviceBytes = deviceBytes;
    this.objectBytes = objectBytes;
    this.depth = depth;
    this.seconds = seconds;
    this.warmUpSeconds = warmUpSeconds;
    this.firstWarmUpSeconds = firstWarmUpSeconds;
    this.flushEach = flushEach;
    this.seed = seed;
  }

  /** {@return the bytes of a file: whole stripes of cells of 1 MiB} */
  long objectBytes(Scheme scheme) {
    long stripe = MIB * scheme.dataUnits();
    return (objectBytes + stripe - 1) / stripe * stripe;
  }

  /** {@return how many files have the bytes that are measured} */
  int objects(Scheme scheme) {
    return (int) ((deviceBytes - 1) / objectBytes(scheme) + 1);
  }

  /** {@return the bytes that are asked at most: whole files} */
  long measuredBytes(Scheme scheme) {
    return objects(scheme) * objectBytes(scheme);
  }

  /**
   * {@return the seconds of the warm-up before a point; 0 if there are no warm-ups}
   *
   * @param isFirst whether it is the first point of its scheme and operation
   */
  int warmUpSeconds(boolean isFirst) {
    return isFirst && warmUpSeconds > 0 ? Math.max(firstWarmUpSeconds, warmUpSeconds)
        : warmUpSeconds;
  }
}
