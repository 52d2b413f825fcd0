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
package org.hdfsppr.namenode.files.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.ipc.RetriableException;
import org.junit.jupiter.api.Test;

/** How many calls are answered at a time. Calls within calls stand for calls at the same time. */
class TestHandlerShare {
  private static int most(HandlerShare share, int answered) throws IOException {
    try {
      return share.answer(() -> most(share, answered + 1));
    } catch (RetriableException e) {
      assertEquals("Other users' calls are being answered; try again", e.getMessage());
      return answered;
    }
  }

  @Test
  void aQuarterOfTheHandlersAnswers() throws IOException {
    for (int handlers : new int[] {1, 3, 4, 7, 8, 11, 40}) {
      AtomicInteger users = new AtomicInteger();
      HandlerShare share =
          new HandlerShare(handlers, "users", () -> "user " + users.incrementAndGet());
      int quarter = Math.max(1, handlers / 4);
      assertEquals(quarter, most(share, 0), handlers + " handlers");
      assertEquals(quarter, most(share, 0), "each call gives its handler back");
    }
  }

  @Test
  void oneUserLeavesAHandlerToOthers() throws IOException {
    for (int handlers : new int[] {1, 8, 12, 40}) {
      AtomicReference<String> user = new AtomicReference<>("eve");
      HandlerShare share = new HandlerShare(handlers, "users", user::get);
      int most = Math.max(1, handlers / 4);
      int eves = Math.max(1, most - 1);
      assertEquals(eves, most(share, 0), handlers + " handlers");
      if (most > 1) {
        assertEquals("answered", nested(share, eves, () -> {
          user.set("alice");
          try {
            return share.answer(() -> "answered");
          } finally {
            user.set("eve");
          }
        }));
      }
      assertEquals(eves, most(share, 0), "each call gives its handler back");
    }
  }

  /** Answers a call while this many others of the same user are being answered. */
  private static String nested(HandlerShare share, int calls, HandlerShare.Answer<String> last)
      throws IOException {
    return calls == 0 ? last.make() : share.answer(() -> nested(share, calls - 1, last));
  }

  @Test
  void aCallThatFailsGivesItsHandlerBack() throws IOException {
    HandlerShare share = new HandlerShare(4, "users");
    for (int i = 0; i < 2; i++) {
      assertThrows(FileNotFoundException.class, () -> share.answer(() -> {
        throw new FileNotFoundException("thrown on purpose");
      }));
    }
    assertEquals(1, share.answer(() -> 1));
  }
}
