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
package org.hdfsppr.client.files.call;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.atomic.AtomicLong;
import org.hdfsppr.client.files.call.PluginUpdates.RecentSilence;
import org.junit.jupiter.api.Test;

/** How long callers fail at once after no plugin has answered. */
class TestRecentSilence {
  private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5);
  private final RecentSilence silence = new RecentSilence(nanos::get);

  @Test
  void callersFailAtOnceForAWhile() {
    assertDoesNotThrow(silence::check);
    silence.begins(new SilentPluginsException("No NameNode has answered. nn: down"));
    assertTrue(assertThrows(SilentPluginsException.class, silence::check).getMessage()
        .contains("nn: down"));
    nanos.addAndGet(RecentSilence.KEPT_NANOS - 1);
    assertThrows(SilentPluginsException.class, silence::check);
    nanos.incrementAndGet();
    assertDoesNotThrow(silence::check);
  }

  @Test
  void anAnswerEndsIt() {
    silence.begins(new SilentPluginsException("No NameNode has answered"));
    silence.ends();
    assertDoesNotThrow(silence::check);
  }
}
