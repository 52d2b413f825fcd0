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
 * Keeps the connections that have not yet sent a request (strangers), and bounds their number. An
 * honest caller sends its request within milliseconds. If there are too many strangers, this class
 * drops one of them, so that silent strangers cannot keep others out. It drops the oldest stranger
 * of the address with the most strangers. Many connections from one machine therefore displace each
 * other, and not the connection of another machine whose handshake is slow. Thread-safe.
 *
 * @param <C> a connection
 */
@InterfaceAudience.Private
final class Strangers<C> {
  private final int most;
  /** The address for which each connection counts; oldest connection first. Guarded by this. */
  private final Map<C, String> connections = new LinkedHashMap<>();
  /** The number of connections of each address. Guarded by this. */
  private final Map<String, Integer> counts = new HashMap<>();

  /** @param most the most connections at a time */
  Strangers(int most) {
    this.most = most;
  }

  /**
   * Adds a connection.
   *
   * @param connection a connection that has not been added yet
   * @param from the address that the connection comes from, or null if the address is not known
   * @return the connection that the caller has to close, and that this class has removed; null if
   *     there was room
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

  /**
   * Removes a connection that has sent its request or has ended. Does nothing if this object does
   * not hold the connection.
   */
  synchronized void remove(C connection) {
    String address = connections.remove(connection);
    if (address != null) {
      counts.computeIfPresent(address, (any, count) -> count == 1 ? null : count - 1);
    }
  }

  synchronized int size() {
    return connections.size();
  }

  /** Returns the number of addresses from which these connections come. */
  synchronized int addresses() {
    return counts.size();
  }
}
