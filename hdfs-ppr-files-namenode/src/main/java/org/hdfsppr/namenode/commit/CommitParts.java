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
package org.hdfsppr.namenode.commit;

import java.util.function.Consumer;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.util.Time;
import org.hdfsppr.namenode.update.LogNodes;
import org.hdfsppr.namenode.update.TicketKeeper;
import org.hdfsppr.namenode.update.look.UpdateNamespace;
import org.hdfsppr.namenode.version.VersionEngine;
import org.hdfsppr.namenode.version.VersionHook;
import org.hdfsppr.operate.CommitStatus;
import org.hdfsppr.service.Services;

/** The parts of updates that commits need. Immutable; the parts are thread-safe. */
@InterfaceAudience.Private
public final class CommitParts {
  private final TicketKeeper keeper;
  /** Looks at files */
  public final UpdateNamespace namespace;
  private final LogNodes nodes;
  private final CommitLogs logs;

  /**
   * @param keeper has the terms
   * @param namespace looks at files
   * @param nodes the DataNodes with logs
   * @param logs asks them
   */
  public CommitParts(TicketKeeper keeper, UpdateNamespace namespace,
      LogNodes nodes, CommitLogs logs) {
    this.keeper = keeper;
    this.namespace = namespace;
    this.nodes = nodes;
    this.logs = logs;
  }

  /**
   * Makes the commits of this NameNode, and starts their looks at files.
   *
   * @param engine makes versions
   * @param settings the settings
   * @param hook hears of the moments of commits
   * @param ended hears of commits that have ended
   * @param services shows whether files are looked at
   * @return the commits; the caller closes them
   */
  public CommitRunner commits(VersionEngine engine, CommitSettings settings, VersionHook hook,
      Consumer<CommitStatus> ended, Services services) {
    CommitRunner commits = new CommitRunner(new UpdateCollector(keeper, namespace, logs, hook,
            Time::monotonicNow),
        new LogTrimmer(keeper, namespace, nodes, logs, engine)::trim, engine, settings,
        hook, Time::monotonicNow, ended);
    keeper.whenUntrimmed(commits::wantTrim);
    keeper.whenGranted(commits::seen);
    keeper.whenRecorded(commits::recorded);
    commits.start(services);
    return commits;
  }
}
