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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Tests the probabilities that updates are lost. */
class TestLossProbability {
  private static final LossProbability RS_9_6 = new LossProbability(6, 9, 3);
  private static final LossProbability RS_16_12 = new LossProbability(12, 16, 4);

  /** Section 3.5 of the paper prints two numbers, with three digits each. */
  @Test
  void eighteenHoursAreThePapers() {
    assertEquals(2.24e-7, RS_9_6.of(LossProbability.Scheme.EC, 18), 0.005e-7);
    assertEquals(9.83e-7, RS_9_6.of(LossProbability.Scheme.CAU_1, 18), 0.005e-7);
  }

  /**
   * Adds up the states of each node and each rack one by one. The formulas leave out that nodes of
   * a lost rack may have failed, so that the sum does, too.
   */
  @Test
  void sumsOverAllStatesAreTheSame() {
    double hours = 3000;
    double node = 1 - Math.exp(-hours / (10 * 8760));
    double rack = 1 - Math.pow(1 - 0.0278, hours / 8760);
    for (LossProbability.Scheme scheme : LossProbability.Scheme.values()) {
      double kept = 0;
      for (int lost = 0; lost < 1 << 9; lost++) {
        int data = Integer.bitCount(lost & 0b111111);
        int parity = Integer.bitCount(lost >> 6);
        boolean isKept = scheme == LossProbability.Scheme.EC ? data + parity <= 3
            : scheme == LossProbability.Scheme.CAU_0 ? data == 0
            : data == 0 || parity == 0 && data <= 3;
        kept += isKept ? Math.pow(node, data + parity) * Math.pow(1 - node, 9 - data - parity)
            * Math.pow(1 - rack, 3) : 0;
      }
      int racks = scheme == LossProbability.Scheme.CAU_0 ? 1 : 3;
      kept += racks * rack * Math.pow(1 - rack, 2) * Math.pow(1 - node, 6);
      assertEquals(1 - kept, RS_9_6.of(scheme, hours), 1e-12, scheme.label);
    }
  }

  @Test
  void probabilitiesGrowAndAreOrdered() {
    for (LossProbability losses : new LossProbability[] {RS_9_6, RS_16_12}) {
      double before = 0;
      for (int hours = 0; hours <= 18; hours++) {
        double atOnce = losses.of(LossProbability.Scheme.EC, hours);
        double replica = losses.of(LossProbability.Scheme.CAU_1, hours);
        double none = losses.of(LossProbability.Scheme.CAU_0, hours);
        if (hours == 0) {
          assertEquals(0, none);
          continue;
        }
        assertTrue(atOnce < replica && replica < 10 * atOnce, "the same order of magnitude");
        assertTrue(none > 100 * replica, "bytes without a replica");
        assertTrue(atOnce > before, "hour " + hours);
        before = atOnce;
      }
    }
  }

  @Test
  void sixteenUnits() {
    // Calculated with 50 digits outside of this class.
    assertEquals(5.907e-7, RS_16_12.of(LossProbability.Scheme.EC, 18), 0.001e-7);
    assertEquals(2.6136e-6, RS_16_12.of(LossProbability.Scheme.CAU_1, 18), 0.001e-6);
  }

  @Test
  void layoutsThatTheFormulasDoNotCoverAreRefused() {
    assertThrows(IllegalArgumentException.class, () -> new LossProbability(6, 9, 2));
    assertThrows(IllegalArgumentException.class, () -> new LossProbability(6, 9, 9));
    assertThrows(IllegalArgumentException.class, () -> new LossProbability(6, 9, 1));
  }
}
