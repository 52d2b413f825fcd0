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
package org.hdfsppr.datanode.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.datanode.server.TransferServer.HelperSlots;
import org.junit.jupiter.api.Test;

/**
 * Tests that one caller cannot take all places, and that the server distinguishes callers by their
 * addresses.
 */
@InterfaceAudience.Private
class TestHelperSlots {
  private static int takeAll(HelperSlots places, String caller) {
    int taken = 0;
    while (places.take(caller)) {
      taken++;
    }
    return taken;
  }

  @Test
  void aCallerHasAShare() {
    HelperSlots places = new HelperSlots(256);
    assertEquals(64, takeAll(places, "a"));
    assertEquals(64, takeAll(places, "b"));
    places.give("a");
    assertTrue(places.take("a"));
    assertEquals(64, takeAll(places, "c"));
    assertEquals(64, takeAll(places, "d"));
    assertFalse(places.take("e"), "256 in all");
    places.give("d");
    assertTrue(places.take("e"));
  }

  @Test
  void aShareIsWhatOneLeaderMayWant() {
    assertEquals(8, takeAll(new HelperSlots(16), "a"));
    assertEquals(3, takeAll(new HelperSlots(3), "a"));
  }

  @Test
  void aStrangerCountsForItsNetwork() throws Exception {
    InetAddress first = InetAddress.getByName("2001:db8::1");
    InetAddress second = InetAddress.getByName("2001:db8::ffff:2");
    InetAddress elsewhere = InetAddress.getByName("2001:db8:0:1::1");
    assertEquals(CallerAddress.ofStranger(first), CallerAddress.ofStranger(second));
    assertNotEquals(CallerAddress.ofStranger(first), CallerAddress.ofStranger(elsewhere));
    assertNotEquals(CallerAddress.of(first), CallerAddress.of(second), "DataNodes of a rack");
    assertEquals("10.0.0.1", CallerAddress.ofStranger(InetAddress.getByName("10.0.0.1")));
    assertEquals(CallerAddress.of(null), CallerAddress.ofStranger(null));
  }
}
