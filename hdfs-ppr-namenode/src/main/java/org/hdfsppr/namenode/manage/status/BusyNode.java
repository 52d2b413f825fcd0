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
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.plan.NodeRef;

/** A DataNode whose link or disks have much to do for repairs. Immutable. */
@InterfaceAudience.Private
public final class BusyNode {
  /** The DataNode */
  public final NodeRef node;
  /** For how long the repairs under way keep its busiest link or its disks busy, s */
  public final double seconds;

  public BusyNode(NodeRef node, double seconds) {
    this.node = Objects.requireNonNull(node, "node");
    this.seconds = seconds;
  }
}
