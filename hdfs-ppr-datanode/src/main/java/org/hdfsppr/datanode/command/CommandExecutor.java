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
import org.hdfsppr.manage.Command;
import org.hdfsppr.manage.RepairResult;
import org.hdfsppr.manage.RunningRepair;

/**
 * Carries out the commands of one kind. Thread-safe.
 *
 * @param <C> the kind
 */
@InterfaceAudience.Private
public interface CommandExecutor<C extends Command> {
  /**
   * Starts a job, or queues it, or refuses it. Does not wait.
   *
   * @param whenEnded takes the result of the job once, on any thread; if the job is refused, on the
   *     calling thread before this method returns
   */
  void start(C command, Consumer<RepairResult> whenEnded);

  /** Ends a job soon, if it has not ended; its result says that it failed. */
  void cancel(C command, String reason);

  /** What heartbeats say of a job that has not ended. Waits for nothing. */
  RunningRepair running(C command);
}
