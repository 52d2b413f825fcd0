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
package org.hdfsppr.client.files.update;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests which calls of a NameNode are made twice. */
class TestReconnectRetry {
  private final Deque<IOException> failures = new ArrayDeque<>();
  private int calls;

  private String answer() throws IOException {
    calls++;
    if (!failures.isEmpty()) {
      throw failures.poll();
    }
    return "yes";
  }

  @Test
  void anAnswerIsAskedForOnce() throws IOException {
    assertEquals("yes", ReconnectRetry.of(this::answer));
    assertEquals(1, calls);
  }

  @Test
  void theEndOfAConnectionIsFollowedByAnotherTry() throws IOException {
    failures.add(new EOFException("End of File Exception between local host and namenode"));
    assertEquals("yes", ReconnectRetry.of(this::answer));
    assertEquals(2, calls);
  }

  @Test
  void thereIsNoThirdTry() {
    EOFException last = new EOFException("second");
    failures.addAll(List.of(new EOFException("first"), last, new EOFException("third")));
    assertSame(last, assertThrows(EOFException.class, () -> ReconnectRetry.of(this::answer)));
    assertEquals(2, calls);
  }

  @Test
  void anAnswerOfTheNameNodeCounts() {
    failures.add(new FileNotFoundException("/f does not exist"));
    assertThrows(FileNotFoundException.class, () -> ReconnectRetry.of(this::answer));
    assertEquals(1, calls);
  }
}
