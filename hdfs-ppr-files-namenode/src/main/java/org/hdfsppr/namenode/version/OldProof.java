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
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.hdfsppr.coder.code.LinearCode;
import org.hdfsppr.coder.convert.Conversion;
import org.hdfsppr.digest.LinearDigest;
import org.hdfsppr.namenode.model.GroupPolicy;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.UnitHolder;

/**
 * Proves by digests that the units of one group of an old version satisfy the equations of their
 * code, so that no node has to read all of them before it makes units of the new version.
 *
 * <pre>
 *   old unit               digest
 *   data                   that of the unit of the new version that has the same bytes
 *   parity that is linked  that of the unit of the new version that is linked to it
 *   any other parity       of the old unit itself: its node reads it where it lies
 * </pre>
 *
 * <p>So the proof shows that the data units of the new version fit the old parity units. The
 * digests come only after the new units are made, so that a node may have made them from a wrong
 * unit. But the new units count only if digests also show that they satisfy the equations of the
 * new code. If the data units are right, only right parity units satisfy them. Used by one thread
 * at a time.
 */
final class OldProof {
  private final VersionContext context;
  private final EngineParts parts;
  private final LinearCode code;
  private final Conversion conversion;
  private final FileGroup old;
  private final FileGroup made;
  private final NodeNotes nodes;
  /** Only the key of the digests is used; no digest is put in here. */
  private final GroupDigests keys;
  private final DigestOrders asking;
  /**
   * Old units of whose bytes the new version has no linked unit, so that they are read for their
   * digests.
   */
  private final List<Witness> witnesses = new ArrayList<>();
  /**
   * The makings for which this proof replaces a check of all old units; empty if such a proof is
   * not possible.
   */
  private final Set<Make> makes = new HashSet<>();
  private boolean isBegun;
  private boolean isUsed;

  /** An old unit that its node reads on its own disk for a digest. */
  private final class Witness {
    private final int unit;
    private final NodeRef node;
    /** Null until the node is asked for the digest. */
    private BlockDigests asked;

    Witness(int unit, NodeRef node) {
      this.unit = unit;
      this.node = node;
    }

    void ask(long now) {
      asked = new BlockDigests(context, node.uuid,
          List.of(old.id.block(unit, length(unit))), asking, BlockDigests.BUSY_MS_MAX, now);
      asked.advance(now);
    }
  }

  /**
   * @param from the policy of the old version
   * @param old the group of the old version
   * @param made the group of the new version that is made from it
   */
  OldProof(VersionContext context, GroupPolicy from, FileGroup old, FileGroup made)
      throws IOException {
    this.context = context;
    this.parts = context.parts;
    this.code = parts.codes.code(from);
    this.conversion = parts.codes.conversion(from, context.code);
    this.old = old;
    this.made = made;
    this.nodes = new NodeNotes(parts.door);
    // Digests can be compared only if they have one key, so that old units get the key of the new
    // group. There is a proof only if all nodes send digests, in the folded form.
    this.keys = new GroupDigests(made.id);
    keys.fold();
    this.asking = new DigestOrders(true, keys, context.nodeBytesPerSecond());
  }

  private long length(int unit) {
    return context.unitBytes(old.bytes, unit);
  }

  /**
   * Returns the unit of the new version that has the same bytes as this old unit, if there is one.
   */
  private Optional<Integer> same(int unit) {
    return IntStream.range(0, conversion.to().units()).boxed()
        .filter(other -> conversion.linkedFrom(other) == unit).findFirst();
  }

  /**
   * Takes the first plan of the whole group; a later call before {@link #begin} replaces it. Units
   * that are planned after that have failed once. The nodes that make them read and compare all old
   * units, as if there were no proof.
   *
   * @param live where the units of the old group are
   */
  void planned(MakePlan plan, List<UnitHolder> live) {
    if (isBegun) {
      return;
    }
    witnesses.clear();
    makes.clear();
    if (isPossible(plan, live)) {
      makes.addAll(plan.makes);
    }
  }

