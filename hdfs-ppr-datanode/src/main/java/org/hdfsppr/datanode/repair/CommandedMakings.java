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

import java.io.IOException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Consumer;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.datanode.metrics.VersionCount;
import org.hdfsppr.datanode.version.Making;
import org.hdfsppr.datanode.version.MakingRuns;
import org.hdfsppr.manage.MakeCommand;
import org.hdfsppr.manage.RepairResult;
import org.hdfsppr.plan.BlockRef;
import org.hdfsppr.stream.UnitSource;
import org.hdfsppr.verify.DigestKey;
import org.hdfsppr.verify.LinearDigest;

/**
 * Makes blocks for versions, with the threads, memory and connections that repairs of this DataNode
 * share. Thread-safe.
 */
@InterfaceAudience.Private
final class CommandedMakings implements MakingRuns {
  private final RepairContext context;
  private final ScheduledExecutorService timer;

  /** @param timer the timer that the guards of attempts use */
  CommandedMakings(RepairContext context, ScheduledExecutorService timer) {
    this.context = context;
    this.timer = timer;
  }

  @Override
  public Making prepare(MakeCommand command, Consumer<RepairResult> whenEnded) {
    RepairJob job = new RepairJob(context, new MadeOrder(context, command, whenEnded),
        command.id(), timer);
    return new Making() {
      @Override
      public void run() {
        job.run();
      }

      @Override
      public void cancel(String reason) {
        job.cancel(reason);
      }
    };
  }

  @Override
  public int digest(BlockRef block, DigestKey key, LinearDigest.Watch watch) throws IOException {
    boolean isDone = false;
    try {
      // The watch may wait for long, so that it is called before the block is opened.
      watch.read(0);
      try (UnitSource unit = context.host.openLocal(block.toExtendedBlock())) {
        int digest =
            LinearDigest.of(unit, key, context.kernel, context.memory.spare(), watch);
        isDone = true;
        return digest;
      }
    } finally {
      if (!isDone) {
        context.metrics.versions(VersionCount.DIGESTS_FAILED, 1);
      }
    }
  }
}
