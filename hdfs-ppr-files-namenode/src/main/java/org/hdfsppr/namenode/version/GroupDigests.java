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
 * satisfy the relations of the group's code, which did not serve to make them; no unit has to cross
 * a network link again for that. A digest is that of one replica: it says nothing about a replica
 * of the same unit on another node. Used by one thread.
 */
final class GroupDigests {
  private static final long GOLDEN_RATIO = 0x9e3779b97f4a7c15L;

  private final GroupId group;
  private boolean areFolded;
  private final Map<Integer, Integer> digests = new HashMap<>();
  /** By unit, the UUID of the node that has sent the digest. */
  private final Map<Integer, String> nodes = new HashMap<>();
  /** A unit for which no DataNode sends a digest; null if none is known. */
  private Integer lacking;

  GroupDigests(GroupId group) {
    this.group = group;
  }

  /**
   * Chooses the folded form. Has to be called before any digest is asked for, and only if all nodes
   * that are to send digests know this form.
   */
  void fold() {
    areFolded = true;
  }

  /** Returns the key of all digests of the group. */
  DigestKey key() {
    return DigestKey.of(seed(), areFolded);
  }

  /**
   * Returns the seed of all digests of the group. Each group has a seed of its own, so that an
   * error that one seed hides shows with another. The generator of factors adds the golden ratio to
   * its seed for each factor: without the mixing here, neighbouring groups would have the same
   * factors, in other places.
   */
  long seed() {
    return new SplittableRandom(group.groupId * GOLDEN_RATIO + group.generationStamp)
        .nextLong();
  }

  /**
   * Takes the digest of a unit that a node has just made.
   *
   * @param uuid the UUID of the node
   * @param digest the digest; null if the node has sent none
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
   * Notes that no digest of a unit can come. From then on nothing waits for the digests of the
   * other units, which show nothing without it, even if the unit is made once more.
   */
  void lack(int unit) {
    if (lacking == null) {
      lacking = unit;
    }
  }

  /** Returns a unit for which no DataNode sends a digest; empty if none is known. */
  Optional<Integer> lacking() {
    return Optional.ofNullable(lacking);
  }

  /** Returns the digest of a unit; null if it has none. */
  Integer of(int unit) {
    return digests.get(unit);
  }

  /**
   * Returns whether digests can show that the group is right.
   *
   * @param code the group's code
   * @param holders where the units that have bytes are, each of them once
   */
  boolean suffice(LinearCode code, List<UnitHolder> holders) {
    return code.subChunks() == 1 && digests.size() == holders.size() && holders.stream()
        .allMatch(holder -> holder.node.uuid.equals(nodes.get(holder.unit)));
  }

  /** Returns whether the units satisfy all relations; only if digests {@link #suffice}. */
  boolean agree(LinearCode code) {
    return LinearDigest.agree(code, digests);
  }
}
