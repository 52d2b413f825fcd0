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

import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.hdfsppr.manage.CommandTarget;
import org.hdfsppr.manage.RepairResult;
import org.hdfsppr.manage.version.LinkCommand;
import org.hdfsppr.manage.version.MakeCommand;
import org.hdfsppr.plan.NodeRef;

/**
 * Decides where the units of one group are made, and from which blocks. {@link GroupMaking} takes
 * plans and commands from it, and carries them out. Used by one thread at a time.
 */
interface GroupRecipe {
  /**
   * Plans some units.
   *
   * @param wanted the units of the new group that are planned
   * @param taken the nodes of the other units of the new group, on which no further unit is placed
   * @param nodes which nodes have failed so far
   * @return the plan of these units
   * @throws VersionStopException if there is no such plan
   */
  MakePlan plan(Set<Integer> wanted, Collection<NodeRef> taken, NodeNotes nodes)
      throws VersionStopException;

  /**
   * Asks the NameNode again where the blocks are from which the units are made.
   *
   * @throws IOException if the NameNode does not answer this
   */
  void locate() throws IOException;

  /**
   * Returns the command that links units. Its result names a unit by its index in the list of
   * places.
   */
  LinkCommand link(String id, List<UnitPlace> places);

  /**
   * Returns the command that makes units. Its result names a unit by its index in the code of the
   * {@link Make}.
   */
  MakeCommand make(String id, Make make, List<CommandTarget> targets);

  /**
   * Takes note that blocks from which units are made contradict each other. Returns the exception
   * with which the making ends.
   */
  VersionStopException contradiction(RepairResult result);

  /** Returns whether digests of all units are wanted, by which the group can be checked. */
  boolean wantsDigests();

  /**
   * Returns what follows if a digest is missing: if true, the group is made anew; if false, its
   * units are read and checked. The answer stays the same once the orders of the group have begun.
   */
  default boolean needsDigests() {
    return false;
  }

  /**
   * Returns whether the nodes have to confirm that all units are on their disks. They have to if
   * the blocks that the group replaces are deleted soon; otherwise, the units reach the disks
   * before that.
   */
  boolean mustBeDurable();

  /** Returns a name of the group for messages, such as "the new version of blk_1". */
  String what();
}
