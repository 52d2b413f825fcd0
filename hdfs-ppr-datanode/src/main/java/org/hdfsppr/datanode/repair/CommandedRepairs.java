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
package org.hdfsppr.datanode.repair;

import java.util.function.Consumer;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.manage.RepairCommand;
import org.hdfsppr.manage.RepairResult;

/** Repairs that are not stock's tasks, for whoever brings them. Thread-safe. */
@InterfaceAudience.Private
public interface CommandedRepairs {
  /**
   * Starts a repair, or queues it, or refuses it. Does not wait.
   *
   * @param whenEnded is told once how it ended, by whichever thread; if it is refused, by this one
   *     before this method returns
   */
  void start(RepairCommand command, Consumer<RepairResult> whenEnded);

  /** Ends a repair soon, if it has not ended; its result says that it failed. */
  void cancel(RepairCommand command, String reason);

  /** How much of it is done, 0 to 100; 0 if it waits or is not here. At once. */
  int donePercent(RepairCommand command);

  /** Repairs that this node leads, waiting or running, whoever ordered them. */
  int led();

  /** How many more it could start at once. */
  int freeSlots();
}
