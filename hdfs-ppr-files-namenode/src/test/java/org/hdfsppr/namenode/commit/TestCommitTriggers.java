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
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ipc.RetriableException;
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
  private IOException lookFailure = new FileNotFoundException("gone");
  private boolean isFull;
  private long published;
  private long trimmed = Long.MAX_VALUE;
  private final List<String> trims = new ArrayList<>();

  private CommitTriggers triggers() {
    Configuration conf = new Configuration(false);
    conf.setInt(PprKeys.NAMENODE_COMMIT_STRIPES_KEY, 10);
    conf.setLong(PprKeys.NAMENODE_COMMIT_BYTES_KEY, 5_000);
    conf.setLong(PprKeys.NAMENODE_COMMIT_AGE_KEY, 60_000);
    return new CommitTriggers(CommitSettings.of(conf, 1_000), new CommitTriggers.Door() {
      @Override
      public WaitingUpdates pending(String path) throws IOException {
        looked.add(path);
        if (!logs.containsKey(path)) {
          throw lookFailure;
        }
        return new WaitingUpdates(path, published, published + 1,
            Math.min(published, trimmed), logs.get(path));
      }

      @Override
      public void commit(String path, UUID file) throws IOException {
        if (isFull) {
          throw new RetriableException("too many wait");
        }
        committed.add(path);
      }

      @Override
      public void trim(String path, UUID file) {
        trims.add(path + " " + file);
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
    triggers.step(() -> false);
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

  @Test
  void aFileThatCannotBeLookedAtIsNotForgotten() {
    CommitTriggers triggers = triggers();
    triggers.seen("/f", FILE);
    lookFailure = new IOException("the NameNode does not answer");
    for (int i = 0; i < 10; i++) {
      step(triggers, 1_000);
    }
    WaitingUpdates.Numbers silent = numbers(0, 0, 0);
    silent.silentUnits = 1;
    logs.put("/f", silent);
    for (int i = 0; i < 10; i++) {
      step(triggers, 1_000);
    }
    logs.put("/f", numbers(2, 5_000, 1));
    step(triggers, 1_000);
    assertEquals(List.of("/f"), committed);
  }

  @Test
  void aCommitThatFindsNoRoomIsTriedAgain() {
    CommitTriggers triggers = triggers();
    triggers.seen("/f", FILE);
    logs.put("/f", numbers(1, 1, 1));
    triggers.full();
    isFull = true;
    for (int i = 0; i < 10; i++) {
      step(triggers, 1_000);
    }
    assertEquals(List.of(), committed);
    isFull = false;
    step(triggers, 1_000);
    assertEquals(List.of("/f"), committed, "the log is still full");
  }

  @Test
  void commitsThatFailHavePausesThatBecomeLonger() {
    CommitTriggers triggers = triggers();
    triggers.seen("/f", FILE);
    logs.put("/f", numbers(2, 5_000, 1));
    for (int i = 0; i < 16; i++) {
      step(triggers, 1_000);
    }
    assertEquals(5, committed.size(), "after 1, 2, 4, 8 and 16 s");
    published = 1;
    step(triggers, 1_000);
    assertEquals(6, committed.size(), "a commit was published, and there are further updates");
    published = 2;
    step(triggers, 1_000);
    assertEquals(7, committed.size());
  }

  @Test
  void writersBringCommitsOfOtherFilesAtABoundedRate() {
    CommitTriggers triggers = triggers();
    triggers.seen("/f", FILE);
    logs.put("/f", numbers(1, 1, 1));
    for (int i = 0; i < 100; i++) {
      triggers.full();
      step(triggers, 100);
      published = committed.size();
    }
    assertEquals(1, committed.size());
    step(triggers, 20_000);
    triggers.full();
    step(triggers, 1_000);
    assertEquals(2, committed.size());
  }

  @Test
  void filesWithTermsAreLookedAtOnce() {
    CommitTriggers triggers = triggers();
    logs.put("/f", numbers(2, 5_000, 1));
    logs.put("/g", numbers(0, 0, 0));
    triggers.recorded("/f", FILE);
    triggers.recorded("/g", new UUID(3, 4));
    step(triggers, 1_000);
    assertEquals(List.of("/f"), committed, "no client has asked for a ticket");
    step(triggers, 1_000);
    assertEquals(List.of("/f", "/g", "/f"), looked, "one of them is forgotten");
  }

  /**
   * No client asks for tickets of the file, so that nothing else comes back to a trim that was
   * given up, and the log stays full.
   */
  @Test
  void whatLogsHaveNotDroppedIsTrimmedAfterEachPassOverTheRecords() {
    CommitTriggers triggers = triggers();
    logs.put("/f", numbers(0, 0, 0));
    published = 3;
    trimmed = 2;
    for (int pass = 1; pass <= 2; pass++) {
      triggers.recorded("/f", FILE);
      step(triggers, 1_000);
      step(triggers, 1_000);
      assertEquals(Collections.nCopies(pass, "/f " + FILE), trims);
    }
    trimmed = 3;
    triggers.recorded("/f", FILE);
    step(triggers, 1_000);
    assertEquals(3, looked.size());
    assertEquals(2, trims.size(), "there is nothing to trim");
  }

  @Test
  void aPassOverTooManyFilesGoesOnNextTime() {
    CommitTriggers triggers = triggers();
    lookFailure = new FileNotFoundException("nothing there");
    Set<String> all = new HashSet<>();
    for (int pass = 0; pass < 3; pass++) {
      for (int i = 0; i < 10_000; i++) {
        triggers.recorded("/f" + i, new UUID(1, i));
        all.add("/f" + i);
      }
      step(triggers, 1_000);
      assertTrue(looked.size() <= 4_096 * (pass + 1));
    }
    assertEquals(all, new HashSet<>(looked));
    // If the rest of the files is gone, a later pass begins with the first ones again.
    for (int i = 0; i < 10_000; i++) {
      triggers.recorded("/f" + i, new UUID(1, i));
    }
    step(triggers, 1_000);
    looked.clear();
    for (int pass = 0; pass < 3; pass++) {
      triggers.recorded("/f0", new UUID(1, 0));
      step(triggers, 1_000);
    }
    assertTrue(looked.contains("/f0"), looked.toString());
  }
}
