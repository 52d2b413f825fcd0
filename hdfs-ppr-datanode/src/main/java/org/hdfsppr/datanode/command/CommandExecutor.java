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
package org.hdfsppr.datanode.command;

import java.util.function.Consumer;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.manage.ManagerCommand;
import org.hdfsppr.manage.RepairResult;
import org.hdfsppr.manage.RunningRepair;

/**
 * Carries out the commands of one kind. Thread-safe.
 *
 * @param <C> the kind of the commands
 */
@InterfaceAudience.Private
public interface CommandExecutor<C extends ManagerCommand> {
  /**
   * Starts a job, queues it or refuses it. Does not wait.
   *
   * @param command the command, which names the job
   * @param whenEnded is called once with the result of the job, on any thread. If the job is
   *     refused, the calling thread calls it before this method returns
   */
  void start(C command, Consumer<RepairResult> whenEnded);

  /**
   * Asks a job to end soon. Its result then says that the job failed. Does nothing if the job has
   * ended already.
   *
   * @param command the command that started the job
   * @param reason the reason, for the result and the log
   */
  void cancel(C command, String reason);

  /**
   * Describes a running job for the heartbeat. Waits for nothing. Heartbeats list repairs only: a
   * manager takes each job that they list for a repair of the group.
   *
   * @param command the command that started the job
   * @return the job and its progress; null if it is no repair
   */
  default RunningRepair running(C command) {
    return null;
  }
}
