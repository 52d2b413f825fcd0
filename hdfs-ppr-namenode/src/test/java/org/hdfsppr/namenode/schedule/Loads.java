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
package org.hdfsppr.namenode.schedule;

import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.namenode.schedule.LinkOrDisk.Kind;

/** Makes loads of single places, for tests of other packages. */
@InterfaceAudience.Private
public final class Loads {
  private Loads() {
  }

  /** Returns a load of this kind for the node with this index. */
  public static RepairLoad of(int node, Kind kind, long bytes) {
    RepairLoad.Builder load = new RepairLoad.Builder();
    load.add(LinkOrDisk.of(node, kind), bytes);
    return load.build(new int[] {node}, new int[0]);
  }
}
