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

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.hdfsppr.coder.code.LinearCode;
import org.hdfsppr.digest.DigestKey;
import org.hdfsppr.digest.LinearDigest;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.UnitHolder;

/**
 * The digests that DataNodes have computed of the units of one group. They show whether the units
 * satisfy all equations of the group's code, including those that were not used to calculate the
 * units. No unit has to cross the network again for that. A digest is that of one replica, and says
 * nothing about a replica of the same unit on another node. Used by one thread at a time.
 */
final class GroupDigests {
  private static final long GOLDEN_RATIO = 0x9e3779b97f4a7c15L;

  private final GroupId group;
  private boolean areFolded;
  private final Map<Integer, Integer> digests = new HashMap<>();
  /** The UUID of the node that has sent the digest, for each unit with a digest. */
  private final Map<Integer, String> nodes = new HashMap<>();
  /** A unit of which no DataNode sends a digest; null if no such unit is known. */
  private Integer lacking;

  GroupDigests(GroupId group) {
    this.group = group;
  }

  /**
   * Chooses the folded form of digests. The caller calls this before it asks for any digest, and
   * only if all nodes that are to send digests know this form.
   */
  void fold() {
    areFolded = true;
  }

  /** Returns the key of all digests of the group. */
  DigestKey key() {
    return DigestKey.of(seed(), areFolded);
  }

  /**
   * Returns the seed of all digests of the group. Each group has its own seed, so that an error
   * which the digests of one group cannot show is visible in those of another. The generator of the
   * digests' factors adds the golden ratio to its seed for each factor. If this method did not mix
   * the seed, groups with neighbouring ids would have the same factors at other positions.
   */
  long seed() {
    return new SplittableRandom(group.groupId * GOLDEN_RATIO + group.generationStamp)
        .nextLong();
  }

  /**
   * Takes the digest of a unit that a node has just made.
   *
   * @param uuid the UUID of the node
   * @param digest the digest; null if the node has sent none, which removes an earlier one
   */
  void made(int unit, String uuid, Integer digest) {
    if (digest == null) {
      digests.remove(unit);
      nodes.remove(unit);
    } else {
      digests.put(unit, digest);
      nodes.put(unit, uuid);
    }
  }

  /**
   * Notes that no digest of a unit can come. From then on, nothing waits for digests of the other
   * units, which prove nothing without this one. That stays so even if the unit is made once more.
   */
  void lack(int unit) {
    if (lacking == null) {
      lacking = unit;
    }
  }

  /** Returns a unit of which no DataNode sends a digest; empty if no such unit is known. */
  Optional<Integer> lacking() {
    return Optional.ofNullable(lacking);
  }

  /** Returns the digest of a unit; null if it has none. */
  Integer of(int unit) {
    return digests.get(unit);
  }

  /**
   * Returns whether there are digests of all units of the group, from the nodes that have the units
   * now.
   *
   * @param code the group's code
   * @param holders where the units that have bytes are, each of them once
   */
  boolean suffice(LinearCode code, List<UnitHolder> holders) {
    return code.subChunks() == 1 && digests.size() == holders.size() && holders.stream()
        .allMatch(holder -> holder.node.uuid.equals(nodes.get(holder.unit)));
  }

  /**
   * Returns whether the units satisfy all equations of the code. Only if the digests {@link
   * #suffice}.
   */
  boolean agree(LinearCode code) {
    return LinearDigest.agree(code, digests);
  }
}
