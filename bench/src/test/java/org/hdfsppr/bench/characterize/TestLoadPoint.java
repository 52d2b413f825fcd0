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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.Collectors;

import org.hdfsppr.it.util.EcCode;
import org.junit.jupiter.api.Test;

/** What a user writes, and which points follow. */
class TestLoadPoint {

  @Test
  void rangesAreThePowersOfTwoBetween() {
    assertEquals(List.of(1024L, 2048L, 4096L, 8192L), RequestSizes.parse(List.of("1k..8k")));
    assertEquals(List.of(4096L, 65536L, 131072L),
        RequestSizes.parse(List.of("128k", "4k", "64k", "4k")));
    assertEquals("128k", RequestSizes.text(131072));
  }

  @Test
  void sizesThatMakeNoSenseAreRefused() {
    for (String wrong : List.of("8k..4k", "1k..2k..4k", "512", "33m")) {
      assertTrue(assertThrows(IllegalArgumentException.class,
          () -> RequestSizes.parse(List.of(wrong))).getMessage().contains("--request"), wrong);
    }
  }

  @Test
  void schemesAreCodesUnderOneEngineAndFilesOfStock() throws Exception {
    Scheme replication = Scheme.parse("replication");
    assertEquals(EcCode.RS_1_2, replication.code());
    assertEquals(3, replication.units());
    assertEquals(3, replication.storedPerByte());
    assertFalse(replication.stock);
    assertEquals(1.5, Scheme.parse("stock-rs-6-3").storedPerByte());
    assertTrue(Scheme.parse("stock-rs-6-3").stock);
    Scheme files = Scheme.parse("stock-replication");
    assertTrue(files.stock && files.isReplicated());
    assertThrows(NullPointerException.class, files::code);
    assertThrows(IllegalArgumentException.class, () -> Scheme.parse("stock-lrc-l2-12-4"));
    assertThrows(IllegalArgumentException.class, () -> Scheme.parse("rs-7-7"));
  }

  /** Stock can neither write at random places nor twice. */
  @Test
  void filesOfStockHavePointsForWhatStockCanDo() throws Exception {
    List<LoadPoint> points = LoadPoint.all(
        List.of(Scheme.parse("rs-6-3"), Scheme.parse("stock-rs-6-3")), List.of(4096L),
        List.of(Places.SEQUENTIAL, Places.RANDOM), List.of(LoadOperation.WRITE),
        List.of(DeviceState.PRISTINE, DeviceState.OVERWRITTEN));
    assertEquals(List.of("rs-6-3, seq write of 4k, pristine",
        "stock-rs-6-3, seq write of 4k, pristine", "rs-6-3, random write of 4k, pristine",
        "rs-6-3, seq write of 4k, overwritten", "rs-6-3, random write of 4k, overwritten"),
        points.stream().map(LoadPoint::toString).collect(Collectors.toList()));
  }

  @Test
  void theFirstWarmUpIsNoShorterThanTheOthers() {
    LoadSettings settings = new LoadSettings(1, 1, 1, 1, 3, 15, 0, 1);
    assertEquals(15, settings.warmUpSeconds(true));
    assertEquals(3, settings.warmUpSeconds(false));
    assertEquals(3, new LoadSettings(1, 1, 1, 1, 3, 1, 0, 1).warmUpSeconds(true));
    assertEquals(0, new LoadSettings(1, 1, 1, 1, 0, 15, 0, 1).warmUpSeconds(true));
  }

  @Test
  void devicesHaveWholeStripes() throws Exception {
    LoadSettings settings = new LoadSettings(100 << 20, 30 << 20, 1, 1, 0, 0, 0, 1);
    assertEquals(30 << 20, settings.objectBytes(Scheme.parse("rs-6-3")));
    assertEquals(36 << 20, settings.objectBytes(Scheme.parse("rs-12-4")));
    assertEquals(4, settings.objects(Scheme.parse("replication")));
    assertEquals(108 << 20, settings.measuredBytes(Scheme.parse("rs-12-4")));
    assertThrows(IllegalArgumentException.class, () -> new LoadSettings(1, 1, 0, 1, 0, 0, 0, 1));
  }

  @Test
  void jobsOfStockArriveAsTheyWereSent() {
    StockJob job = StockJob.parse(
        new StockJob(LoadOperation.READ, 4096, 1L << 40, 7, 1 << 20, "/a/b").toLine());
    assertEquals("read 4096 1099511627776 7 1048576 /a/b", job.toLine());
    assertEquals(7, job.seconds);
    assertEquals("/a/b", job.path);
  }
}
