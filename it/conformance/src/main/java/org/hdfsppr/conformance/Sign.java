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
package org.hdfsppr.conformance;

import java.io.IOException;
import java.io.InputStream;
import java.util.EnumMap;
import java.util.Map;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * What a line of the log can be evidence of. The wording is in {@code evidence.properties}: the
 * plugin's words are its own, Hadoop's are the same on every version that is supported.
 */
@InterfaceAudience.Private
enum Sign {
  /** A DataNode starts, with or without us. */
  DATANODE_STARTS("datanode.starts"),
  /** A NameNode starts, with or without us. */
  NAMENODE_STARTS("namenode.starts"),
  /** Hadoop started our plugin in a DataNode. */
  PLUGIN_STARTED("plugin.started"),
  /** Hadoop could not start our plugin and went on without it. */
  PLUGIN_REFUSED("plugin.refused"),
  /** A DataNode got the command to repair block groups, one or more. */
  EC_COMMAND("ec.command"),
  /** The plugin repaired a block group. */
  REPAIR("plugin.repair"),
  /**
   * The plugin rebuilt further units of the group in the same repair, and sent each to its target
   * the stock way. Counts the commas of the list of units, which is the pattern's group.
   */
  PUSHED("plugin.pushed"),
  /**
   * The plugin gave up a unit that it had sent to its target, or some of it. The target may have
   * received it all the same: a cluster that stops cuts off the check of what was written.
   */
  PUSH_GIVEN_UP("plugin.push.given.up"),
  /** The plugin handed a block group to the stock worker. */
  FALLBACK("plugin.fallback"),
  /** The NameNode's plugin has bound its port and runs. */
  MANAGER_STARTED("manager.started"),
  /** The NameNode's plugin could not start, and left all to stock. */
  MANAGER_REFUSED("manager.refused"),
  /** DataNodes have registered with the repair manager: it schedules. */
  MANAGER_OPEN("manager.open"),
  /** A DataNode was ordered by the repair manager to repair a block group. */
  MANAGER_ORDER("manager.order"),
  /** A file system of ours was made. */
  CLIENT_OPENED("client.opened"),
  /** A DataNode received an internal block the stock way. */
  STOCK_RECEIVED("stock.received"),
  /** A DataNode sent a copy of an internal block it holds: no repair. */
  STOCK_COPIED("stock.copied");

  private final String key;

  Sign(String key) {
    this.key = key;
  }

  /** How much a line that matched counts for. */
  int weight(Matcher matched) {
    return this == PUSHED
        ? (int) matched.group(1).chars().filter(c -> c == ',').count() : 1;
  }

  /** The patterns of {@code evidence.properties}; a sign without one is an error. */
  static Map<Sign, Pattern> patterns() throws IOException {
    Properties properties = new Properties();
    try (InputStream in = Sign.class.getResourceAsStream("evidence.properties")) {
      if (in == null) {
        throw new IOException("evidence.properties is not on the class path");
      }
      properties.load(in);
    }
    Map<Sign, Pattern> patterns = new EnumMap<>(Sign.class);
    for (Sign sign : values()) {
      String pattern = properties.getProperty(sign.key);
      if (pattern == null) {
        throw new IOException("evidence.properties says nothing about " + sign.key);
      }
      patterns.put(sign, Pattern.compile(pattern));
    }
    return patterns;
  }
}
