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

import java.util.Arrays;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.coder.code.CoreRow;
import org.hdfsppr.coder.code.LinearCode;

/**
 * The storage and repair costs of a code and the losses that it tolerates, computed from its
 * generator. Immutable.
 */
@InterfaceAudience.Public
public final class CodeCost {
  private final String name;
  private final int dataUnits;
  private final double overhead;
  private final int lossesTolerated;
  private final RepairCost[] repairs;

  private CodeCost(String name, int dataUnits, double overhead, int lossesTolerated,
      RepairCost[] repairs) {
    this.name = name;
    this.dataUnits = dataUnits;
    this.overhead = overhead;
    this.lossesTolerated = lossesTolerated;
    this.repairs = repairs;
  }

  /**
   * {@return the cost of a code whose repairs stay within one block group}
   *
   * @param code the code
   */
  public static CodeCost of(LinearCode code) {
    return new CodeCost(code.name(), code.dataUnits(),
        (double) code.units() / code.dataUnits(), LossTolerance.guaranteed(code),
        IntStream.range(0, code.units()).mapToObj(u -> RepairCost.of(code, u))
            .toArray(RepairCost[]::new));
  }

  /**
   * {@return the cost of CORE, a product code} A repair of CORE rebuilds a unit from the units of
   * the same column in t files.
   *
   * @param row the code of one file
   * @param files t
   */
  public static CodeCost ofCore(LinearCode row, int files) {
    LinearCode column = CoreRow.column(files);
    // The distance of a product code is the product of the distances of its two component codes.
    int distance = (LossTolerance.guaranteed(row) + 1) * (LossTolerance.guaranteed(column) + 1);
    RepairCost along = RepairCost.of(column, 0);
    RepairCost[] repairs = new RepairCost[row.units()];
    Arrays.fill(repairs, along);
    return new CodeCost(row.name(), row.dataUnits(),
        (double) row.units() / row.dataUnits() * column.units() / column.dataUnits(),
        distance - 1, repairs);
  }

  /** {@return the name of the code} */
  public String name() {
    return name;
  }

  /** {@return the number of bytes that are stored for each byte of data} */
  public double overhead() {
    return overhead;
  }

  /**
   * {@return the largest number n such that every pattern of n lost units can be repaired} For
   * CORE, these are the units of all files of a group and of its parity file; for other codes,
   * those of one block group.
   */
  public int lossesTolerated() {
    return lossesTolerated;
  }

  /**
   * {@return the cost to repair one unit}
   *
   * @param unit index of the unit
   */
  public RepairCost repair(int unit) {
    return repairs[unit];
  }

  /**
   * {@return the least value, the highest value and the mean of a measure: first over the repairs
   * of data units, then over those of parity units, then over those of all units}
   *
   * @param measure gives the cost of one repair as a number
   */
  public Spread[] spreads(ToDoubleFunction<RepairCost> measure) {
    return new Spread[] {
      spread(measure, 0, dataUnits),
      spread(measure, dataUnits, repairs.length),
      spread(measure, 0, repairs.length)
    };
  }

  private Spread spread(ToDoubleFunction<RepairCost> measure, int from, int to) {
    double[] values = Arrays.stream(repairs, from, to).mapToDouble(measure).toArray();
    return new Spread(Arrays.stream(values).min().getAsDouble(),
        Arrays.stream(values).max().getAsDouble(), Arrays.stream(values).average().getAsDouble());
  }

  /** The least value, the highest value and the mean of a measure over some units. */
  @InterfaceAudience.Public
  public static final class Spread {
    private final double least;
    private final double most;
    private final double mean;

    Spread(double least, double most, double mean) {
      this.least = least;
      this.most = most;
      this.mean = mean;
    }

    /** {@return the cost of the cheapest unit} */
    public double least() {
      return least;
    }

    /** {@return the cost of the most expensive unit} */
    public double most() {
      return most;
    }

    /** {@return the mean cost over the units, each with the same weight} */
    public double mean() {
      return mean;
    }
  }
}
