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

/**
 * The kinds of log lines that count as evidence in a run. {@code evidence.properties} has a pattern
 * for each kind. Some of these lines come from the project and the others from Hadoop. Hadoop's
 * lines are the same in every supported version.
 */
enum Sign {
  /** A DataNode starts, with or without the plugin. */
  DATANODE_STARTS("datanode.starts"),
  /** A NameNode starts, with or without the plugin. */
  NAMENODE_STARTS("namenode.starts"),
  /** Hadoop started the plugin in a DataNode. */
  PLUGIN_STARTED("plugin.started"),
  /** Hadoop could not start the plugin, and the DataNode runs without it. */
  PLUGIN_REFUSED("plugin.refused"),
  /** A DataNode got the command to repair one or more block groups. */
  EC_COMMAND("ec.command"),
  /** The plugin repaired a block group. */
  REPAIR("plugin.repair"),
  /**
   * The plugin rebuilt several units of a group in one repair, and sent all but one to other
   * DataNodes with Hadoop's own protocol. The capturing group of the pattern matches the list of
   * all rebuilt units, which has one comma for each sent unit.
   */
  PUSHED("plugin.pushed"),
  /**
   * The plugin gave up sending a unit to its target. The target may have received the whole unit
   * nevertheless, because a cluster that stops may interrupt the plugin while it checks the written
   * data.
   */
  PUSH_GIVEN_UP("plugin.push.given.up"),
  /** The plugin left a block group to the stock worker. */
  FALLBACK("plugin.fallback"),
  /** The NameNode's plugin has bound its port and is running. */
  MANAGER_STARTED("manager.started"),
  /** The NameNode's plugin could not start, and stock schedules all repairs. */
  MANAGER_REFUSED("manager.refused"),
  /** DataNodes have registered with the repair manager, so it schedules repairs. */
  MANAGER_OPEN("manager.open"),
  /** The repair manager ordered a DataNode to repair a block group. */
  MANAGER_ORDER("manager.order"),
  /** A client opened a file system of the extension. */
  CLIENT_OPENED("client.opened"),
  /**
   * A DataNode received an internal block that another DataNode sent with Hadoop's own protocol.
   */
  STOCK_RECEIVED("stock.received"),
  /** A DataNode sent a copy of its replica of an internal block, which is no repair. */
  STOCK_COPIED("stock.copied");

  private final String key;

  Sign(String key) {
    this.key = key;
  }

  /** Returns by how much a matching line raises the count of this sign. */
  int weight(Matcher matched) {
    return this == PUSHED
        ? (int) matched.group(1).chars().filter(c -> c == ',').count() : 1;
  }

  /**
   * Reads the patterns from {@code evidence.properties}. Throws an IOException if a sign has no
   * pattern.
   */
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
