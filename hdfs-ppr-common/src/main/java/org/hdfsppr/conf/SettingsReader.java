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

import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.net.NetUtils;

/**
 * Reads and checks an operator's settings. DataNodes, NameNodes and clients all read through this
 * class, so that a value means the same in all of them. If this class refuses a value, it throws an
 * {@link IllegalArgumentException} that names the key, the value, the allowed values and the
 * default.
 */
@InterfaceAudience.Private
public final class SettingsReader {
  /** The file on the class path that has the default of each of hdfs-ppr's settings. */
  public static final String DEFAULTS = "hdfs-ppr-default.xml";

  private static final String NUMBER = "a number";
  private static final String TIME = "a time";

  private final Configuration conf;

  /** @param conf the configuration of the daemon or client */
  public SettingsReader(Configuration conf) {
    this.conf = Objects.requireNonNull(conf, "conf");
  }

  /**
   * @param key the setting's name
   * @return whether an operator has set the key, even if to the default value
   */
  public boolean isSet(String key) {
    String[] sources = conf.getPropertySources(key);
    return conf.getRaw(key) != null
        && (sources == null || !DEFAULTS.equals(sources[sources.length - 1]));
  }

  /** Parses a value's text with one of Hadoop's parsers. */
  private interface Parser {
    long parse();
  }

  /**
   * Reads a count or a size. Besides plain numbers it takes Hadoop's suffixes for sizes: k, m, g,
   * t, p and e stand for powers of 1024.
   *
   * @param key the setting's name
   * @param defaultValue the value if the key is not set
   * @param least the smallest value that is allowed
   * @param most the largest value that is allowed
   * @return the value
   * @throws IllegalArgumentException if the value is no number, or out of range
   */
  public long number(String key, long defaultValue, long least, long most) {
    return checked(key, parsed(key, defaultValue, () -> conf.getLongBytes(key, defaultValue),
        NUMBER, numbers(least, most)), least, most, numbers(least, most), defaultValue);
  }

  /**
   * Like {@link #number}, but for numbers that fit into an int.
   *
   * @param key the setting's name
   * @param defaultValue the value if the key is not set
   * @param least the smallest value that is allowed
   * @param most the largest value that is allowed
   * @return the value
   */
  public int intNumber(String key, int defaultValue, int least, int most) {
    return (int) number(key, defaultValue, least, most);
  }

  /**
   * Like {@link #number}, but also accepts 0, which switches the setting off.
   *
   * @param key the setting's name
   * @param defaultValue the value if the key is not set
   * @param least the smallest allowed value besides 0
   * @param most the largest value that is allowed
   * @return the value; 0 if the operator has switched the setting off
   */
  public long numberOrZero(String key, long defaultValue, long least, long most) {
    String allowed = numbers(0, most) + ": 0 for none, or " + least + " and more";
    long value = parsed(key, defaultValue, () -> conf.getLongBytes(key, defaultValue), NUMBER,
        allowed);
    return value == 0 ? 0 : checked(key, value, least, most, allowed, defaultValue);
  }

  /**
   * Reads a time. A plain number means milliseconds. Hadoop's suffixes for times (ms, s, m, h, d)
   * are also allowed.
   *
   * @param key the setting's name
   * @param defaultValue the value if the key is not set
   * @param least the smallest value that is allowed
   * @param most the largest value that is allowed
   * @return milliseconds
   * @throws IllegalArgumentException if the value is no time, or out of range
   */
  public long millis(String key, long defaultValue, long least, long most) {
    String allowed = least + " to " + most + " milliseconds, or a time with a unit such as 10s";
    return checked(key, parsed(key, defaultValue,
        () -> conf.getTimeDuration(key, defaultValue, TimeUnit.MILLISECONDS), TIME, allowed),
        least, most, allowed, defaultValue);
  }

  /**
   * Like {@link #millis}, but for times that fit into an int.
   *
   * @param key the setting's name
   * @param defaultValue the value if the key is not set
   * @param least the smallest value that is allowed
   * @param most the largest value that is allowed
   * @return milliseconds
   */
  public int intMillis(String key, int defaultValue, int least, int most) {
    return (int) millis(key, defaultValue, least, most);
  }

