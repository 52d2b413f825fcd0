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
 * Decides of what, and where, the units of one group are made. {@link GroupMaking} takes plans and
 * commands from it, and carries them out. Used by one thread.
 */
interface GroupRecipe {
  /**
   * Plans some units.
   *
   * @param wanted units of the new group
   * @param taken the nodes of its other units, on which nothing is placed
   * @param nodes what was seen of the nodes so far
   * @return the plan of these units
   * @throws VersionStopException if there is none
   */
  MakePlan plan(Set<Integer> wanted, Collection<NodeRef> taken, NodeNotes nodes)
      throws VersionStopException;

  /**
   * Looks up again where the blocks are of which the units are made.
   *
   * @throws IOException if the NameNode does not answer this
   */
  void locate() throws IOException;

  /** Returns the order that links units; results name them by their indices in the list. */
  LinkCommand link(String id, List<UnitPlace> places);

  /**
   * Returns the order that makes units; results name them by their indices in the making's code.
   */
  MakeCommand make(String id, Make make, List<CommandTarget> targets);

  /**
   * Notes that blocks of which units are made contradict each other; returns what ends the making.
   */
  VersionStopException contradiction(RepairResult result);

  /** Returns whether digests of all units are wanted, which can prove the group. */
  boolean wantsDigests();

  /**
   * Returns whether the group has to be made anew if a digest is missing; otherwise, its units are
   * then read and checked. Constant once the orders of the group have begun.
   */
  default boolean needsDigests() {
    return false;
  }

  /**
   * Returns whether the nodes have to confirm that all units are on their disks, because something
   * that the group replaces is deleted soon. Otherwise the units reach the disks before that.
   */
  boolean mustBeDurable();

  /** Returns what is made, for sentences: "the new version of blk_1". */
  String what();
}
