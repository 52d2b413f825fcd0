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
package org.hdfsppr.datanode.server;

import java.net.InetAddress;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Connections that have not yet said what they want. An honest one is through within milliseconds,
 * so if there are too many it is an old one that has to go, and strangers that stay silent cannot
 * keep others out. It goes at the expense of the address that has the most of them, so that a crowd
 * from one machine sends its own away, and not a peer from elsewhere that takes its time to shake
 * hands. Thread-safe.
 *
 * @param <C> a connection
 */
@InterfaceAudience.Private
final class Strangers<C> {
  private final int most;
  /** To the addresses that they count for; the oldest one first. Guarded by this. */
  private final Map<C, String> connections = new LinkedHashMap<>();
  /** How many of them each has. Guarded by this. */
  private final Map<String, Integer> counts = new HashMap<>();

  /** @param most that may be there at a time */
  Strangers(int most) {
    this.most = most;
  }

  /**
   * Adds one.
   *
   * @param connection that is not there
   * @param from where it comes from, or null if that is not known
   * @return the one that has to go instead, which is not there any more, or null
   */
  synchronized C add(C connection, InetAddress from) {
    String address = CallerAddress.ofStranger(from);
    connections.put(connection, address);
    counts.merge(address, 1, Integer::sum);
    if (connections.size() <= most) {
      return null;
    }
    int largest = counts.values().stream().mapToInt(Integer::intValue).max().orElse(0);
    for (Map.Entry<C, String> each : connections.entrySet()) {
      if (counts.get(each.getValue()) == largest) {
        remove(each.getKey());
        return each.getKey();
      }
    }
    throw new IllegalStateException("No address has " + largest + " connections");
  }

  /** One has said what it wants, or is gone; it need not be there. */
  synchronized void remove(C connection) {
    String address = connections.remove(connection);
    if (address != null) {
      counts.computeIfPresent(address, (any, count) -> count == 1 ? null : count - 1);
    }
  }

  synchronized int size() {
    return connections.size();
  }

  /** Addresses that are remembered. */
  synchronized int addresses() {
    return counts.size();
  }
}
