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
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;

import org.junit.jupiter.api.Test;

/** What fio prints, and what a client of stock answers. */
class TestFioJob {
  private static final String OUTPUT = "fio: a message\n{\n \"jobs\" : [{\"jobname\" : \"job\","
      + " \"error\" : ERROR, \"read\" : {\"total_ios\" : 0}, \"write\" : {\"io_bytes\" : 4096000,"
      + " \"runtime\" : 2500, \"total_ios\" : 1000, \"lat_ns\" : {\"mean\" : 1500000.5,"
      + " \"percentile\" : {\"50.000000\" : 1, \"99.000000\" : 7000000}}},"
      + " \"sync\" : {\"total_ios\" : 0, \"lat_ns\" : {\"N\" : 1, \"mean\" : 30000000.0}}}]}\n";

  @Test
  void resultsOfFio() throws IOException {
    LoadResult result = FioJob.parse(OUTPUT.replace("ERROR", "0"),
        List.of("1700000001000, 1000, 1, 0, 0", "1700000002000, 3000, 1, 0, 0"),
        LoadOperation.WRITE);
    assertEquals(4_096_000, result.bytes);
    assertEquals(1000, result.requests);
    assertEquals(2.5, result.seconds);
    assertEquals(1.5000005, result.meanMs, 1e-9);
    assertEquals(7, result.p99Ms);
    assertEquals(30, result.flushMs);
    AskedBytes progress = result.progress;
    assertEquals(4000 * 1024, progress.total());
    assertEquals(0, progress.until(1_699_999_999));
    assertEquals(500 * 1024, progress.until(1_700_000_000.5), 1);
    assertEquals(2500 * 1024, progress.until(1_700_000_001.5), 1);
    assertEquals(4000 * 1024, progress.until(1_700_000_009));
  }

  @Test
  void failuresOfFioAreNoResults() {
    assertTrue(assertThrows(IOException.class, () -> FioJob.parse(OUTPUT.replace("ERROR", "5"),
        List.of(), LoadOperation.WRITE)).getMessage().contains("fio has failed: fio: a message"));
    assertThrows(IOException.class,
        () -> FioJob.parse(OUTPUT.replace("ERROR", "0"), List.of(), LoadOperation.READ));
  }

  @Test
  void resultsOfStock() throws IOException {
    LoadResult result = StockClient.parse("{\"bytes\": 8192, \"requests\": 2, \"seconds\": 0.5,"
        + " \"mean_ms\": 1.5, \"p99_ms\": 2.0, \"flush_ms\": \"NaN\","
        + " \"progress\": [[10.0, 0], [11.0, 4096], [11.5, 8192]]}");
    assertEquals(8192, result.bytes);
    assertEquals(2048, result.progress.until(10.5));
    assertTrue(Double.isNaN(result.flushMs));
  }
}
