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
package org.hdfsppr.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Tests which port the NameNode's plugin gets. */
class TestManagerPort {
  @Test
  void aPortThatIsTakenIsNotChosen() throws IOException {
    long seed = Long.getLong("seed", 20261123);
    int first = ManagerPort.choose(new Random(seed));
    assertTrue(first >= ManagerPort.LEAST && first <= ManagerPort.MOST, "port " + first);
    try (ServerSocket taken = new ServerSocket(first, 1, InetAddress.getLoopbackAddress())) {
      assertEquals(first, taken.getLocalPort());
      assertNotEquals(first, ManagerPort.choose(new Random(seed)), "seed " + seed);
    }
  }

  @Test
  void thePortStaysUntilSomebodyIsLeftBehindThere() throws IOException {
    Random random = new Random();
    try {
      ManagerPort.refresh(random);
      int first = Integer.getInteger(ManagerPort.KEY);
      ManagerPort.refresh(random);
      assertEquals(first, Integer.getInteger(ManagerPort.KEY));
      try (ServerSocket left = new ServerSocket(first, 1, InetAddress.getLoopbackAddress())) {
        ManagerPort.refresh(random);
        assertNotEquals(left.getLocalPort(), Integer.getInteger(ManagerPort.KEY));
      }
    } finally {
      System.clearProperty(ManagerPort.KEY);
    }
  }
}
