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
package org.hdfsppr.namenode.version;

import java.util.List;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.coder.convert.Conversion;
import org.hdfsppr.plan.Holder;

/** Decides how the units of a new version that cannot be linked are made. Pure. */
@InterfaceAudience.Private
@FunctionalInterface
public interface MakePlans {
  /**
   * @param conversion the way from the old code to the new one
   * @param holders the old units, as indices of the old code, and their live nodes
   * @param targets the units to make, as indices of the new code, and their nodes
   * @param unitBytes length of a parity unit, bytes
   * @return trees that make all these units, each unit in one of them
   * @throws IllegalArgumentException if the holders do not suffice; the message says so
   */
  List<MakeTree> plan(Conversion conversion, List<Holder> holders, List<Holder> targets,
      long unitBytes);

  /** @return makes all units of a group in one tree */
  static MakePlans oneTree() {
    return new OneTree();
  }
}
