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

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.hdfsppr.manage.CommandTarget;
import org.hdfsppr.manage.RepairCommand;
import org.hdfsppr.manage.version.LinkCommand;
import org.hdfsppr.manage.version.MakeCommand;
import org.hdfsppr.plan.BlockRef;

/** Creates the commands for one group of a new version. Immutable. */
final class GroupCommands {
  /**
   * How long a command that links units may take, ms. A link takes milliseconds, but a node that
   * cannot link copies instead, which takes a minute.
   */
  static final long LINK_MS_MAX = 300_000;
  /**
   * How long a making may take in addition to the time that its rate needs, ms. It is long, because
   * repairs at the same nodes go first.
   */
  private static final long MAKE_MS_EXTRA = 1_800_000;

  private final VersionContext context;
  private final FileGroup old;
  private final FileGroup made;

  GroupCommands(VersionContext context, FileGroup old, FileGroup made) {
    this.context = context;
    this.old = old;
    this.made = made;
  }

  private long length(int unit) {
    return context.unitBytes(old.bytes, unit);
  }

  /**
   * Creates the command that links units on the node that holds the old ones. Its result names a
   * unit by its index in the list of places.
   */
  LinkCommand link(String id, List<UnitPlace> places) {
    List<LinkCommand.Link> links = new ArrayList<>();
    for (UnitPlace place : places) {
      links.add(new LinkCommand.Link(old.id.block(place.linkedFrom, length(place.unit)),
          made.id.block(place.unit, length(place.unit))));
    }
    return new LinkCommand(id, context.term, links, LINK_MS_MAX).watchingOld();
  }

  /**
   * Creates the command that makes units. Its result names a unit by its index in the code of the
   * {@link Make}.
   *
   * <p>A node that copies a unit has nothing to check it with. Its copy is checked with the other
   * units of the new group, and the nodes that make these also read the unit that is copied.
   *
   * @param readsAll whether the making node reads all units that it can, and checks every byte,
   *     unless it copies a unit
   */
  MakeCommand make(String id, Make make, List<CommandTarget> targets, boolean readsAll) {
    RepairCommand work = new RepairCommand(RepairCommand.of(id, context.term, made.id, made.bytes)
        .setCodec(make.codec).setDataUnits(make.dataUnits).setParityUnits(make.parityUnits())
        .setCellBytes(context.code.cellBytes).setTopology(make.topology)
        .setByDecoding(make.byDecoding)
        .setDoubted(!make.isCopy() && (readsAll || context.parts.gate.isDoubted(old.id)))
        .setDeadlineMs(makeDeadlineMs(context, old.bytes)), blocks(make), make.helpers, targets);
    return new MakeCommand(work, context.nodeBytesPerSecond());
  }

  /**
   * Returns how long a making of units of a group may take, ms. The time includes digests: a node
   * that is asked for them also reads the units that it has made, while it reads for other orders
   * at the same time.
   */
  static long makeDeadlineMs(VersionContext context, long groupBytes) {
    return Math.min(RepairCommand.DEADLINE_MS_MAX, MAKE_MS_EXTRA
        + (1 + DigestOrders.READ_AT_A_TIME) * 1_000
            * context.unitBytes(groupBytes, context.code.dataUnits)
            / context.nodeBytesPerSecond());
  }

  private List<BlockRef> blocks(Make make) {
    return make.slots.stream().map(slot -> (slot.isNew ? made : old).id
        .block(slot.unit, length(slot.unit))).collect(Collectors.toList());
  }
}
