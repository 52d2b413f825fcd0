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
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.datanode.disk.VolumeDisks.DiskMeter;
import org.hdfsppr.datanode.disk.VolumeDisks.DiskRate;
import org.junit.jupiter.api.Test;

/**
 * Tests estimates for two disks that stream 100 MB/s each. The test advances the counters second by
 * second.
 */
@InterfaceAudience.Private
class TestDiskMeter {
  private static final long MB = 1_000_000;
  private static final int STREAM_REQUEST = 256_000;
  private static final List<String> DISKS = Arrays.asList("8:0", "8:16");

  private final DiskMeter meter = new DiskMeter();
  private final Map<String, DiskCounters> counters = new HashMap<>();
  private long repairsRead;
  private long repairsWrote;

  TestDiskMeter() {
    // Another disk, which the meter must leave out.
    counters.put("8:32", new DiskCounters(1, 1, 1, 1));
    DISKS.forEach(disk -> counters.put(disk, new DiskCounters(7 * MB, 9 * MB, 100, 5_000)));
    sample();
  }

  private void sample() {
    meter.sample(DISKS, counters, repairsRead, repairsWrote, TimeUnit.SECONDS.toNanos(1));
  }

  private void does(String disk, long read, long written, long requests, long busyMs) {
    counters.merge(disk, new DiskCounters(read, written, requests, busyMs), DiskCounters::plus);
  }

  private void streams(String disk, long read, long written) {
    does(disk, read, written, (read + written) / STREAM_REQUEST, (read + written) / (MB / 10));
  }

  private int usersBusy() {
    return meter.load().get().usersBusyPercent;
  }

  private void seconds(int seconds, Runnable each) {
    for (int second = 0; second < seconds; second++) {
      each.run();
      sample();
    }
  }

  @Test
  void nothingIsKnownBeforeADiskHasShownWhatItCanDo() {
    assertFalse(meter.load().isPresent());
    seconds(10, () -> { });
    assertFalse(meter.load().isPresent(), "idle disks show no rate");
    seconds(10, () -> streams("8:0", MB, 0));
    assertFalse(meter.load().isPresent(), "disks that hardly work show no rate");
    seconds(10, () -> does("8:0", 100 * 4096, 0, 100, 1_000));
    assertFalse(meter.load().isPresent(), "small requests show no rate");
  }

  @Test
  void bytesOverBusyTimeIsTheRate() {
    seconds(1, () -> streams("8:0", 20 * MB, 10 * MB));
    assertEquals(200 * MB, meter.load().get().bytesPerSecond, MB,
        "the other disk counts as equally fast");
    seconds(1, () -> streams("8:16", 50 * MB, 0));
    assertEquals(200 * MB, meter.load().get().bytesPerSecond, MB);
  }

  /** Users that read at random places keep the disk busy and do not lower its estimate. */
  @Test
  void smallRequestsDoNotMakeADiskSlow() {
    seconds(5, () -> streams("8:0", 90 * MB, 0));
    seconds(100, () -> DISKS.forEach(disk -> does(disk, 100 * 4096, 0, 100, 1_000)));
    assertEquals(200 * MB, meter.load().get().bytesPerSecond, MB);
    assertEquals(100, usersBusy());
  }

  @Test
  void estimatesHaveBounds() {
    seconds(300, () -> does("8:0", MB, 0, 1, 1_000));
    assertEquals(2 * DiskRate.LEAST, meter.load().get().bytesPerSecond, MB);
    seconds(300, () -> does("8:0", Long.MAX_VALUE >> 14, 0, 1, 100));
    assertEquals(2 * DiskRate.MOST, meter.load().get().bytesPerSecond, MB);
  }

  @Test
  void slowerIsBelievedSlowly() {
    seconds(5, () -> streams("8:0", 90 * MB, 0));
    seconds(1, () -> does("8:0", 50 * MB, 0, 200, 1_000));
    assertTrue(meter.load().get().bytesPerSecond > 190 * MB, "" + meter.load().get());
    seconds(100, () -> does("8:0", 50 * MB, 0, 200, 1_000));
    assertEquals(100 * MB, meter.load().get().bytesPerSecond, MB);
  }

  @Test
  void usersKeepTheDisksBusy() {
    seconds(30, () -> DISKS.forEach(disk -> streams(disk, 60 * MB, 0)));
    assertEquals(60, usersBusy());
    seconds(30, () -> streams("8:0", 60 * MB, 0));
    assertEquals(30, usersBusy(), "one of two disks is busy");
    seconds(60, () -> { });
    assertEquals(0, usersBusy());
  }

  @Test
  void repairsAreNoUsers() {
    seconds(30, () -> DISKS.forEach(disk -> {
      streams(disk, 80 * MB, 0);
      repairsRead += 80 * MB;
    }));
    assertEquals(0, usersBusy());
    // The requests are small reads of checksums and journals, and some of them move the heads.
    seconds(30, () -> DISKS.forEach(disk -> {
      does(disk, 60 * MB + MB / 2, 0, 470, 1_000);
      repairsRead += 60 * MB;
    }));
    assertTrue(usersBusy() <= 5, usersBusy() + " %");
  }

  /**
   * Bytes that repairs have written reach the disk half a minute later, when no repair writes any
   * more. They still count as written by repairs.
   */
  @Test
  void whatRepairsWroteIsTheirsWhenItReachesTheDisk() {
    seconds(1, () -> streams("8:0", 50 * MB, 0));
    seconds(60, () -> { });
    repairsWrote += 1000 * MB;
    seconds(25, () -> { });
    seconds(10, () -> streams("8:0", 0, 60 * MB));
    assertEquals(0, usersBusy());
    seconds(30, () -> streams("8:0", 0, 60 * MB));
    assertTrue(usersBusy() > 25,
        "users keep the disks busier than the repairs' writes: " + usersBusy() + " %");
  }

  /** A client that reads 4 KiB at random places uses half of the disk's time. */
  @Test
  void usersOfFewBytesAreSeenBesideARepair() {
    seconds(1, () -> streams("8:0", 90 * MB, 0));
    seconds(30, () -> DISKS.forEach(disk -> {
      does(disk, 40 * MB + 100 * 4096, 0, 160 + 100, 1_000);
      repairsRead += 40 * MB;
    }));
    assertEquals(0, repairsWrote);
    assertTrue(usersBusy() >= 0, "doubtful time counts as the repairs'");
    seconds(30, () -> DISKS.forEach(disk -> {
      does(disk, 10 * MB + 100 * 4096, 0, 40 + 100, 1_000);
      repairsRead += 10 * MB;
    }));
    assertTrue(usersBusy() > 40, usersBusy() + " %");
  }

  @Test
  void aDiskThatIsReplacedStartsAnew() {
    seconds(3, () -> streams("8:0", 50 * MB, 0));
    counters.put("8:0", new DiskCounters(0, 0, 0, 0));
    sample();
    seconds(3, () -> streams("8:0", 50 * MB, 0));
    assertEquals(200 * MB, meter.load().get().bytesPerSecond, MB);
  }
}
