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
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Only the time of a read that was alone on the client's link says what a read costs. */
class TestClientLink {
  @Test
  void readsThatMeetAreNotAlone() {
    ClientLink link = new ClientLink();
    ClientLink.Use first = link.begin();
    assertTrue(first.isAlone());
    try (ClientLink.Use second = link.begin()) {
      assertFalse(first.isAlone());
      assertFalse(second.isAlone());
      assertEquals(2, link.reads());
    }
    assertFalse(first.isAlone(), "the second read has ended, but it met the first one");
    first.close();
    first.close();
    assertEquals(0, link.reads());
    try (ClientLink.Use third = link.begin()) {
      assertTrue(third.isAlone());
    }
  }

  @Test
  void aClientThatIsNeverAloneLearnsFromAllReads() {
    ClientLink link = new ClientLink();
    ClientLink.Use previous = link.begin();
    for (int i = 0; i < ClientLink.NEVER_ALONE; i++) {
      ClientLink.Use next = link.begin();
      assertFalse(next.teaches(), "read " + i);
      previous.close();
      previous = next;
    }
    assertTrue(previous.teaches());
    assertFalse(previous.isAlone());
    previous.close();
    try (ClientLink.Use alone = link.begin()) {
      assertTrue(alone.teaches());
    }
    try (ClientLink.Use first = link.begin(); ClientLink.Use second = link.begin()) {
      assertFalse(first.teaches() || second.teaches(), "a read was alone just now");
    }
  }
}
