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
package org.hdfsppr.namenode.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.hdfsppr.core.formation.CandidateFile;
import org.hdfsppr.core.formation.FormationRules;
import org.hdfsppr.core.formation.GroupFormation;
import org.hdfsppr.core.formation.NewGroup;
import org.junit.jupiter.api.Test;

/** Turns and bounds of the groups that wait. */
class TestFormingQueue {
  private final FormingQueue queue = new FormingQueue();
  private long ids;

  private FormingQueue.Item item(long directory) {
    List<CandidateFile> files = List.of(new CandidateFile(++ids, 9, 1, "P", 1, 0),
        new CandidateFile(++ids, 9, 1, "P", 1, 0));
    NewGroup group = new GroupFormation(new FormationRules(Map.of("P", 2), 0, 0, 1, 1))
        .plan(files, List.of(), 0).formed.get(0);
    return new FormingQueue.Item(directory, group);
  }

  private void add(String user, long directory, int groups) {
    for (int i = 0; i < groups; i++) {
      queue.add(user, item(directory));
    }
  }

  private List<Long> removed(int groups) {
    List<Long> directories = new ArrayList<>();
    for (int i = 0; i < groups; i++) {
      FormingQueue.Item next = queue.peek();
      assertEquals(next, queue.remove());
      directories.add(next.directory);
    }
    return directories;
  }

  @Test
  void manyGroupsOfAUserLetOthersPass() {
    add("alice", 1, 5);
    add(FormingQueue.OWN, 2, 2);
    add("bob", 3, 1);
    assertEquals(List.of(1L, 2L, 3L, 1L, 2L, 1L), removed(6));
    // One that comes now waits for no more than a turn.
    add("bob", 3, 2);
    assertEquals(List.of(1L, 3L, 1L, 3L), removed(4));
    assertTrue(queue.isEmpty());
    assertEquals(0, queue.size("alice") + queue.size("bob") + queue.ofDirectory(1));
  }

  @Test
  void theGroupsOfADirectoryGo() {
    add("alice", 1, 3);
    add("alice", 2, 1);
    add("bob", 1, 2);
    assertEquals(List.of(5, 1), List.of(queue.ofDirectory(1), queue.ofDirectory(2)));
    assertEquals(5, queue.removeDirectory(1).size());
    assertEquals(0, queue.ofDirectory(1));
    assertEquals(List.of(1, 0), List.of(queue.size("alice"), queue.size("bob")));
    assertEquals(List.of(2L), removed(1));
    assertTrue(queue.isEmpty());
    assertEquals(List.of(), queue.removeDirectory(2));
  }

  @Test
  void aUserAndAllUsersHaveBounds() {
    add(FormingQueue.OWN, 9, FormingQueue.USER_MAX + 1);
    add("alice", 1, FormingQueue.USER_MAX - 1);
    assertTrue(queue.hasRoom("alice"));
    add("alice", 1, 1);
    assertFalse(queue.hasRoom("alice"));
    for (int i = 1; i < FormingQueue.USERS_MAX / FormingQueue.USER_MAX; i++) {
      assertTrue(queue.hasRoom("user" + i));
      add("user" + i, 2, FormingQueue.USER_MAX);
    }
    assertFalse(queue.hasRoom("bob"));
    queue.removeDirectory(1);
    assertTrue(queue.hasRoom("bob") && queue.hasRoom("alice"));
    queue.clear();
    assertTrue(queue.isEmpty());
    assertEquals(0, queue.ofDirectory(2));
    assertTrue(queue.hasRoom("user1"));
  }
}
