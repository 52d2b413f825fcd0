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
package org.hdfsppr.namenode.version;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Which worker owns which version, by the inode id of the version's file. A version is owned by at
 * most one worker, or by the janitor. Thread-safe.
 */
final class VersionClaims {
  private final Map<Long, Object> owners = new ConcurrentHashMap<>();

  /** Claims a file for a worker; returns false if another worker owns it. */
  boolean take(long inodeId, Object work) {
    Object other = owners.putIfAbsent(inodeId, work);
    return other == null || other == work;
  }

  /** Gives a file back. Does nothing if another worker owns it. */
  void giveBack(long inodeId, Object work) {
    owners.remove(inodeId, work);
  }

  boolean isTaken(long inodeId) {
    return owners.containsKey(inodeId);
  }

  boolean isEmpty() {
    return owners.isEmpty();
  }
}
