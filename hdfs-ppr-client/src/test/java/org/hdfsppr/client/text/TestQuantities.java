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
package org.hdfsppr.client.text;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests sizes, times and tables for people. */
class TestQuantities {
  @ParameterizedTest
  @CsvSource({"0, 0 B", "1, 1 B", "1023, 1023 B", "1024, 1.0 KiB", "1288490188, 1.2 GiB",
      "1048575, 1.0 MiB", "104857600, 100 MiB", "1099511627776, 1.0 TiB",
      "9.3e18, 8.1 EiB", "1e22, 8674 EiB"})
  void sizes(double bytes, String text) {
    assertEquals(text, Quantities.size(bytes));
  }

  @ParameterizedTest
  @CsvSource({"0, 0.0 s", "0.44, 0.4 s", "9.96, 10 s", "59.4, 59 s", "59.6, 1 min",
      "270.2, 4 min 30 s",
      "3600, 1 h", "7500, 2 h 5 min", "86400, 1 d", "360000, 4 d 4 h"})
  void times(double seconds, String text) {
    assertEquals(text, Quantities.time(seconds));
  }

  @Test
  void momentsAreRelative() {
    Instant now = Instant.parse("2026-01-31T12:05:00Z");
    assertEquals("2 min", Quantities.since("2026-01-31T12:03:00Z", now));
    assertEquals("1.5 s", Quantities.until("2026-01-31T12:05:01.500Z", now));
    // Clocks of hosts differ.
    assertEquals("0.0 s", Quantities.since("2026-01-31T12:05:09Z", now));
    assertEquals("yesterday", Quantities.since("yesterday", now));
  }

  @Test
  void barsAreFullOnlyAtTheEnd() {
    assertEquals("[.....]", Quantities.bar(0, 5));
    assertEquals("[##...]", Quantities.bar(0.5, 5));
    assertEquals("[####.]", Quantities.bar(0.999, 5));
    assertEquals("[#####]", Quantities.bar(1, 5));
    assertEquals("[.....]", Quantities.bar(-1, 5));
    assertEquals("[.....]", Quantities.bar(Double.NaN, 5));
  }

  @Test
  void tablesAreAlignedAndCutNames() {
    TextTable table = new TextTable("NODE", ">BYTES", "WHY");
    table.row("dn1:9866", "7", "x".repeat(40));
    table.row("a-long-name.of-a-host.example.com:9866", "1,234", "y");
    List<String> lines = table.lines();
    assertEquals(80, lines.get(1).length());
    assertEquals("dn1:9866" + " ".repeat(29) + "7  " + "x".repeat(40), lines.get(1));
    assertEquals("a-long-name.of-a-host.exa~:9866  1,234  y", lines.get(2));
    assertTrue(lines.get(0).startsWith("NODE "), lines.get(0));
  }

  @Test
  void longLinesAreBrokenBetweenWords() {
    String text = new TextLines().fact("Why", "word ".repeat(30)).toString();
    String[] lines = text.split(System.lineSeparator());
    assertEquals("Why        " + "word ".repeat(13) + "word", lines[0]);
    assertEquals("           word word", lines[1].substring(0, 20));
  }
}
