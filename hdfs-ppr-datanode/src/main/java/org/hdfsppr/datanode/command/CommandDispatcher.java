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

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.manage.ManagerCommand;
import org.hdfsppr.manage.RepairResult;
import org.hdfsppr.manage.RunningRepair;

/**
 * Hands each command that begins a job to the executor of its kind. A caller binds all executors
 * first. After that the dispatcher does not change, and is thread-safe, because the executors are.
 */
@InterfaceAudience.Private
public final class CommandDispatcher {
  private final Map<Class<?>, Bound<?>> executors = new LinkedHashMap<>();

  /** An executor and the class of its commands. */
  private static final class Bound<C extends ManagerCommand> {
    private final Class<C> type;
    private final CommandExecutor<C> executor;

    Bound(Class<C> type, CommandExecutor<C> executor) {
      this.type = type;
      this.executor = executor;
    }

    void start(ManagerCommand command, Consumer<RepairResult> whenEnded) {
      executor.start(type.cast(command), whenEnded);
    }

    void cancel(ManagerCommand command, String reason) {
      executor.cancel(type.cast(command), reason);
    }

    RunningRepair running(ManagerCommand command) {
      return executor.running(type.cast(command));
    }
  }

  /**
   * Binds an executor. A caller binds all executors before the first command comes.
   *
   * @param <C> the kind of command
   * @param type the class of the commands
   * @param executor carries out the commands of this type
   * @return this dispatcher
   * @throws IllegalStateException if the type has an executor already
   */
  public <C extends ManagerCommand> CommandDispatcher bind(Class<C> type,
      CommandExecutor<C> executor) {
    if (executors.putIfAbsent(type, new Bound<>(type, executor)) != null) {
      throw new IllegalStateException(type.getName() + " has an executor already");
    }
    return this;
  }

  /**
   * @param command a command from a manager
   * @return whether an executor is bound for commands of this kind
   */
  public boolean takes(ManagerCommand command) {
    return executors.containsKey(command.getClass());
  }

  /**
   * Starts a job as {@link CommandExecutor#start} does.
   *
   * @param command a command of a kind that {@link #takes} accepts
   * @param whenEnded is called once, with the result
   * @throws IllegalStateException if no executor is bound for the command
   */
  public void start(ManagerCommand command, Consumer<RepairResult> whenEnded) {
    bound(command).start(command, whenEnded);
  }

  /**
   * Ends a job as {@link CommandExecutor#cancel} does.
   *
   * @param command the command that started the job
   * @param reason the reason, for the result and the log
   */
  public void cancel(ManagerCommand command, String reason) {
    bound(command).cancel(command, reason);
  }

  /**
   * Describes a job as {@link CommandExecutor#running} does.
   *
   * @param command the command that started the job
   * @return the job and its progress; null if it is no repair
   */
  public RunningRepair running(ManagerCommand command) {
    return bound(command).running(command);
  }

  private Bound<?> bound(ManagerCommand command) {
    Bound<?> bound = executors.get(command.getClass());
    if (bound == null) {
      throw new IllegalStateException("No executor is bound for the command '" + command.kind()
          + "'");
    }
    return bound;
  }
}
