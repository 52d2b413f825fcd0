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

/**
 * What commits use of the package {@code update}: the terms, the file's attributes and the
 * DataNodes with logs. Immutable; the parts are thread-safe.
 */
@InterfaceAudience.Private
public final class CommitParts {
  private final TicketKeeper keeper;
  /** Looks up files and their attributes */
  public final UpdateNamespace namespace;
  private final LogNodes nodes;
  private final CommitLogs logs;

  /**
   * @param keeper has the terms of logs
   * @param namespace looks up files and their attributes
   * @param nodes the DataNodes with logs
   * @param logs sends requests to these DataNodes
   */
  public CommitParts(TicketKeeper keeper, UpdateNamespace namespace,
      LogNodes nodes, CommitLogs logs) {
    this.keeper = keeper;
    this.namespace = namespace;
    this.nodes = nodes;
    this.logs = logs;
  }

  /**
   * Makes the object that carries out the commits of this NameNode, and starts its thread, which
   * looks for files to commit.
   *
   * @param engine makes and publishes versions
   * @param settings the settings
   * @param hook is called when a commit reaches a point; see {@code VersionPoint}
   * @param ended is called with the status of each commit that has ended
   * @param services the list of this NameNode's threads, in which the new one is entered
   * @return the object; the caller closes it
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
