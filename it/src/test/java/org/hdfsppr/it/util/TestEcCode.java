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
package org.hdfsppr.it.util;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;

import org.junit.jupiter.api.Test;

/** Tests the names by which users choose codes. */
class TestEcCode {
  @Test
  void codesAreFoundByTheirNames() throws IOException {
    assertEquals("RS-6-3-1024k", EcCode.parse("rs-6-3").policy());
    assertEquals("LRC-L2-12-4-1024k", EcCode.parse("lrc-l2-12-4").policy());
    assertEquals(14, EcCode.parse("hitchhiker-xorplus-10-4").units());
  }

  /**
   * Each code has one name. For a name of the papers, the message gives the name of this project.
   */
  @Test
  void papersNamesAreAnsweredWithOurs() {
    String[][] names = {{"lrc-12-2-2", "lrc-l2-12-4"}, {"lrc-10-2-4", "lrc-l2-10-6"},
        {"rotated-rs-12-4", "rotated-rs-r4-12-4"}, {"core-9-6-3", "core-t3-6-3"},
        {"core-14-12-5", "core-t5-12-2"}};
    for (String[] name : names) {
      IllegalArgumentException e =
          assertThrows(IllegalArgumentException.class, () -> EcCode.parse(name[0]));
      assertTrue(e.getMessage().contains(name[0] + " is called " + name[1] + ";"),
          e.getMessage());
    }
  }

  @Test
  void unknownOnesAreRefusedWithWhatThereIs() {
    for (String label : new String[] {"", "rs-7-3", "lrc-12-3-2", "core-9-6", "lrc-1-2-3-4"}) {
      IllegalArgumentException e =
          assertThrows(IllegalArgumentException.class, () -> EcCode.parse(label));
      assertTrue(e.getMessage().contains("hitchhiker-xorplus-10-4"), e.getMessage());
    }
  }
}
