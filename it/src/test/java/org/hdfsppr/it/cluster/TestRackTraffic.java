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

import org.junit.jupiter.api.Test;

/** {@link RackTraffic}: the traffic of programs, without what crosses in any case. */
class TestRackTraffic {
  @Test
  void theSameTimeWithoutLoadIsTakenAway() {
    RackTraffic crossed = new RackTraffic(110_000, 1_100).since(new RackTraffic(10_000, 100));
    RackTraffic own = crossed.without(new RackTraffic(5_000, 50), 2);
    assertEquals(90_000, own.bytes);
    assertEquals(900, own.frames);
    assertEquals(90_000 - 900 * 66, own.payloadBytes());
  }

  @Test
  void nothingIsNegative() {
    RackTraffic own = new RackTraffic(100, 1).without(new RackTraffic(90, 1), 3);
    assertEquals(0, own.bytes);
    assertEquals(0, own.frames);
    assertEquals(0, new RackTraffic(100, 2).payloadBytes());
  }
}
