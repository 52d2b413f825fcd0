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
package org.hdfsppr.namenode.manage.status;

import java.util.Objects;
import java.util.Optional;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.manage.NodeLoad;

/** What this project's plugin on one DataNode says in its heartbeats. Immutable. */
@InterfaceAudience.Private
public final class ExtensionStatus {
  /** The node's own traffic, disks and rates, as of its last heartbeat */
  public final NodeLoad load;
  /** When its last heartbeat came, monotonic, ms */
  public final long heardMs;
  private final String software;
  private final String kernel;

  /**
   * @param load the node's load, as of its last heartbeat
   * @param heardMs when its last heartbeat came, monotonic, ms
   * @param software the version of this project's plugin, or null if the node does not say
   * @param kernel the name of the routine with which the node multiplies in the finite field of the
   *     codes, or null if the node does not say
   */
  public ExtensionStatus(NodeLoad load, long heardMs, String software, String kernel) {
    this.load = Objects.requireNonNull(load, "load");
    this.heardMs = heardMs;
    this.software = software;
    this.kernel = kernel;
  }

  /** @return the version of this project's plugin; empty if the node does not say */
  public Optional<String> software() {
    return Optional.ofNullable(software);
  }

  /**
   * @return the name of the routine with which the node multiplies in the finite field of the
   *     codes; empty if the node does not say
   */
  public Optional<String> kernel() {
    return Optional.ofNullable(kernel);
  }
}
