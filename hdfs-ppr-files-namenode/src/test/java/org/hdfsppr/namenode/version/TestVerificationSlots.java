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
package org.hdfsppr.namenode.version;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Optional;
import org.hdfsppr.namenode.version.EngineParts.VerificationSlots;
import org.hdfsppr.plan.NodeRef;
import org.junit.jupiter.api.Test;

/** Places of checks on three DataNodes. */
class TestVerificationSlots {
  private final FakeDoor door = new FakeDoor(3);
  private final VerificationSlots places = new VerificationSlots(door);
  private final List<NodeRef> nodes = List.of(door.node(0), door.node(1));

  @Test
  void theNodeWithTheFewestChecksIsTaken() {
    door.checksAtATime = 2;
    assertEquals(Optional.of(door.node(0)), places.take(nodes));
    assertEquals(Optional.of(door.node(1)), places.take(nodes));
    assertEquals(Optional.of(door.node(0)), places.take(nodes));
    assertEquals(Optional.of(door.node(1)), places.take(nodes));
    assertEquals(Optional.empty(), places.take(nodes));
    places.release(door.node(1));
    assertEquals(Optional.of(door.node(1)), places.take(nodes));
    assertEquals(Optional.of(door.node(2)), places.take(List.of(door.node(2))));
  }

  @Test
  void aNodeOfAnOlderVersionTakesOne() {
    assertEquals(Optional.of(door.node(0)), places.take(nodes));
    assertEquals(Optional.of(door.node(1)), places.take(nodes));
    assertEquals(Optional.empty(), places.take(nodes));
  }

  @Test
  void withoutNodesThereIsNoPlace() {
    assertEquals(Optional.empty(), places.take(List.of()));
  }
}
