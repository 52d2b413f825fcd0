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
package org.hdfsppr.datanode.metrics;

import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.metrics2.lib.MetricsRegistry;
import org.apache.hadoop.metrics2.lib.MutableCounterLong;

/**
 * Keeps a counter for each key, such as {@code RepairsFailedCodecRsLegacy}. The counter is made
 * when the key is first seen.
 *
 * <p>Keys come from configuration and from other nodes, so the number of counters is bounded: the
 * keys after the first {@link #KEYS_MAX} share one counter.
 */
@InterfaceAudience.Private
final class KeyedCounters {
  /**
   * The greatest number of keys with a counter of their own. A cluster uses fewer codecs than this,
   * and fewer topologies.
   */
  private static final int KEYS_MAX = 16;
  private static final String REST = "Other";

  private final MetricsRegistry registry;
  private final String prefix;
  private final String description;
  private final Map<String, MutableCounterLong> counters = new HashMap<>();

  KeyedCounters(MetricsRegistry registry, String prefix, String description) {
    this.registry = registry;
    this.prefix = prefix;
    this.description = description;
  }

  synchronized void incr(String key) {
    String name = camelCase(key);
    MutableCounterLong counter = counters.get(name);
    if (counter == null && counters.size() >= KEYS_MAX) {
      name = REST;
      counter = counters.get(name);
    }
    if (counter == null) {
      counter = registry.newCounter(prefix + name, description + " " + name, 0L);
      counters.put(name, counter);
    }
    counter.incr();
  }

  /**
   * Turns {@code rs-legacy} into {@code RsLegacy}, which is valid in metric names and JMX
   * attributes.
   */
  static String camelCase(String key) {
    StringBuilder name = new StringBuilder();
    boolean upper = true;
    for (int i = 0; i < key.length(); i++) {
      char c = key.charAt(i);
      if (c < 128 && Character.isLetterOrDigit(c)) {
        name.append(upper ? Character.toUpperCase(c) : c);
        upper = false;
      } else {
        upper = true;
      }
    }
    return name.length() == 0 ? REST : name.toString();
  }
}
