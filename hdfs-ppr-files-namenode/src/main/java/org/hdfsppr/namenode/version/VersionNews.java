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

/** Wakes the one thread that makes a file when a result has come. Thread-safe. */
final class VersionNews {
  private boolean there;

  /** Wakes the thread. If it does not wait now, its next wait ends at once. */
  synchronized void come() {
    there = true;
    notifyAll();
  }

  /** Waits until {@link #come} is called, at most for this time. */
  synchronized void await(long ms) throws InterruptedException {
    if (!there) {
      wait(ms);
    }
    there = false;
  }
}
