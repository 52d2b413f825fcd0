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

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Turns samples of the counters of a DataNode's disks into its {@link DiskLoad}.
 *
 * <p>The meter adds the figures of all disks, because a manager knows on which node a replica is,
 * but not on which disk. The bandwidth is the sum of the disks' estimates (see {@link DiskRate}); a
 * disk without an estimate counts with the average of the other disks. While no disk has an
 * estimate, the load is unknown, and a manager assumes no limit of the disks. The busy share is the
 * mean of the disks' shares. The meter smooths it over some seconds, so that a manager does not
 * react to every burst.
 *
 * <p>Not thread-safe.
 */
@InterfaceAudience.Private
final class DiskMeter {
  private static final double SMOOTHING_MS = 5_000;

  private final OwnShare ownShare = new OwnShare();
  private final Map<String, DiskRate> rates = new HashMap<>();
  private Map<String, DiskCounters> last = new HashMap<>();
  private long lastRead;
  private long lastWritten;
  private double usersBusy;
  private boolean isFirst = true;

  /**
   * Takes a sample.
   *
   * @param disks the disks of the DataNode, "major:minor"
   * @param counters the counters of these disks, and maybe of others
   * @param repairsRead bytes that repairs have read so far
   * @param repairsWrote bytes that repairs have written so far
   * @param elapsedNanos the time since the last sample, ns
   */
  void sample(Collection<String> disks, Map<String, DiskCounters> counters, long repairsRead,
      long repairsWrote, long elapsedNanos) {
    double elapsedMs = Math.max(1, (double) elapsedNanos / TimeUnit.MILLISECONDS.toNanos(1));
    DiskCounters all = DiskCounters.NOTHING;
    int measured = 0;
    Map<String, DiskCounters> now = new HashMap<>();
    for (String disk : disks) {
      DiskCounters counted = counters.get(disk);
      DiskCounters before = last.get(disk);
      if (counted == null) {
        continue;
      }
      now.put(disk, counted);
      DiskCounters did = before == null ? null : counted.since(before);
      if (did != null) {
        measured++;
        all = all.plus(did);
        rates.computeIfAbsent(disk, number -> new DiskRate()).saw(did, elapsedMs);
      }
    }
    rates.keySet().retainAll(now.keySet());
    double others = ownShare.ofOthers(all, repairsRead - lastRead, repairsWrote - lastWritten,
        elapsedMs);
    if (measured > 0) {
      double busy = Math.min(1, all.busyMs / elapsedMs / measured) * others;
      usersBusy += (isFirst ? 1 : 1 - Math.exp(-elapsedMs / SMOOTHING_MS)) * (busy - usersBusy);
      isFirst = false;
    }
    last = now;
    lastRead = repairsRead;
    lastWritten = repairsWrote;
  }

  /** Returns the load; empty while no disk has an estimate. */
  Optional<DiskLoad> load() {
    double known = 0;
    int knownDisks = 0;
    for (DiskRate rate : rates.values()) {
      known += rate.bytesPerS();
      knownDisks += rate.bytesPerS() > 0 ? 1 : 0;
    }
    return knownDisks == 0 ? Optional.empty()
        : Optional.of(new DiskLoad((int) Math.round(usersBusy * 100),
            (long) (known / knownDisks * last.size())));
  }
}
