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

import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.datanode.command.CommandExecutor;
import org.hdfsppr.manage.RepairCommand;
import org.hdfsppr.manage.RunningRepair;

/** Repairs that a manager commands, and how many repairs this node leads. Thread-safe. */
@InterfaceAudience.Private
public interface CommandedRepairs extends CommandExecutor<RepairCommand> {
  /** How much of it is done, 0 to 100; 0 if it waits or is not here. At once. */
  int donePercent(RepairCommand command);

  @Override
  default RunningRepair running(RepairCommand command) {
    return new RunningRepair(command.repairId(), command.term(), command.groupId().groupId(),
        command.groupId().generationStamp(), donePercent(command));
  }

  /** Repairs that this node leads, waiting or running, of managers and of stock. */
  int led();

  /** How many more it could start at once. */
  int freeSlots();
}
