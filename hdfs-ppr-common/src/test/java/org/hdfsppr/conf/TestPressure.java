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
package org.hdfsppr.conf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

/** Tests how operators write how much repairs press. */
class TestPressure {
  private static int of(String value) {
    Configuration conf = new Configuration(false);
    conf.set(PprKeys.PRESSURE_KEY, value);
    return Pressure.of(new SettingsReader(conf));
  }

  @Test
  void namesAndPercent() {
    assertEquals(Pressure.GENTLE, Pressure.of(new SettingsReader(new Configuration(false))));
    assertEquals(Pressure.GENTLE, of(" Gentle "));
    assertEquals(Pressure.URGENT, of("urgent"));
    assertEquals(40, of("40"));
    assertEquals(99, of("99"));
    assertEquals("gentle", Pressure.name(60));
    assertEquals("urgent", Pressure.name(100));
    assertEquals("55 %", Pressure.name(55));
  }

  @Test
  void whatMakesNoSenseIsNamedWithTheRange() {
    for (String wrong : new String[] {"39", "101", "-1", "soft", "70%"}) {
      WrongSettingException e = assertThrows(WrongSettingException.class, () -> of(wrong));
      assertTrue(e.getMessage().startsWith(
          PprKeys.PRESSURE_KEY + ": '" + wrong + "' is not gentle"), e.getMessage());
      assertFalse(Pressure.parse(wrong).isPresent());
    }
  }
}
