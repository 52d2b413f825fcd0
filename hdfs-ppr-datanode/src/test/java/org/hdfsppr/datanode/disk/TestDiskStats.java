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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Collections;
import java.util.Map;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.datanode.disk.VolumeDisks.DiskStats;
import org.junit.jupiter.api.Test;

/** Tests lines of old and new kernels, and invalid lines. */
@InterfaceAudience.Private
class TestDiskStats {
  private static final int SECTOR = 512;

  private static void assertCounters(DiskCounters counters, long sectorsRead, long sectorsWritten,
      long requests, long busyMs) {
    assertNotNull(counters);
    assertEquals(sectorsRead * SECTOR, counters.bytesRead);
    assertEquals(sectorsWritten * SECTOR, counters.bytesWritten);
    assertEquals(requests, counters.requests);
    assertEquals(busyMs, counters.busyMs);
  }

  @Test
  void kernelsOldAndNew() {
    Map<String, DiskCounters> all = DiskStats.parse(Arrays.asList(
        // Linux 3.10 writes 14 fields, 4.18 writes 18 (with discards), 6.18 writes 20 (with
        // flushes).
        "   8       0 sda 1000 20 300000 4000 5000 60 700000 8000 0 9000 10000",
        "   8      17 sdb1 11 0 22 1 33 0 44 2 0 55 3 0 0 0 0",
        " 254       0 vda 45175 7347 3211666 11841 9473 28714 1281704 4389 0 6344 16655 3997 11"
            + " 242416 404 312 19",
        " 259       3 nvme0n1p2 1 0 8 0 2 0 16 0 0 4 0 0 0 0 0 7 7 1 2 3"));
    assertEquals(4, all.size());
    assertCounters(all.get("8:0"), 300_000, 700_000, 6_000, 9_000);
    assertCounters(all.get("8:17"), 22, 44, 44, 55);
    assertCounters(all.get("254:0"), 3_211_666, 1_281_704, 54_648, 6_344);
    assertCounters(all.get("259:3"), 8, 16, 3, 4);
  }

  @Test
  void whatIsNoSuchLineIsLeftOut() {
    assertTrue(DiskStats.parse(Arrays.asList("", "nonsense", "   8       1 sda1 1 2 3 4",
        "   8       x sda 1000 20 300000 4000 5000 60 700000 8000 0 9000 10000",
        "   8       0 sda 1000 20 -1 4000 5000 60 700000 8000 0 9000 10000",
        "   8       0 sda 1000 20 9223372036854775807 4000 5000 60 700000 8000 0 9000 10000",
        "   8       0 sda 1000 20 99999999999999999999 4000 5000 60 700000 8000 0 9000 10000"))
        .isEmpty());
    assertTrue(DiskStats.parse(Collections.emptyList()).isEmpty());
  }

  @Test
  void countersThatGoBackSayNothing() {
    DiskCounters before = new DiskCounters(10, 20, 3, 0xffff_fff0L);
    assertNull(new DiskCounters(11, 21, 4, 5).since(before), "the busy time has overflowed");
    assertEquals("1 bytes read, 2 written, 3 requests, 4 ms busy",
        new DiskCounters(11, 22, 6, 0xffff_fff4L).since(before).toString());
  }
}
