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

/**
 * Carries out the repairs that managers command, and counts all repairs that this node runs.
 * Thread-safe.
 */
@InterfaceAudience.Private
public interface CommandedRepairs extends CommandExecutor<RepairCommand> {
  /**
   * Returns the progress of a repair. Does not wait.
   *
   * @param command the command that ordered the repair
   * @return the part that is done, 0 to 100 percent; 0 if the repair waits in the queue or is not
   *     on this node
   */
  int donePercent(RepairCommand command);

  @Override
  default RunningRepair running(RepairCommand command) {
    return new RunningRepair(command.repairId, command.term(), command.groupId().groupId,
        command.groupId().generationStamp, donePercent(command));
  }

  /** @return the number of repairs, ordered by managers or stock, that run or wait on this node */
  int led();

  /** @return the number of further repairs that this node could start at once */
  int freeSlots();
}
