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
package org.hdfsppr.client.read;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.hdfsppr.client.patience.LinkLoad;
import org.junit.jupiter.api.Test;

/** The rules that the benchmark holds the learnt ones against. */
class TestSimpleTactics {
  private static final long MINUTE = TimeUnit.MINUTES.toNanos(1);
  private static final long MS = 1_000_000;

  private static ReadContext context(String tactics) {
    return MemoryUnits.context(MINUTE, ReadTactics.INTERNAL_TACTICS_KEY, tactics);
  }

  @Test
  void patienceIsOfLatenciesAlone() {
    try (ReadContext context = context("simple")) {
      context.delay().took(1, 100 * MS);
      try (LinkLoad.Use other = context.load().begin(1 << 30, 1 << 30)) {
        other.more(1 << 20);
        assertEquals(300 * MS, context.patience().unitNanos(1));
        assertEquals(300 * MS, context.patience().sourcesNanos(1 << 30, 1));
      }
    }
  }

  @Test
  void whatIsReadIsTheSame() throws Exception {
    MemoryUnits units = new MemoryUnits(7);
    try (ReadContext context = context("simple")) {
      byte[] got = new byte[MemoryUnits.BYTES];
      new GroupReader(context, units, units.code).read(units.group(1, 4), 0,
          ByteBuffer.wrap(got));
      assertArrayEquals(units.file, got);
      assertTrue(context.counters().decodes() > 0);
      assertEquals(0, context.counters().trials());
    }
  }

  @Test
  void unknownTacticsAreRefused() {
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> context("clever"));
    assertEquals("dfs.client.ppr.internal.tactics: unknown value 'clever', choose one of [learnt,"
        + " simple]", e.getMessage());
  }
}
