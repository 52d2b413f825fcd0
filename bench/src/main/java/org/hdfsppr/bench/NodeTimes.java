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
package org.hdfsppr.bench;

import java.util.Map;


/** What the DataNodes did during a read, in nanoseconds. Immutable. */
final class NodeTimes {
  private final Map<Integer, Long> disk;
  final long computingMost;

  /**
   * @param disk for each DataNode the time of its file reads
   * @param computingMost the time in which one DataNode computed for the read: the one with the
   *     most
   */
  NodeTimes(Map<Integer, Long> disk, long computingMost) {
    this.disk = Map.copyOf(disk);
    this.computingMost = computingMost;
  }

  long diskMost() {
    return disk.values().stream().mapToLong(Long::longValue).max().orElse(0);
  }

  long diskOfAll() {
    return disk.values().stream().mapToLong(Long::longValue).sum();
  }
}
