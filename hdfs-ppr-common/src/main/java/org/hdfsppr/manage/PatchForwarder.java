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
package org.hdfsppr.manage;

import java.util.Objects;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.plan.NodeRef;

/**
 * The node of a parity unit that gets changes of data units as they are, and keeps them for the
 * other parity units of its rack. Immutable.
 */
@InterfaceAudience.Private
public final class PatchForwarder {
  private final int unit;
  private final NodeRef node;

  /**
   * @param unit the parity unit
   * @param node its node
   */
  public PatchForwarder(int unit, NodeRef node) {
    this.unit = unit;
    this.node = Objects.requireNonNull(node, "node");
  }

  /** @return the parity unit */
  public int unit() {
    return unit;
  }

  /** @return its node */
  public NodeRef node() {
    return node;
  }

  @Override
  public String toString() {
    return unit + "@" + node;
  }
}
