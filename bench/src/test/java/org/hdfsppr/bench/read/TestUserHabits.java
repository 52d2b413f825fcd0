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
package org.hdfsppr.bench.read;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.List;

import org.junit.jupiter.api.Test;

/** Tests the lines that tell a user's process what to read. */
class TestUserHabits {
  @Test
  void lineKeepsAllHabits() throws IOException {
    UserHabits habits = UserHabits.parse(
        new UserHabits(List.of("/a", "/b \"c\""), 96L << 30, List.of(1 << 20, 64 << 10), 2.5, 1)
            .withSeed(7).toLine());
    assertEquals(List.of("/a", "/b \"c\""), habits.files);
    assertEquals(96L << 30, habits.fileBytes);
    assertEquals(List.of(1 << 20, 64 << 10), habits.readBytes);
    assertEquals(2.5, habits.readsPerSecond);
    assertEquals(7, habits.seed);
  }
}
