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

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.hdfsppr.namenode.core.Forming.FileTries;
import org.junit.jupiter.api.Test;

/** How long files rest. */
class TestFileTries {
  private static final long NOW_MS = 1_700_000_000_000L;
  private static final long FILE = 17;

  private final FileTries tries = new FileTries();

  @Test
  void restsGrowWithTheFailuresUpToABound() {
    long pauseMs = FileTries.PAUSE_MS;
    for (int failures = 1; failures < 12; failures++) {
      tries.failed(FILE, NOW_MS);
      assertTrue(tries.rests(FILE, NOW_MS + pauseMs - 1), failures + " failures");
      assertFalse(tries.rests(FILE, NOW_MS + pauseMs), failures + " failures");
      pauseMs = Math.min(2 * pauseMs, FileTries.PAUSE_MS_MAX);
    }
    tries.succeeded(FILE);
    assertFalse(tries.rests(FILE, NOW_MS));
  }

  @Test
  void aClockThatWasSetBackLengthensNoRest() {
    tries.failed(FILE, NOW_MS);
    assertFalse(tries.rests(FILE, NOW_MS - FileTries.PAUSE_MS_MAX));
    assertFalse(tries.rests(FILE, NOW_MS - 365 * 24 * FileTries.PAUSE_MS_MAX));
  }
}
