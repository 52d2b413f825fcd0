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
package org.hdfsppr.coder.cost;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.coder.cost.CodeCost.Spread;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests that the costs computed from the generator matrices equal the figures of the papers. */
@InterfaceAudience.Private
class TestCostTable {
  private static final List<CodeCost> COSTS = CostTable.shipped();

  private static CodeCost cost(String name) {
    return COSTS.stream().filter(c -> c.name().equals(name)).findFirst()
        .orElseThrow(() -> new AssertionError("no " + name + " among " + COSTS));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    // overhead, losses, units read for data / parity (least, most) / mean, PPR for data / mean
    "rs-6-3,                  1.5,    3, 6,     6,  6,  6,     3, 3",
    "rs-10-4,                 1.4,    4, 10,   10, 10, 10,     4, 4",
    "rs-12-4,                 1.3333, 4, 12,   12, 12, 12,     4, 4",
    "lrc-l2-6-4,              1.6667, 3, 3,     3,  6, 3.6,    2, 2.2",
    "lrc-l2-12-4,             1.3333, 3, 6,     6, 12, 6.75,   3, 3.125",
    "lrc-l2-10-6,             1.6,    5, 5,     5, 10, 6.25,   3, 3.25",
    "lrc-rs-l2-6-4,           1.6667, 3, 3,     3,  6, 3.6,    2, 2.2",
    "lrc-rs-l2-10-4,          1.4,    3, 5,     5, 10, 5.7143, 3, 3.1429",
    "hitchhiker-xor-10-4,     1.4,    4, 6.7,  10, 10, 7.6429, 4, 4",
    "hitchhiker-xorplus-10-4, 1.4,    4, 6.5,  10, 10, 7.5,    4, 4",
    "hitchhiker-nonxor-10-4,  1.4,    4, 6.5,  10, 10, 7.5,    4, 4",
    "hitchhiker-xorplus-6-3,  1.5,    3, 4.1667, 6, 6, 4.7778, 3.3333, 3.2222",
    "less-a2-6-3,             1.5,    3, 4.5, 4.5, 4.5, 4.5,   3, 3",
    "less-a3-6-3,             1.5,    3, 3.6667, 3.3333, 3.3333, 3.5556, 4, 4",
    "less-a2-10-4,            1.4,    4, 7.5, 7,   7, 7.3571,   4, 4",
    "less-a3-10-4,            1.4,    4, 5.8667, 5.3333, 5.3333, 5.7143, 4, 4",
    "less-a4-10-4,            1.4,    4, 4.75, 4, 4.75, 4.6429, 4, 4",
    "less-a4-12-4,            1.3333, 4, 5.5, 5.25, 5.25, 5.4375, 4, 4",
    "core-t3-6-3,             2,      7, 3,     3,  3, 3,      2, 2",
    "core-t5-12-2,            1.4,    5, 5,     5,  5, 5,      3, 3"})
  void figures(String name, double overhead, int losses, double data, double leastParity,
      double mostParity, double mean, double pprData, double pprMean) {
    CodeCost cost = cost(name);
    assertEquals(overhead, cost.overhead(), 1e-4);
    assertEquals(losses, cost.lossesTolerated());
    Spread[] read = cost.spreads(RepairCost::unitsRead);
    assertEquals(data, read[0].mean(), 1e-4);
    assertEquals(leastParity, read[1].least(), 1e-4);
    assertEquals(mostParity, read[1].most(), 1e-4);
    assertEquals(mean, read[2].mean(), 1e-4);
    assertEquals(mean, cost.spreads(RepairCost::timeStar)[2].mean(), 1e-4);
    assertEquals(pprData, cost.spreads(RepairCost::timePpr)[0].mean(), 1e-4);
    assertEquals(pprMean, cost.spreads(RepairCost::timePpr)[2].mean(), 1e-4);
  }

  /**
   * A lost unit of Hitchhiker-XOR has two halves. The sum of the second one has ten halves of other
   * units. That of the first one has the same ten, half a parity unit, and of its group the three
   * other halves (of four units) or two (of six).
   */
  @ParameterizedTest(name = "{0}")
  @CsvSource({
    // units added for a lost data unit, and how many of these may be multiplied
    "rs-10-4,             10,   10, 10",
    "lrc-l2-12-4,         6,    0,  0",
    "hitchhiker-xor-10-4, 11.7, 3,  5"})
  void sums(String name, double added, double leastMultiplied, double mostMultiplied) {
    CodeCost cost = cost(name);
    assertEquals(added, cost.spreads(RepairCost::unitsAdded)[0].mean(), 1e-4);
    double multiplied = cost.spreads(RepairCost::unitsMultiplied)[0].mean();
    assertTrue(multiplied >= leastMultiplied && multiplied <= mostMultiplied, multiplied + "");
  }

  @Test
  void theTableHasALineForEveryCode() {
    String text = CostTable.render(COSTS);
    System.out.println(text);
    String[] lines = text.split("\n");
    assertEquals(1 + COSTS.size(), lines.length);
    assertEquals("lrc-l2-12-4 1.33 3 6 9 (6-12) 6.75 6.75 3 3.5 (3-4) 3.13",
        lineOf(lines, "lrc-l2-12-4"));
    assertEquals("hitchhiker-xorplus-10-4 1.4 4 6.5 10 7.5 7.5 4 4 4",
        lineOf(lines, "hitchhiker-xorplus-10-4"));
    for (String line : lines) {
      assertEquals(lines[0].length(), line.length(), "columns are aligned");
    }
  }

  private static String lineOf(String[] lines, String name) {
    for (String line : lines) {
      if (line.startsWith(name + " ")) {
        return line.trim().replaceAll(" +", " ");
      }
    }
    assertTrue(false, "no line for " + name);
    return null;
  }
}
