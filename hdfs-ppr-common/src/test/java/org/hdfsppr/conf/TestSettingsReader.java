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

import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the checks of settings, which are the same in DataNodes, NameNodes and clients. */
class TestSettingsReader {
  private static final String KEY = "dfs.ppr.some.key";

  private static SettingsReader with(String value) {
    Configuration conf = new Configuration(false);
    if (value != null) {
      conf.set(KEY, value);
    }
    return new SettingsReader(conf);
  }

  private static void refused(String message, Executable reading) {
    assertEquals(KEY + ": " + message,
        assertThrows(IllegalArgumentException.class, reading).getMessage());
  }

  @ParameterizedTest
  @CsvSource({"7, 7", "' 12 ', 12", "0x10, 16", "1k, 1024", "1m, 1048576", "2G, 2147483648"})
  void numbers(String value, long expected) {
    assertEquals(expected, with(value).number(KEY, 3, 1, 1L << 40));
  }

  @Test
  void whatIsNotSetIsTheDefault() {
    assertEquals(3, with(null).number(KEY, 3, 1, 10));
    assertEquals(3, with(null).intNumber(KEY, 3, 1, 10));
    assertEquals(3, with(null).millis(KEY, 3, 1, 10));
    assertEquals(5, with(null).numberOrZero(KEY, 5, 4, 10));
    assertEquals("b", with(null).choice(KEY, "b", "a", "b"));
    assertEquals(9877, with(null).address(KEY, "0.0.0.0:9877").getPort());
  }

  @ParameterizedTest
  @CsvSource({"many", "1.5", "k", "''", "9999999999999999999", "1 2"})
  void whatIsNoNumberIsRefused(String value) {
    refused("'" + value + "' is not a number; set a number from 1 to 10; the default is 3",
        () -> with(value).number(KEY, 3, 1, 10));
  }

  @ParameterizedTest
  @CsvSource({"0", "11", "-1", "1k"})
  void whatIsOutOfRangeIsRefused(String value) {
    refused(value + " is out of range; set a number from 1 to 10; the default is 3",
        () -> with(value).intNumber(KEY, 3, 1, 10));
  }

  @Test
  void zeroMaySwitchOff() {
    assertEquals(0, with("0").numberOrZero(KEY, 5, 4, 10));
    assertEquals(4, with("4").numberOrZero(KEY, 5, 4, 10));
    for (String value : new String[] {"3", "11", "-1"}) {
      refused(value + " is out of range; set a number from 0 to 10: 0 for none, or 4 and more;"
          + " the default is 5", () -> with(value).numberOrZero(KEY, 5, 4, 10));
    }
  }

  /** For times, m means minutes, and not the prefix of sizes. */
  @ParameterizedTest
  @CsvSource({"250, 250", "250ms, 250", "10s, 10000", "1m, 60000", "2h, 7200000"})
  void times(String value, long expected) {
    assertEquals(expected, with(value).millis(KEY, 3, 1, 1L << 40));
  }

  @Test
  void whatIsNoTimeIsRefused() {
    String remedy = "set 1 to 10 milliseconds, or a time with a unit such as 10s; the default is 3";
    for (String value : new String[] {"soon", "1.5", "", "1k"}) {
      refused("'" + value + "' is not a time; " + remedy, () -> with(value).millis(KEY, 3, 1, 10));
    }
    for (String value : new String[] {"0", "11", "1m", "99999999d"}) {
      refused(value + " is out of range; " + remedy, () -> with(value).intMillis(KEY, 3, 1, 10));
    }
  }

  @Test
  void choices() {
    assertEquals("b", with(" B ").choice(KEY, "a", "a", "b"));
    refused("unknown value 'c', choose one of [a, b]; the default is a",
        () -> with("c").choice(KEY, "a", "a", "b"));
  }

  @Test
  void addresses() {
    assertEquals(12, with("127.0.0.1:12").localAddress(KEY, "0.0.0.0:1").getPort());
    assertThrows(IllegalArgumentException.class, () -> with("127.0.0.1").address(KEY, "h:1"));
    assertEquals(1, with("no.such.host.invalid:1").address(KEY, "0.0.0.0:1").getPort());
    refused("the host of 'no.such.host.invalid:1' is unknown; use an address of this host, or"
        + " 0.0.0.0 for all of them",
        () -> with("no.such.host.invalid:1").localAddress(KEY, "0.0.0.0:1"));
  }

  @Test
  void oneSliceInHowManyIsChecked() {
    Configuration conf = new Configuration(false);
    assertEquals(64, VerificationRate.oneIn(new SettingsReader(conf)));
    conf.set(PprKeys.VERIFY_KEY, "Full");
    assertEquals(1, VerificationRate.oneIn(new SettingsReader(conf)));
    conf.set(PprKeys.VERIFY_KEY, "off");
    assertEquals(0, VerificationRate.oneIn(new SettingsReader(conf)));
    conf.set(PprKeys.VERIFY_KEY, "sometimes");
    assertThrows(IllegalArgumentException.class,
        () -> VerificationRate.oneIn(new SettingsReader(conf)));
  }

  /** The file with the defaults may be among a daemon's resources, and is no operator's word. */
  @Test
  void whatAnOperatorHasSetIsKnown() {
    Configuration own = new Configuration(false);
    assertFalse(new SettingsReader(own).isSet(PprKeys.NAMENODE_LINK_RATE_KEY));
    assertEquals(0, LinkRate.ifSet(new SettingsReader(own)));
    own.addResource("hdfs-ppr-default.xml");
    assertFalse(new SettingsReader(own).isSet(PprKeys.NAMENODE_LINK_RATE_KEY));
    assertEquals(PprKeys.NAMENODE_LINK_RATE_DEFAULT, LinkRate.of(new SettingsReader(own)));
    assertEquals(0, LinkRate.ifSet(new SettingsReader(own)));
    own.setLong(PprKeys.NAMENODE_LINK_RATE_KEY, PprKeys.NAMENODE_LINK_RATE_DEFAULT);
    assertEquals(PprKeys.NAMENODE_LINK_RATE_DEFAULT,
        LinkRate.ifSet(new SettingsReader(new Configuration(own))));
    own.set(PprKeys.NAMENODE_LINK_RATE_KEY, "999");
    assertThrows(WrongSettingException.class, () -> LinkRate.ifSet(new SettingsReader(own)));
  }
}
