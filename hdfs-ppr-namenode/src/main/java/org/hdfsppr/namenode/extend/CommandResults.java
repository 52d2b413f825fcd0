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
package org.hdfsppr.namenode.extend;

import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.manage.OldReads;
import org.hdfsppr.manage.RepairResult;
import org.hdfsppr.plan.NodeRef;

/**
 * Takes the results of commands about versions of files, which are neither repairs nor checks. The
 * threads that answer heartbeats call this, and are never blocked. Thread-safe.
 */
@InterfaceAudience.Private
public interface CommandResults {
  /**
   * The start of all ids of these commands. A DataNode that does not know these commands refuses
   * them without {@link RepairResult#version}, and such a refusal is found by its id.
   */
  String ID_PREFIX = "version-";
  /**
   * Drops all results, for a NameNode that gives no such commands. The DataNodes must be free to
   * forget them: another NameNode may have given the commands before a failover, and the DataNodes
   * would repeat the results for ever.
   */
  CommandResults NONE = (uuid, result) -> true;

  /**
   * @param result a result that a DataNode reports
   * @return whether it is the result or the refusal of a command about versions
   */
  default boolean isMine(RepairResult result) {
    return result.version != null || result.repairId.startsWith(ID_PREFIX);
  }

  /**
   * Takes a result. DataNodes repeat a result until it is acknowledged, so that this method may get
   * it several times.
   *
   * @param uuid the DataNode that reports it
   * @param result the result; {@link RepairResult#version} is null if the DataNode did not try the
   *     command, or did not understand it
   * @return whether the DataNode may forget the result; false if it has to repeat it, because too
   *     many results wait here
   */
  boolean tell(String uuid, RepairResult result);

  /**
   * Takes a DataNode's report about clients that read old versions of files.
   *
   * @param node the DataNode that reports it
   * @param reads the reads that its heartbeat lists
   * @return whether the node's next heartbeat has to list all of these reads
   */
  default boolean hear(NodeRef node, OldReads reads) {
    return false;
  }
}
