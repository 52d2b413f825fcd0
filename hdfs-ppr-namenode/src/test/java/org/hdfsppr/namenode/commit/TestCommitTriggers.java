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
package org.hdfsppr.namenode.commit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.operate.WaitingUpdates;
import org.junit.jupiter.api.Test;

/** When files are committed without a call. */
class TestCommitTriggers {
  private static final UUID FILE = new UUID(1, 2);

  private final AtomicLong nowMs = new AtomicLong(1_000);
  private final Map<String, WaitingUpdates.Numbers> logs = new HashMap<>();
  private final List<String> looked = new ArrayList<>();
  private final List<String> committed = new ArrayList<>();

  private CommitTriggers triggers() {
    Configuration conf = new Configuration(false);
    conf.setLong(PprKeys.NAMENODE_COMMIT_LOOK_KEY, 1_000);
    conf.setInt(PprKeys.NAMENODE_COMMIT_STRIPES_KEY, 10);
    conf.setLong(PprKeys.NAMENODE_COMMIT_BYTES_KEY, 5_000);
    conf.setLong(PprKeys.NAMENODE_COMMIT_AGE_KEY, 60_000);
    return new CommitTriggers(CommitSettings.of(conf), new CommitTriggers.Door() {
      @Override
      public WaitingUpdates pending(String path) throws IOException {
        looked.add(path);
        if (!logs.containsKey(path)) {
          throw new IOException("gone");
        }
        return new WaitingUpdates(path, 0, 1, 0, logs.get(path));
      }

      @Override
      public void commit(String path, UUID file) {
        committed.add(path);
      }
    }, nowMs::get);
  }

  private static WaitingUpdates.Numbers numbers(long updates, long bytes, long stripes) {
    WaitingUpdates.Numbers numbers = new WaitingUpdates.Numbers();
    numbers.updates = updates;
    numbers.loggedBytes = bytes;
    numbers.stripes = stripes;
    return numbers;
  }

  private void step(CommitTriggers triggers, long afterMs) {
    nowMs.addAndGet(afterMs);
    triggers.step();
  }

  @Test
  void manyStripesBringACommit() {
    CommitTriggers triggers = triggers();
    triggers.seen("/f", FILE);
    logs.put("/f", numbers(20, 100, 9));
    step(triggers, 999);
    assertEquals(List.of(), looked, "not due yet");
    step(triggers, 1);
    assertEquals(List.of("/f"), looked);
    assertEquals(List.of(), committed);
    logs.put("/f", numbers(20, 100, 10));
    step(triggers, 1_000);
    assertEquals(List.of("/f"), committed);
  }

  @Test
  void manyBytesBringACommit() {
    CommitTriggers triggers = triggers();
    triggers.seen("/f", FILE);
    logs.put("/f", numbers(2, 5_000, 1));
    step(triggers, 1_000);
    assertEquals(List.of("/f"), committed);
  }

  @Test
  void oldUpdatesBringACommit() {
    CommitTriggers triggers = triggers();
    triggers.seen("/f", FILE);
    logs.put("/f", numbers(1, 1, 1));
    step(triggers, 1_000);
    step(triggers, 59_999);
    assertEquals(List.of(), committed);
    step(triggers, 1_000);
    assertEquals(List.of("/f"), committed);
    // The next try comes after as long a time, if this one has failed.
    step(triggers, 1_000);
    assertEquals(1, committed.size());
  }

  @Test
  void aFullLogBringsCommitsOfAllFilesWithUpdates() {
    CommitTriggers triggers = triggers();
    triggers.seen("/f", FILE);
    triggers.seen("/g", new UUID(3, 4));
    logs.put("/f", numbers(1, 1, 1));
    logs.put("/g", numbers(0, 0, 0));
    triggers.full();
    step(triggers, 0);
    assertEquals(List.of("/f"), committed);
  }

  @Test
  void filesWithoutUpdatesAreForgotten() {
    CommitTriggers triggers = triggers();
    triggers.seen("/f", FILE);
    for (int i = 0; i < 10; i++) {
      step(triggers, 1_000);
    }
    assertEquals(3, looked.size());
    triggers.seen("/f", FILE);
    step(triggers, 1_000);
    assertEquals(4, looked.size());
  }
}
