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
package org.hdfsppr.bench.update;

/**
 * The probability that data of a stripe are lost within a time, while updates wait for their parity
 * (paper of CAU, section 3.5). Nodes and racks fail independently, with exponentially distributed
 * lifetimes. All parity units are in one rack, each rack has n / r units, and the interim replicas
 * of CAU-1 are spread over all parity nodes. A loss of a rack together with a loss of a node
 * elsewhere counts as a loss of data.
 */
final class LossProbability {
  /** Lifetime of a node: 10 years. */
  private static final double NODE_YEARS = 10;
  /**
   * The probability that a top-of-rack switch fails within a year. It says how long a rack lives:
   * 35.5 years. The paper prints 36, but its results are those of the exact number.
   */
  private static final double RACK_FAILS_IN_A_YEAR = 0.0278;
  private static final double RACK_YEARS = -1 / Math.log1p(-RACK_FAILS_IN_A_YEAR);
  private static final double HOURS_OF_A_YEAR = 365 * 24;

  /** How updates are kept until the parity follows. */
  enum Scheme {
    /** The parity follows at once. */
    EC("ec"),
    /** Only the data node has new bytes. */
    CAU_0("cau-0"),
    /** A parity node has them as well. */
    CAU_1("cau-1");

    final String label;

    Scheme(String label) {
      this.label = label;
    }
  }

  private final int dataUnits;
  private final int parityUnits;
  private final int racks;

  /**
   * @param dataUnits k
   * @param units n
   * @param racks r, at least 2; it divides n, and the parity units fit into one rack
   * @throws IllegalArgumentException if a number is out of its range
   */
  LossProbability(int dataUnits, int units, int racks) {
    if (racks < 2 || units % racks != 0 || units - dataUnits > units / racks) {
      throw new IllegalArgumentException("--racks is " + racks + "; the formulas need racks with"
          + " equal shares of the " + units + " units, and room for " + (units - dataUnits)
          + " parity units in one of them");
    }
    this.dataUnits = dataUnits;
    this.parityUnits = units - dataUnits;
    this.racks = racks;
  }

  /**
   * Calculates the probability of a loss.
   *
   * @param scheme how updates are kept
   * @param hours the time, at least 0
   * @return the probability
   */
  double of(Scheme scheme, double hours) {
    double node = -Math.expm1(-hours / (NODE_YEARS * HOURS_OF_A_YEAR));
    double rack = -Math.expm1(-hours / (RACK_YEARS * HOURS_OF_A_YEAR));
    double noRack = Math.pow(1 - rack, racks);
    double kept = 0;
    for (int data = 0; data <= dataUnits; data++) {
      for (int parity = 0; parity <= parityUnits; parity++) {
        if (isKept(scheme, data, parity)) {
          kept += fail(dataUnits, data, node) * fail(parityUnits, parity, node) * noRack;
        }
      }
    }
    double oneRack = racks * rack * Math.pow(1 - rack, racks - 1)
        * Math.pow(1 - node, (racks - 1) * (dataUnits + parityUnits) / racks);
    // CAU-0 bears the loss of the rack with the parity units only.
    return Math.max(0, 1 - kept - (scheme == Scheme.CAU_0 ? oneRack / racks : oneRack));
  }

  /** Says whether all data are kept if this number of data and parity nodes fail, and no rack. */
  private boolean isKept(Scheme scheme, int data, int parity) {
    switch (scheme) {
      case EC:
        return data + parity <= parityUnits;
      case CAU_0:
        return data == 0;
      default:
        // A data node and a parity node may have the only two copies of an update.
        return data == 0 || parity == 0 && data <= parityUnits;
    }
  }

  /** Returns the probability that exactly {@code failed} of {@code all} nodes fail. */
  private static double fail(int all, int failed, double node) {
    double choices = 1;
    for (int i = 0; i < failed; i++) {
      choices = choices * (all - i) / (i + 1);
    }
    return choices * Math.pow(node, failed) * Math.pow(1 - node, all - failed);
  }
}
