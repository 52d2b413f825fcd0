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

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.manage.MakeCommand;
import org.hdfsppr.manage.RepairOutcome;
import org.hdfsppr.manage.RepairResult;
import org.hdfsppr.manage.VersionReport;
import org.hdfsppr.plan.GroupSnapshot;

/**
 * A manager's order to make blocks for a version of a file. They are made in the same way as lost
 * units are repaired, at the rate of the command. No data are lost meanwhile, so that such an order
 * always gives way to busy users, and does not count as a repair.
 */
@InterfaceAudience.Private
final class MadeOrder extends CommandedOrder {
  private final MakeCommand command;
  private final AtomicLong received = new AtomicLong();
  private volatile long read;

  /**
   * @param context the parts that all repairs of this DataNode share
   * @param command the manager's command
   * @param whenEnded takes the result; called once
   * @throws IllegalArgumentException if the command names a tree shape that this DataNode does not
   *     know
   */
  MadeOrder(RepairContext context, MakeCommand command, Consumer<RepairResult> whenEnded) {
    super(context, command.work, whenEnded);
    this.command = command;
  }

  @Override
  public boolean isUrgent() {
    return false;
  }

  @Override
  public boolean isRepair() {
    return false;
  }

  /**
   * A code with only as many parities as targets, such as the XOR of a column, has none left for a
   * check. The manager knows this, and checks the new blocks by the code of their own group.
   */
  @Override
  public boolean isCheckedByManager() {
    GroupSnapshot group = command.work.group;
    return group.units() - group.dataUnits() == command.work.targets.size();
  }

  @Override
  public long bytesPerSecond() {
    return command.bytesPerSecond;
  }

  @Override
  public void received(long bytes) {
    received.addAndGet(bytes);
  }

  @Override
  void count(JobEnding ending) {
    read = ending.outcome.bytesRead;
  }

  @Override
  RepairResult marked(RepairResult result) {
    boolean isPart = result.outcome == RepairOutcome.REBUILT
        && result.rebuiltUnits.size() < command.work.targets.size();
    return (isPart ? result.asFailed() : result)
        .withVersion(new VersionReport(0, 0, result.bytes, read, received.get()));
  }
}
