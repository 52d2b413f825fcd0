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
package org.hdfsppr.client.device;

/**
 * What this process knows of a file; it outlives the open file. The first sync of a process also
 * covers writes of an earlier process, which may have ended before its sync. Thread-safe.
 */
final class SyncHistory {
  private volatile boolean isSynced;
  private volatile boolean isDoubtful;

  /** Returns whether this process has ever synced the file. */
  boolean isSynced() {
    return isSynced;
  }

  void hasSynced() {
    isSynced = true;
  }

  /**
   * Returns whether a write has failed; later reads may then find other bytes than the next read.
   */
  boolean isDoubtful() {
    return isDoubtful;
  }

  void hasFailed() {
    isDoubtful = true;
  }
}
