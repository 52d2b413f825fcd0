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
package org.hdfsppr.it.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Rates are parsed and printed in the words of tc, and a rate that is printed and parsed again is
 * the same.
 */
class TestRate {

  @ParameterizedTest
  @CsvSource({"200mbit,200000000,200mbit", "1gbit,1000000000,1gbit", "1.5gbit,1500000000,1500mbit",
      "2500kbit,2500000,2500kbit", "1000MBIT,1000000000,1gbit"})
  void readsWhatTcReads(String words, long bitsPerSecond, String written) {
    assertEquals(bitsPerSecond, Rate.parse(words).bitsPerSecond());
    assertEquals(written, Rate.parse(words).toString());
    assertEquals(Rate.parse(words), Rate.parse(written));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "200", "mbit", "-1mbit", "200 mbit", "200mbps", "10kbit"})
  void refusesWhatIsNoRateForALink(String words) {
    assertThrows(IllegalArgumentException.class, () -> Rate.parse(words));
  }

  @Test
  void unlimitedHasNoNumber() {
    assertTrue(Rate.parse("none").isUnlimited());
    assertEquals("none", Rate.UNLIMITED.toString());
    assertThrows(IllegalStateException.class, Rate.UNLIMITED::bitsPerSecond);
  }

  @Test
  void secondsAreBitsOverRate() {
    assertEquals(2.68435456, Rate.parse("200mbit").secondsFor(64L << 20), 1e-9);
  }
}
