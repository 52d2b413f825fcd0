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
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.hdfsppr.coder.code.LinearCode;
import org.hdfsppr.manage.CommandTarget;
import org.hdfsppr.manage.RepairResult;
import org.hdfsppr.manage.ScrubFinding;
import org.hdfsppr.manage.version.LinkCommand;
import org.hdfsppr.manage.version.MakeCommand;
import org.hdfsppr.namenode.model.GroupPolicy;
import org.hdfsppr.plan.NoPlanException;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.UnitHolder;

/** Makes a group of a new version from the units of one group of the old version. */
final class VersionRecipe implements GroupRecipe {
  private final VersionContext context;
  private final EngineParts parts;
  private final GroupPolicy from;
  private final long oldInodeId;
  private final FileGroup old;
  private final FileGroup made;
  private final GroupCommands commands;
  private final boolean isFullyChecked;
  private final boolean mustBeDurable;
  private final boolean wantsDigests;
  /**
   * Null if there is no such proof: then the nodes that make units read and compare the units of
   * the old version.
   */
  private final OldProof proof;
  private OldUnits located;

  /**
   * @param code the code of the new version
   * @param file the file that is the old version
   * @param old a group of the old version
   * @param made the group of the new version that is made from it
   * @param located where the units of the old version are
   */
  VersionRecipe(VersionContext context, LinearCode code, VersionRequest request, TargetFile file,
      FileGroup old, FileGroup made, OldUnits located) throws IOException {
    this.context = context;
    this.parts = context.parts;
    this.from = file.facts.policy.code;
    this.oldInodeId = file.inodeId();
    this.old = old;
    this.made = made;
    this.commands = new GroupCommands(context, old, made);
    this.isFullyChecked = request.check == VerificationMode.FULL;
    // A short grace may end before the units are on the disks. If a snapshot has the file, the old
    // version is kept only by the snapshot, which may be deleted at any time.
    this.mustBeDurable = request.graceMs < PowerCutDurability.UNSAID_MS
        || file.facts.snapshotted;
    // Digests prove nothing for codes with sub-chunks.
    this.wantsDigests = isFullyChecked && code.subChunks() == 1;
    this.proof =
        wantsDigests && !request.readsOld ? new OldProof(context, from, old, made) : null;
    this.located = located;
  }

  @Override
  public void locate() throws IOException {
    located = OldUnits.locate(parts.store, parts.door, oldInodeId);
  }

  @Override
  public MakePlan plan(Set<Integer> wanted, Collection<NodeRef> taken, NodeNotes nodes)
      throws VersionStopException {
    // A node that has failed for this group, or does not know the orders for versions, is only read
    // from.
    List<UnitHolder> live = located.of(old.id).stream()
        .filter(holder -> context.unitBytes(old.bytes, holder.unit) > 0)
        .map(holder -> nodes.canWork(holder.node) ? holder : new UnitHolder(holder.unit,
            holder.node.withRepairPort(NodeRef.NO_REPAIR_PORT)))
        .collect(Collectors.toList());
    List<UnitHolder> believed = live.stream().filter(holder -> nodes.isRead(holder.node))
        .collect(Collectors.toList());
    try {
      return plan(believed, wanted, taken, nodes);
    } catch (NoPlanException e) {
      if (believed.size() == live.size()) {
        throw noPlan(live, nodes, e);
      }
    }
    try {
      return plan(live, wanted, taken, nodes);
    } catch (NoPlanException e) {
      throw noPlan(live, nodes, e);
    }
  }

  private MakePlan plan(List<UnitHolder> live, Set<Integer> wanted, Collection<NodeRef> taken,
      NodeNotes nodes) throws NoPlanException {
    List<NodeRef> spare = parts.door.workers().stream().filter(nodes::canWork)
        .collect(Collectors.toList());
    // Each group begins with another node, so that not all groups use the same ones.
    Collections.rotate(spare, Long.hashCode(made.id.groupId));
    MakePlan plan = parts.codes.plan(from, context.code,
        new OldGroup(old.bytes, context.code.cellBytes, live), spare, wanted, taken);
    if (proof != null) {
      proof.planned(plan, live);
    }
    return plan;
  }

  /** Returns the proof by digests that the units of the old version agree, if there may be one. */
  Optional<OldProof> proof() {
    return Optional.ofNullable(proof);
  }

  private VersionStopException noPlan(List<UnitHolder> live, NodeNotes nodes, NoPlanException e) {
    String sentence = what() + " cannot be made now: " + e.getMessage();
    if (!nodes.lastFailure().isEmpty()) {
      return new VersionStopException(VersionEnd.FAILED, sentence + "; before that: "
          + nodes.lastFailure());
    }
    int needed = GroupMaking.units(old.bytes, context.code) - context.code.parityUnits;
    boolean isLost = live.stream().map(holder -> holder.unit).distinct().count() < needed;
    return new VersionStopException(
        isLost ? RefusalReason.UNITS_LOST : RefusalReason.NO_NODES, sentence);
  }

  @Override
  public LinkCommand link(String id, List<UnitPlace> places) {
    return commands.link(id, places);
  }

  @Override
  public MakeCommand make(String id, Make make, List<CommandTarget> targets) {
    return commands.make(id, make, targets,
        isFullyChecked && (proof == null || !proof.covers(make)));
  }

  @Override
  public VersionStopException contradiction(RepairResult result) {
    return contradiction(result.toString());
  }

  /**
   * Reports to the repair manager that units of the old version contradict each other. Returns the
   * exception with which the making ends.
   */
  VersionStopException contradiction(String why) {
    parts.gate.doubt(old.id, ScrubFinding.NO_UNIT);
    return VersionStopException.forGood("the units of " + old.id + " contradict each other ("
        + why + "); the repair manager finds out which one is wrong; try again after that");
  }

  @Override
  public boolean wantsDigests() {
    return wantsDigests;
  }

  @Override
  public boolean needsDigests() {
    return proof != null && proof.isUsed();
  }

  @Override
  public boolean mustBeDurable() {
    return mustBeDurable;
  }

  @Override
  public String what() {
    return "the new version of " + old.id;
  }
}
