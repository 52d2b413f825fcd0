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
package org.hdfsppr.namenode.queue;

import org.apache.hadoop.classification.InterfaceAudience;

/** Counts what goes wrong in the queue. Called from any thread, with locks held; must not throw. */
@InterfaceAudience.Private
@FunctionalInterface
public interface QueueFaults {
  /**
   * Counts a group that the queue could not hand to stock with its priority. The queue hands groups
   * over if the repair manager has stopped polling.
   */
  void rescueFailed();

  /** Counts a group whose replicas could not be examined. The queue examines it again later. */
  default void lookFailed() {
  }
}
