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
package org.hdfsppr.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** What a log shows of where time goes. */
class TestPhases {
  private final AtomicLong clock = new AtomicLong(77);

  @Test
  void stepsAreCountedFromTheBeginning() {
    Phases phases = new Phases(clock::get);
    clock.addAndGet(1_250_000);
    phases.done("asked");
    clock.addAndGet(2_000_000);
    phases.done("ready");
    assertEquals("asked 1.25, ready 3.25 ms", phases.toString());
  }

  @Test
  void noMoreIsKeptThanThereIsRoomFor() {
    Phases phases = new Phases(clock::get);
    for (int i = 0; i < 1000; i++) {
      phases.done("step");
    }
    assertTrue(phases.toString().length() < 200, phases.toString());
  }
}
