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
package org.hdfsppr.it.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

import org.hdfsppr.it.util.Await;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that a daemon is identified by more than its pid, and that it ends on request. */
class TestDaemon {

  @TempDir
  private Path home;

  private Daemon daemon() {
    return new Daemon("d", home);
  }

  @Test
  void isFoundAgainByItsRecordAndKilled() throws Exception {
    daemon().start(List.of("sleep", "60"));
    try {
      assertTrue(daemon().isAlive());
      assertThrows(IllegalStateException.class, () -> daemon().start(List.of("sleep", "60")));
    } finally {
      daemon().kill();
    }
    assertFalse(daemon().isAlive());
    daemon().kill();
  }

  @Test
  void aPausedDaemonStillDies() throws Exception {
    daemon().start(List.of("sleep", "60"));
    daemon().pause();
    daemon().kill();
    assertFalse(daemon().isAlive());
    assertThrows(IllegalStateException.class, () -> daemon().pause());
  }

  @Test
  void aReusedPidIsAStranger() throws Exception {
    long own = ProcessHandle.current().pid();
    ProcessRecord self = ProcessRecord.of(own).get();
    assertTrue(self.isAlive());
    Path file = home.resolve("pid");
    self.write(file);
    assertEquals(own, daemon().pid().get());
    // The record has the same pid and another start time, as if the process had ended and the
    // system had reused its pid.
    String[] parts = Files.readString(file).strip().split(" ");
    Files.writeString(file, parts[0] + " " + (Long.parseLong(parts[1]) - 1));
    assertEquals(Optional.empty(), daemon().pid());
    // This call would end the test's own JVM if the pid alone identified the daemon.
    daemon().kill();
  }

  @Test
  void theTailHasWhatItSaid() throws Exception {
    daemon().start(List.of("sh", "-c", "echo cannot bind; exec sleep 60"));
    try {
      Await.until("the daemon has printed a line", Duration.ofSeconds(10),
          Duration.ofMillis(20), () -> daemon().tail().contains("cannot bind"));
    } finally {
      daemon().kill();
    }
  }
}
