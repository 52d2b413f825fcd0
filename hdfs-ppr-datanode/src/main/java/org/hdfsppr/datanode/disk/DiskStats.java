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

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Reads Linux' {@code /proc/diskstats}: a line for each disk and partition.
 *
 * <pre>
 *   0 1     major and minor number
 *   2       name
 *   3 4 5 6     reads completed, merged, sectors, ms
 *   7 8 9 10    writes completed, merged, sectors, ms
 *   11      requests under way
 *   12      ms with a request under way
 *   13 ...  weighted ms; since 4.18 discards, since 5.5 flushes
 * </pre>
 *
 * <p>The kernel counts sectors of 512 bytes, also for disks with larger sectors. The parser skips
 * lines with fewer than 14 fields, which kernels before Linux 2.6.25 write for partitions. It
 * ignores the fields that later kernels append.
 */
@InterfaceAudience.Private
final class DiskStats {
  private static final int SECTOR_BYTES = 512;
  private static final int FIELDS_LEAST = 14;
  private static final int READS = 3;
  private static final int SECTORS_READ = 5;
  private static final int WRITES = 7;
  private static final int SECTORS_WRITTEN = 9;
  private static final int BUSY_MS = 12;

  private DiskStats() {
  }

  /** Returns the counters of each device by its number, "major:minor". */
  static Map<String, DiskCounters> parse(List<String> lines) {
    Map<String, DiskCounters> all = new HashMap<>();
    for (String line : lines) {
      String[] fields = line.trim().split("\\s+");
      if (fields.length < FIELDS_LEAST) {
        continue;
      }
      try {
        all.put(Integer.parseInt(fields[0]) + ":" + Integer.parseInt(fields[1]),
            new DiskCounters(number(fields[SECTORS_READ]) * SECTOR_BYTES,
                number(fields[SECTORS_WRITTEN]) * SECTOR_BYTES,
                number(fields[READS]) + number(fields[WRITES]), number(fields[BUSY_MS])));
      } catch (NumberFormatException e) {
        // A line in an unknown form says nothing about its disk.
        continue;
      }
    }
    return all;
  }

  /**
   * Parses a count. Rejects a count that is so large that its bytes, or the sum of two such counts,
   * could overflow.
   */
  private static long number(String text) {
    long value = Long.parseLong(text);
    if (value < 0 || value > Long.MAX_VALUE / SECTOR_BYTES / 2) {
      throw new NumberFormatException(text);
    }
    return value;
  }
}
