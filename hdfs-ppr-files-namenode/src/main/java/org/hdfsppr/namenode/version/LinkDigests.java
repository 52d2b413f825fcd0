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
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import org.hdfsppr.plan.BlockRef;

/**
 * Asks for digests of units of one group once the units are linked or made. Reading a unit for its
 * digest takes minutes. If orders to link or make units included that, they would be given up when
 * their node becomes silent or busy in that time; so digests have orders of their own. If no digest
 * of one unit can come, the digests of the other units prove nothing, so that their orders are
 * cancelled. Used by one thread at a time.
 */
final class LinkDigests {
  /** The units of whose digests one node is asked. */
  private static final class Asked {
    private final String uuid;
    private final List<Integer> units;
    private final BlockDigests digests;

    Asked(String uuid, List<Integer> units, BlockDigests digests) {
      this.uuid = uuid;
      this.units = units;
      this.digests = digests;
    }
  }

  private final VersionContext context;
  private final GroupRecipe recipe;
  private final FileGroup made;
  private final DigestOrders asking;
  private final GroupDigests digests;
  private final List<Asked> open = new ArrayList<>();

  /** @param digests takes the digests */
  LinkDigests(VersionContext context, GroupRecipe recipe, FileGroup made, DigestOrders asking,
      GroupDigests digests) {
    this.context = context;
    this.recipe = recipe;
    this.made = made;
    this.asking = asking;
    this.digests = digests;
  }

  /**
   * Asks a node for digests of units that it has. Does nothing if the digest of another unit is
   * known to be missing.
   */
  void ask(String uuid, List<Integer> units) {
    if (units.isEmpty() || digests.lacking().isPresent()) {
      return;
    }
    List<BlockRef> blocks = units.stream().map(unit -> made.id.block(unit,
        context.unitBytes(made.bytes, unit))).collect(Collectors.toList());
    long now = context.parts.clockMs.getAsLong();
    Asked asked = new Asked(uuid, units, new BlockDigests(context, uuid, blocks, asking,
        recipe.needsDigests() ? BlockDigests.BUSY_MS_MAX : BlockDigests.UNNEEDED_MS_MAX, now));
    // From here on, this has a place in DigestSlots, which cancel() gives back.
    open.add(asked);
    asked.digests.advance(now);
  }

  /** Takes digests that have come, and asks nodes again if necessary. */
  void advance(long nowMs) {
    for (Asked asked : new ArrayList<>(open)) {
      asked.digests.advance(nowMs);
      if (asked.digests.isDone()) {
        open.remove(asked);
        for (int i = 0; i < asked.units.size(); i++) {
          digests.made(asked.units.get(i), asked.uuid, asked.digests.of(i));
          if (asked.digests.of(i) == null) {
            digests.lack(asked.units.get(i));
          }
        }
      }
    }
    if (digests.lacking().isPresent()) {
      cancel();
    }
  }

  /** Cancels the orders for the digests of these units, because the units are ordered again. */
  void forget(Collection<Integer> units) {
    for (Asked asked : new ArrayList<>(open)) {
      if (asked.units.stream().anyMatch(units::contains)) {
        asked.digests.cancel();
        open.remove(asked);
        ask(asked.uuid, asked.units.stream().filter(unit -> !units.contains(unit))
            .collect(Collectors.toList()));
      }
    }
  }

  /** Returns whether no further digest can come. */
  boolean isDone() {
    return open.isEmpty();
  }

  /** Cancels all orders. */
  void cancel() {
    open.forEach(asked -> asked.digests.cancel());
    open.clear();
  }
}
