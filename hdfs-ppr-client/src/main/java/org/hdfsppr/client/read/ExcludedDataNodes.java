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
package org.hdfsppr.client.read;

import java.util.HashSet;
import java.util.Set;

/**
 * The UUIDs of DataNodes that have failed or were late while a range was decoded. Plans leave out a
 * node that has failed, or that was late twice. They prefer other nodes to a node that was late
 * once. Used by one thread.
 */
final class ExcludedDataNodes {
  /** The UUIDs of the nodes that no plan may use. */
  final Set<String> failed = new HashSet<>();
  private final Set<String> late = new HashSet<>();

  void failed(String uuid) {
    failed.add(uuid);
  }

  void late(String uuid) {
    if (!late.add(uuid)) {
      failed.add(uuid);
    }
  }

  boolean isLate(String uuid) {
    return late.contains(uuid);
  }

  /**
   * Lets plans use the nodes that have failed again, because the client has got new tokens. A node
   * that has refused an old token may accept a new one.
   */
  void forgiveFailed() {
    failed.clear();
  }
}
