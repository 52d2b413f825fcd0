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
package org.hdfsppr.bench.update;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** Tests how clustered writes are said to be. */
class TestUpdateLocality {
  private static final long CHUNK = 1 << 20;

  private static UpdateLocality of(int writes, int stripes) {
    UpdateLocality locality = new UpdateLocality(CHUNK, 6);
    for (int i = 0; i < writes; i++) {
      locality.add(new TraceRequest(true, (long) (i % stripes) * 6 * CHUNK, 4096));
    }
    return locality;
  }

  @Test
  void aShortTraceIsOneSet() {
    assertEquals(25, of(100, 4).value());
    assertEquals(100, of(100, 4).writesOfASet());
  }

  @Test
  void theRestBehindWholeSetsDoesNotCount() {
    UpdateLocality locality = of(2000, 10);
    locality.add(new TraceRequest(true, 1L << 40, 4096));
    assertEquals(100, locality.value());
    assertEquals(1000, locality.writesOfASet());
  }

  @Test
  void aWriteAcrossTwoStripesCountsBoth() {
    UpdateLocality locality = new UpdateLocality(CHUNK, 6);
    locality.add(new TraceRequest(true, 6 * CHUNK - 4096, 8192));
    assertEquals(0.5, locality.value());
  }

  @Test
  void readsDoNotCount() {
    UpdateLocality locality = new UpdateLocality(CHUNK, 6);
    locality.add(new TraceRequest(false, 0, 4096));
    assertEquals(0, locality.value());
    assertEquals(0, locality.writesOfASet());
  }
}
