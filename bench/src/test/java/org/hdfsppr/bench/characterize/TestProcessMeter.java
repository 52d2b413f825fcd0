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
package org.hdfsppr.bench.characterize;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.hdfsppr.it.util.Trees;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reads made-up counters of a process, and those of this one. */
class TestProcessMeter {
  @TempDir
  private Path process;
  private ProcessMeter meter;

  @BeforeEach
  void write() throws IOException {
    meter = new ProcessMeter(process);
    Files.createDirectories(process.resolve("task"));
    // A command's name may have brackets and blanks.
    Files.writeString(process.resolve("stat"),
        "7 (a (b) c) S 1 7 7 0 -1 4194560 1 0 0 0 250 50 0 0 20 0 9 0 100 1 1\n");
    Files.writeString(process.resolve("io"), "rchar: 1\nwchar: 2\nsyscr: 3\nsyscw: 4\n"
        + "read_bytes: 4096\nwrite_bytes: 8192\ncancelled_write_bytes: 5\n");
  }

  private void thread(int id, long waits, long preemptions) throws IOException {
    Path task = Files.createDirectories(process.resolve("task").resolve(Integer.toString(id)));
    Files.writeString(task.resolve("status"), "Name:\tjava\nvoluntary_ctxt_switches:\t" + waits
        + "\nnonvoluntary_ctxt_switches:\t" + preemptions + "\n");
  }

  @Test
  void countersAreThoseOfAllThreads() throws IOException {
    thread(7, 10, 1);
    thread(8, 20, 2);
    ProcessUsage usage = meter.read();
    assertEquals(2.5, usage.userSeconds);
    assertEquals(0.5, usage.systemSeconds);
    assertEquals(30, usage.waits);
    assertEquals(3, usage.preemptions);
    assertEquals(33, usage.switches());
    assertEquals(4096, usage.readBytes);
    assertEquals(8192, usage.writtenBytes);
  }

  /** The kernel forgets the switches of a thread with its end. */
  @Test
  void switchesOfEndedThreadsStay() throws IOException {
    thread(7, 10, 1);
    thread(8, 20, 2);
    meter.read();
    Trees.delete(process.resolve("task/8"));
    thread(7, 11, 1);
    assertEquals(34, meter.read().switches());
    // Another thread may get the number of one that has ended, also between two readings.
    thread(8, 5, 0);
    assertEquals(39, meter.read().switches());
    thread(8, 1, 0);
    assertEquals(40, meter.read().switches());
  }

  @Test
  void thisProcessHasCounters() throws IOException {
    ProcessUsage usage = ProcessMeter.of(ProcessHandle.current().pid()).read();
    assertTrue(usage.userSeconds > 0 && usage.switches() > 0, usage.switches() + " switches");
  }

  @Test
  void aProcessThatHasEndedIsAnError() {
    assertThrows(IOException.class, () -> new ProcessMeter(process.resolve("none")).read());
  }
}
