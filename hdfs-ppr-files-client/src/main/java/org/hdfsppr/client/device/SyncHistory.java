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
 * What this process knows about the syncs of a file of a device, also while the file is not open.
 * Until the first sync, the file counts as having unsynced writes, because an earlier process may
 * have ended before its sync. Thread-safe.
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
   * Returns whether a write of the file has ever failed. It may still take effect later, so that
   * two successive reads may return different bytes.
   */
  boolean isDoubtful() {
    return isDoubtful;
  }

  void hasFailed() {
    isDoubtful = true;
  }
}
