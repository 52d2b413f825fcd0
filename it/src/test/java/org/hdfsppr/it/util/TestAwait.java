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
package org.hdfsppr.it.util;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeoutException;

import org.junit.jupiter.api.Test;

/** Tests that waits and commands end in time, and that their exceptions name the cause. */
class TestAwait {

  @Test
  void returnsWhenItHolds() throws Exception {
    int[] calls = {0};
    Await.until("third call", Duration.ofSeconds(10), Duration.ofMillis(1), () -> ++calls[0] == 3);
    assertEquals(3, calls[0]);
  }

  @Test
  void endsWithTheReason() {
    TimeoutException e = assertThrows(TimeoutException.class, () -> Await.until("pigs fly",
        Duration.ofMillis(20), Duration.ofMillis(5), () -> false));
    assertTrue(e.getMessage().contains("pigs fly"), e.getMessage());
  }

  @Test
  void aFailingCommandIsQuoted() {
    IOException e = assertThrows(IOException.class,
        () -> Shell.run("sh", "-c", "echo no such device >&2; exit 3"));
    assertTrue(e.getMessage().contains("Exit 3"), e.getMessage());
    assertTrue(e.getMessage().contains("no such device"), e.getMessage());
  }

  @Test
  void aHangingCommandIsEnded() {
    IOException e = assertThrows(IOException.class,
        () -> Shell.run(Duration.ofMillis(100), List.of("sleep", "60")));
    assertTrue(e.getMessage().contains("sleep 60"), e.getMessage());
  }
}
