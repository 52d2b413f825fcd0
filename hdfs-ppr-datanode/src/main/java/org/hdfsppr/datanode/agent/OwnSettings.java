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
package org.hdfsppr.datanode.agent;

import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.conf.SettingsReader;

/**
 * Lists the settings of the extension on a DataNode, including defaults. Values are normalised, so
 * that {@code 10s} and {@code 10000} count as the same.
 */
@InterfaceAudience.Private
final class OwnSettings {
  private static final String OF_DATANODES = "dfs.datanode.ppr.";
  private static final String OF_ALL = "dfs.ppr.";
  /** A setting for all daemons that only NameNodes read. */
  private static final String OF_NAMENODES = PprKeys.REPAIR_DELAY_KEY;
  private static final String TIME = ".ms";
  private static final String DIRECTORY = ".dir";
  private static final Pattern NUMBER = Pattern.compile("-?[0-9]+");
  private static final Pattern SIZE = Pattern.compile("[0-9]+[kmgtpe]");

  private OwnSettings() {
  }

  /**
   * Returns the settings of a DataNode, by name.
   *
   * @param conf the DataNode's configuration, whose values have been checked
   */
  static Map<String, String> of(Configuration conf) {
    Configuration defaults = new Configuration(false);
    defaults.setClassLoader(OwnSettings.class.getClassLoader());
    defaults.addResource(SettingsReader.DEFAULTS);
    Map<String, String> settings = new TreeMap<>();
    for (Map.Entry<String, String> one : defaults) {
      String key = one.getKey();
      if (key.startsWith(OF_DATANODES)
          || key.startsWith(OF_ALL) && !key.startsWith(OF_NAMENODES)) {
        settings.put(key, value(conf, key, one.getValue()));
      }
    }
    return settings;
  }

  private static String value(Configuration conf, String key, String defaultValue) {
    String value = conf.getTrimmed(key, defaultValue).toLowerCase(Locale.ROOT);
    Configuration one = new Configuration(false);
    one.set(key, value);
    if (NUMBER.matcher(value).matches()) {
      return value;
    }
    if (key.endsWith(DIRECTORY)) {
      // Paths are not reported: they are private to the host, and hosts may have different ones.
      return value.equals(defaultValue) ? value : "set";
    }
    if (key.endsWith(TIME)) {
      return Long.toString(one.getTimeDuration(key, 0, TimeUnit.MILLISECONDS));
    }
    return SIZE.matcher(value).matches() ? Long.toString(one.getLongBytes(key, 0)) : value;
  }
}
