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
package org.hdfsppr.it.cluster;

import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;

/** One internal block of a block group, on one node. */
@InterfaceAudience.Private
public final class Unit {
  public final int index;
  public final ExtendedBlock block;
  public final DatanodeInfo location;
  public final int node;

  Unit(int index, ExtendedBlock block, DatanodeInfo location, int node) {
    this.index = index;
    this.block = block;
    this.location = location;
    this.node = node;
  }

  @Override
  public String toString() {
    return "unit " + index + " (" + block.getLocalBlock() + ") on dn" + node;
  }
}