  /**
   * Reads a name. Case and surrounding blanks do not matter.
   *
   * @param key the setting's name
   * @param defaultValue the value if the key is not set
   * @return the value
   */
  public String name(String key, String defaultValue) {
    return conf.getTrimmed(key, defaultValue).toLowerCase(Locale.ROOT);
  }

  /**
   * Reads one of several names. If an operator uses a removed name, the method returns the name
   * that replaced it.
   *
   * @param key the setting's name
   * @param defaultValue the value if the key is not set
   * @param choices the names that are allowed
   * @return the value
   * @throws IllegalArgumentException if the value is none of the allowed names
   */
  public String choice(String key, String defaultValue, List<String> choices) {
    String name = RemovedValues.current(key, name(key, defaultValue));
    if (!choices.contains(name)) {
      throw new WrongSettingException(key + ": unknown value '" + name + "', choose one of "
          + choices + "; the default is " + defaultValue);
    }
    return name;
  }

  /**
   * Like {@link #choice(String, String, List)}, but takes the names as separate arguments.
   *
   * @param key the setting's name
   * @param defaultValue the value if the key is not set
   * @param choices the names that are allowed
   * @return the value
   */
  public String choice(String key, String defaultValue, String... choices) {
    return choice(key, defaultValue, Arrays.asList(choices));
  }

  /**
   * Reads a setting that is either true or false.
   *
   * @param key the setting's name
   * @param defaultValue the value if the key is not set
   * @return the value
   */
  public boolean flag(String key, boolean defaultValue) {
    return conf.getBoolean(key, defaultValue);
  }

  /**
   * Reads the address of a server. The host may be unknown on this machine. The caller decides
   * whether it accepts an unknown host.
   *
   * @param key the setting's name
   * @param defaultValue the value if the key is not set
   * @return the address; its host may be unresolved
   * @throws IllegalArgumentException if the value is no host and port
   */
  public InetSocketAddress address(String key, String defaultValue) {
    String value = conf.getTrimmed(key, defaultValue);
    try {
      return NetUtils.createSocketAddr(value, -1, key);
    } catch (IllegalArgumentException e) {
      throw new WrongSettingException(key + ": '" + value
          + "' is not a host:port with a port from 0 to 65535; the default is " + defaultValue
          + ": " + e.getMessage(), e);
    }
  }

  /**
   * Like {@link #address}, but for a server that this process starts, so that the host must be
   * known on this machine.
   *
   * @param key the setting's name
   * @param defaultValue the value if the key is not set
   * @return the address, resolved
   * @throws IllegalArgumentException if the value is no host and port, or the host is unknown on
   *     this machine
   */
  public InetSocketAddress localAddress(String key, String defaultValue) {
    return known(key, address(key, defaultValue));
  }

  /**
   * Checks that the host of an address is known on this machine.
   *
   * @param key name of the setting, for the error
   * @param address a parsed address
   * @return {@code address}
   */
  public static InetSocketAddress known(String key, InetSocketAddress address) {
    if (address.isUnresolved()) {
      throw new WrongSettingException(key + ": the host of '" + address.getHostString() + ":"
          + address.getPort()
          + "' is unknown; use an address of this host, or 0.0.0.0 for all of them");
    }
    return address;
  }

  /**
   * Reads a plain number directly, and any other value with {@code parser}. Plain numbers do not go
   * through Hadoop's parsers for two reasons: the parser for times logs a line for each number
   * without a unit, and the parser for sizes does not accept hexadecimal numbers.
   */
  private long parsed(String key, long defaultValue, Parser parser, String kind, String allowed) {
    try {
      return conf.getLong(key, defaultValue);
    } catch (NumberFormatException notPlain) {
      try {
        return parser.parse();
      } catch (IllegalArgumentException | StringIndexOutOfBoundsException e) {
        // Hadoop's parser for sizes throws StringIndexOutOfBoundsException for an empty value.
        throw new WrongSettingException(key + ": '" + conf.get(key) + "' is not " + kind
            + "; set " + allowed + "; the default is " + defaultValue, e);
      }
    }
  }

  private long checked(String key, long value, long least, long most, String allowed,
      long defaultValue) {
    if (value < least || value > most) {
      throw new WrongSettingException(key + ": " + conf.get(key, Long.toString(value))
          + " is out of range; set " + allowed + "; the default is " + defaultValue);
    }
    return value;
  }

  private static String numbers(long least, long most) {
    return "a number from " + least + " to " + most;
  }
}
