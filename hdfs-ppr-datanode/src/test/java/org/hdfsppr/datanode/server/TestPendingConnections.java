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
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.apache.hadoop.thirdparty.com.google.common.net.InetAddresses;
import org.hdfsppr.datanode.server.TransferServer.PendingConnections;
import org.junit.jupiter.api.Test;

/** Tests which connection is closed when there are too many. */
class TestPendingConnections {
  private static final int MOST = 4;

  private final PendingConnections<String> strangers = new PendingConnections<>(MOST);

  private String add(String connection, String from) {
    return strangers.add(connection, InetAddresses.forString(from));
  }

  @Test
  void theOldestOfTheLargestGoes() {
    assertNull(add("a1", "10.0.0.1"));
    assertNull(add("b1", "10.0.0.2"));
    assertNull(add("b2", "10.0.0.2"));
    assertNull(add("a2", "10.0.0.1"));
    assertEquals("b1", add("b3", "10.0.0.2"));
    assertEquals("a1", add("c1", "10.0.0.3"),
        "of two addresses with equal numbers, the oldest connection goes");
    assertEquals("b2", add("c2", "10.0.0.3"));
    assertEquals(MOST, strangers.size());
  }

  @Test
  void theOldestGoesWhereAllComeFromElsewhere() {
    for (int i = 0; i < 100; i++) {
      String gone = add("c" + i, "10.0.0." + i);
      assertEquals(i < MOST ? null : "c" + (i - MOST), gone);
    }
    assertEquals(MOST, strangers.addresses());
  }

  @Test
  void whatSaysWhatItWantsMakesRoom() {
    for (int i = 0; i < MOST; i++) {
      add("c" + i, "10.0.0.1");
    }
    strangers.remove("c1");
    strangers.remove("c1");
    strangers.remove("unknown");
    strangers.remove("c2");
    assertNull(strangers.add("closed", null));
    strangers.remove("closed");
    assertNull(add("c2", "10.0.0.1"));
    assertEquals(MOST - 1, strangers.size());
    assertNull(add("d", "10.0.0.2"));
    for (String each : new String[] {"c0", "c2", "c3", "d"}) {
      strangers.remove(each);
    }
    assertEquals(0, strangers.size() + strangers.addresses());
  }

  /**
   * A machine has more addresses of its IPv6 network than a table can hold, so the network counts
   * as one address.
   */
  @Test
  void anIPv6NetworkIsOneAddress() {
    add("honest", "fd00:0:0:1::1");
    for (int i = 0; i < 100; i++) {
      String gone = add("c" + i, "fd00:0:0:2::" + Integer.toHexString(i + 1));
      assertTrue(gone == null || gone.startsWith("c"), gone);
    }
    assertEquals(2, strangers.addresses());
  }
}
