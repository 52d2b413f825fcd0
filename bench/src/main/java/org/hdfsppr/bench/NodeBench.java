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
package org.hdfsppr.bench;

import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeoutException;

import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.it.cluster.HdfsProcessCluster;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code bench.sh node}: measures how long a cluster takes to rebuild the units of a lost node. */
@Command(name = "node", mixinStandardHelpOptions = true,
    description = "Seconds until everything is redundant again after a node is lost, mode by mode.")
@InterfaceAudience.Private
public final class NodeBench implements Callable<Integer> {

  @Spec
  private CommandSpec spec;

  @Mixin
  private NodeTrials trials;

  @Option(names = "--lost-blocks", defaultValue = "60",
      description = "How many internal blocks the node is to hold at least "
          + "(default: ${DEFAULT-VALUE})")
  private int lostBlocks;

  @Option(names = "--users", defaultValue = "0",
      description = "Clients with links of their own that read at random beside the repairs, after "
          + "a phase with the node dead and repairs paused (default: ${DEFAULT-VALUE})")
  private int users;

  @Option(names = "--user-reads", defaultValue = "60", paramLabel = "PER_SECOND",
      description = "Reads of 1 MiB, and as many of 64 KiB, that all users together begin in a "
          + "second (default: ${DEFAULT-VALUE})")
  private double readsPerSecond;

  @Option(names = "--idle", defaultValue = "20", paramLabel = "SECONDS",
      description = "How long users read while repairs are paused (default: ${DEFAULT-VALUE})")
  private int idleSeconds;

  @Override
  public Integer call() throws IOException, InterruptedException, TimeoutException {
    if (users < 0 || users > HdfsProcessCluster.CLIENT_PLACES_MAX || readsPerSecond <= 0
        || idleSeconds < 1) {
      throw new IllegalArgumentException("--users is " + users + " (at most "
          + HdfsProcessCluster.CLIENT_PLACES_MAX + "), --user-reads " + readsPerSecond
          + ", --idle " + idleSeconds);
    }
    NodeTrial trial = users == 0 ? new NodeDeath()
        : new NodeDeathBesideUsers(users, readsPerSecond, idleSeconds);
    return trials.run(trial, lostBlocks, spec.commandLine().getOut()) ? 0 : 1;
  }
}
