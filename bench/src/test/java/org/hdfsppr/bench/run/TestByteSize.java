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
package org.hdfsppr.bench.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests how command lines and tables write sizes. */
class TestByteSize {
  @Test
  void sizesAreWrittenAsTheyAreRead() {
    for (String words : List.of("0", "1", "1000", "1k", "1025k", "16m", "96m", "1g", "1536m")) {
      assertEquals(words, ByteSize.words(new ByteSize().convert(words)));
    }
    assertEquals("64m", ByteSize.words(65536 * 1024L));
    assertEquals("4096g", ByteSize.words(1L << 42));
  }

  @Test
  void otherWordsAreRefused() {
    assertThrows(IllegalArgumentException.class, () -> new ByteSize().convert("64 MB"));
  }
}