  /**
   * Returns whether a proof is possible, and lists the old units that are read for it. It is
   * possible if all old units exist, all units of the new version that have the same bytes as old
   * ones are links to them, and all nodes of both groups send digests. A new unit that was made
   * from others, and not linked, proves nothing about the old unit.
   */
  private boolean isPossible(MakePlan plan, List<UnitHolder> live) {
    Set<Integer> linked = plan.places.stream().filter(UnitPlace::isLink)
        .map(place -> place.linkedFrom).collect(Collectors.toSet());
    boolean isPossible = code.subChunks() == 1 && !parts.gate.isDoubted(old.id)
        && plan.places.stream().allMatch(place -> sendsDigests(place.node));
    for (int unit = 0; isPossible && unit < code.units(); unit++) {
      if (length(unit) == 0 || linked.contains(unit)) {
        continue;
      }
      int witness = unit;
      Optional<NodeRef> node = live.stream().filter(holder -> holder.unit == witness)
          .map(holder -> holder.node).filter(this::sendsDigests).findFirst();
      isPossible = same(unit).isEmpty() && node.isPresent();
      node.ifPresent(known -> witnesses.add(new Witness(witness, known)));
    }
    return isPossible;
  }

  private boolean sendsDigests(NodeRef node) {
    return nodes.canWork(node) && parts.door.sendsDigests(node.uuid);
  }

  /**
   * Asks for the digests of old units, if a proof is possible.
   *
   * @param made takes the digests of the new version. If their form differs from that of the old
   *     units, because a node has become silent since the plan, there is no proof
   */
  void begin(GroupDigests made) {
    isBegun = true;
    isUsed = !makes.isEmpty() && made.key().equals(keys.key());
    if (isUsed) {
      witnesses.forEach(witness -> witness.ask(parts.clockMs.getAsLong()));
    }
  }

  /** Returns whether the nodes that make these units need not read and compare all old units. */
  boolean covers(Make make) {
    return isUsed && makes.contains(make);
  }

  /**
   * Returns whether the old group is proven by digests, and not by nodes that read all of its
   * units.
   */
  boolean isUsed() {
    return isUsed;
  }

  /** Takes the results of orders for digests, and gives orders again if necessary. */
  void advance() {
    if (isUsed) {
      witnesses.forEach(witness -> witness.asked.advance(parts.clockMs.getAsLong()));
    }
  }

  /**
   * Ends the making of the group as soon as a digest that the proof needs cannot come. To wait for
   * other digests would only delay the next try to make the file.
   *
   * @param digests the digests of the new version
   */
  void checkAllMayCome(GroupDigests digests) throws VersionStopException {
    if (!isUsed) {
      return;
    }
    if (digests.lacking().isPresent()) {
      throw lacking("unit " + digests.lacking().get() + " of " + made.id);
    }
    for (Witness witness : witnesses) {
      if (witness.asked.isDone() && witness.asked.of(0) == null) {
        throw lacking(witness);
      }
    }
  }

  /** Returns whether no further digest can come. */
  boolean isDone() {
    return !isUsed || witnesses.stream().allMatch(witness -> witness.asked.isDone());
  }

  /** Cancels all orders that have not ended. */
  void cancel() {
    witnesses.stream().filter(witness -> witness.asked != null)
        .forEach(witness -> witness.asked.cancel());
  }

  /**
   * Returns whether the digests of the old units satisfy all equations of the old code.
   *
   * @param digests the digests of the new version
   * @throws VersionStopException if a digest is missing, so that the version has to be made anew
   */
  boolean agree(GroupDigests digests) throws VersionStopException {
    if (!digests.key().equals(keys.key())) {
      throw new VersionStopException(VersionEnd.FAILED, "a DataNode of " + made.id + " stopped to"
          + " send digests while it was made; the next try reads all units of the old version");
    }
    for (int unit = 0; unit < conversion.to().units(); unit++) {
      if (length(unit) > 0 && digests.of(unit) == null) {
        throw lacking("unit " + unit + " of " + made.id);
      }
    }
    Map<Integer, Integer> all = new HashMap<>();
    for (int unit = 0; unit < code.units(); unit++) {
      Optional<Integer> same = same(unit);
      if (length(unit) > 0 && same.isPresent()) {
        all.put(unit, digests.of(same.get()));
      }
    }
    for (Witness witness : witnesses) {
      Integer digest = witness.asked.of(0);
      if (digest == null) {
        throw lacking(witness);
      }
      all.put(witness.unit, digest);
    }
    return LinearDigest.agree(code, all);
  }

  private VersionStopException lacking(Witness witness) {
    return lacking("unit " + witness.unit + " of " + old.id);
  }

  private static VersionStopException lacking(String unit) {
    return new VersionStopException(VersionEnd.FAILED, "no DataNode has sent a digest of " + unit
        + ", without which the old version is not known to be right; the next try reads all of its"
        + " units");
  }
}
