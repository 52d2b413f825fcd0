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
package org.hdfsppr.namenode.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** Tests against the constants that the paper gives for RS(6,3), 64 MB and 1 Gbps. */
class TestMpprWeights {
  private static final int CHUNK = 64 << 20;

  @Test
  void areThePapers() {
    MpprWeights weights = new MpprWeights(MpprWeights.CACHE_GAIN_PAPER, CHUNK, 6);
    assertEquals(0.36, weights.a1(), 1e-9);
    assertEquals(1.0, weights.a2());
    assertEquals(0.005, weights.a3(), 0.0005);
    assertEquals(1.0, weights.b1());
    assertEquals(weights.a3(), weights.b2());
  }

  @Test
  void followTheClustersRates() {
    // The paper's 0.36 is the ratio of 1 Gbps to a disk of 347 MB/s.
    MpprWeights paper = MpprWeights.ofRates(125e6, 347.2e6, CHUNK, 6);
    assertEquals(0.36, paper.a1(), 0.001);
    // If the disk is twice as fast, a chunk in memory saves half as much.
    assertEquals(0.18, MpprWeights.ofRates(125e6, 694.4e6, CHUNK, 6).a1(), 0.001);
    // The share of the disk does not depend on k. Load weighs less if repairs take longer.
    assertEquals(paper.a1(), MpprWeights.ofRates(125e6, 347.2e6, CHUNK, 12).a1(), 1e-9);
    MpprWeights slow = MpprWeights.ofNodes(12.5e6, CHUNK, 6);
    assertEquals(0.036, slow.a1(), 0.001, "on links of 100 Mbit/s, memory saves a tenth of it");
    assertEquals(0.036, slow.with(CHUNK, 12).a1(), 0.001);
    assertEquals(0.1, slow.a1(125e6), 1e-9, "the rate that the node reports counts");
    assertEquals(slow.a1(), slow.a1(Double.POSITIVE_INFINITY), "none is reported");
    assertEquals(0.36, new MpprWeights(MpprWeights.CACHE_GAIN_PAPER, CHUNK, 6).a1(125e6), 1e-9,
        "the paper's weights know no rates");
    assertEquals(1 / (64.0 * 4), MpprWeights.ofRates(125e6, 347.2e6, CHUNK, 12).a3(), 1e-9);
  }
}
