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
package org.hdfsppr.client.patience;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** Tests how LinkShares divides the arriving bytes among reads. */
class TestLinkShares {
  private final LinkShares shares = new LinkShares();

  @Test
  void othersAreWhatTheOthersGotOnAverage() {
    LinkShares.Flow one = shares.flow().open();
    one.arrived(100);
    assertEquals(100, one.own());
    assertEquals(0, one.others(), "there are no other reads");
    LinkShares.Flow two = shares.flow().open();
    LinkShares.Flow three = shares.flow().open();
    double before = three.others();
    one.arrived(60);
    two.arrived(20);
    three.arrived(1000);
    assertEquals(40, three.others() - before, 1e-6, "a read's own bytes do not count as others'");
    assertEquals((20 + 1000) / 2.0, one.others(), 1e-6);
    assertEquals(160, one.own());
  }

  @Test
  void whatHasEndedCountsNoMore() {
    LinkShares.Flow one = shares.flow().open();
    LinkShares.Flow two = shares.flow().open();
    two.arrived(10);
    assertEquals(10, one.others(), 1e-6);
    two.close();
    two.close();
    assertEquals(1, shares.open());
    one.arrived(100);
    assertEquals(10, one.others(), 1e-6, "alone");
    try (LinkShares.Flow three = shares.flow().open()) {
      three.arrived(7);
      assertEquals(17, one.others(), 1e-6);
    }
    one.close();
    assertEquals(0, shares.open());
  }
}
