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
package org.hdfsppr.manage.version;

import java.util.Collections;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.manage.FieldRules;
import org.hdfsppr.manage.version.proto.VersionProtos.PatchSourceProto;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.wire.WireRules;

/** A data unit that a parity unit is made of, and the node that has it. Immutable. */
@InterfaceAudience.Private
public final class PatchSource {
  /** Stands for the node of the command. */
  public static final int DIRECT = -1;

  /** The data unit */
  public final int unit;
  /** The node that has it */
  public final NodeRef node;
  private final int via;
  /** The ranges whose changes are in sums */
  public final NavigableMap<Long, Long> summed;
  /** The ranges whose changes the command's forwarder has */
  public final NavigableMap<Long, Long> forwarded;
  /** The ranges whose changes the command's collector has */
  public final NavigableMap<Long, Long> collected;
  private final LogPart log;

  private PatchSource(int unit, NodeRef node, int via, Map<Long, Long> summed,
      Map<Long, Long> forwarded, Map<Long, Long> collected, LogPart log) {
    this.log = log;
    this.unit = unit;
    this.node = Objects.requireNonNull(node, "node");
    this.via = via;
    this.summed = Collections.unmodifiableNavigableMap(new TreeMap<>(summed));
    this.forwarded = Collections.unmodifiableNavigableMap(new TreeMap<>(forwarded));
    this.collected = Collections.unmodifiableNavigableMap(new TreeMap<>(collected));
  }

  /**
   * @param unit a data unit without updates
   * @param node the node that has it in the old version
   * @return the source
   */
  public static PatchSource unchanged(int unit, NodeRef node) {
    return new PatchSource(unit, node, DIRECT, Map.of(), Map.of(), Map.of(), null);
  }

  /**
   * Makes a source with updates, in one range at least.
   *
   * @param unit the data unit
   * @param node the node that has it in both versions
   * @param via the changed unit at whose node sums of the rack are made, if that one has changed
   *     at the same bytes; {@link #DIRECT} if that is this one, or if there is none
   * @param summed the ranges whose changes are in sums
   * @param forwarded the ranges whose changes the command's forwarder has, none of them summed
   * @param collected the ranges whose changes the command's collector has, none of them on another
   *     way
   * @return the source
   */
  public static PatchSource changed(int unit, NodeRef node, int via, Map<Long, Long> summed,
      Map<Long, Long> forwarded, Map<Long, Long> collected) {
    return new PatchSource(unit, node, via, summed, forwarded, collected, null);
  }

  /**
   * @param part the updates of the unit, with the digest of their change
   * @return this source, whose change the node of the command may calculate from its own log
   * @throws IllegalArgumentException if these are updates of another unit, or of none, or if they
   *     have no digest, by which the node sees that a calculated change is wrong
   */
  public PatchSource withLog(LogPart part) {
    if (part.ticket.unit.unit != unit || !isChanged() || part.digest.isEmpty()) {
      throw new IllegalArgumentException("unit " + unit + " with " + part);
    }
    return new PatchSource(unit, node, via, summed, forwarded, collected, part);
  }

  /** @return whether it has updates */
  public boolean isChanged() {
    return !summed.isEmpty() || !forwarded.isEmpty() || !collected.isEmpty();
  }

  /** @return the changed unit at whose node sums of the rack are made, if that is another one */
  public OptionalInt via() {
    return via == DIRECT ? OptionalInt.empty() : OptionalInt.of(via);
  }

  /**
   * @return the updates, if the node of the command may calculate the change of the unit from its
   *     own log and the old bytes that it has; without these, the change is on its other ways
   */
  public Optional<LogPart> log() {
    return Optional.ofNullable(log);
  }

  PatchSourceProto toProto() {
    PatchSourceProto.Builder proto = PatchSourceProto.newBuilder()
        .setUnit(unit)
        .setNode(WireRules.toProto(node))
        .setChanged(isChanged());
    via().ifPresent(proto::setVia);
    log().ifPresent(part -> proto.setLog(part.toProto()));
    summed.forEach((from, to) -> proto.addSummedBegins(from).addSummedLengths(to - from));
    forwarded.forEach((from, to) -> proto.addForwardedBegins(from).addForwardedLengths(to - from));
    collected.forEach((from, to) -> proto.addCollectedBegins(from).addCollectedLengths(to - from));
    return proto.build();
  }

  /**
   * Reads a source of a command for one of {@code k} data units.
   *
   * @param most the most ranges of each way
   * @param pool the block pool of the command
   * @throws IllegalArgumentException naming the field that is wrong
   */
  static PatchSource parse(PatchSourceProto proto, int k, int most, String pool) {
    int unit = WireRules.within("unit", proto.getUnit(), 0, k - 1);
    NodeRef node = FieldRules.node(proto.getNode());
    PatchSource read = proto.getChanged() ? changed(unit, node,
        proto.hasVia() ? WireRules.within("via", proto.getVia(), 0, k - 1) : DIRECT,
        FieldRules.ranges("summed", most, proto.getSummedBeginsList(),
            proto.getSummedLengthsList()),
        FieldRules.ranges("forwarded", most, proto.getForwardedBeginsList(),
            proto.getForwardedLengthsList()),
        FieldRules.ranges("collected", most, proto.getCollectedBeginsList(),
            proto.getCollectedLengthsList())) : unchanged(unit, node);
    if (read.isChanged() != proto.getChanged()) {
      throw new IllegalArgumentException("unit " + unit + " has changed in no range");
    }
    if (!proto.getChanged() && (proto.hasVia() || proto.getSummedBeginsCount()
        + proto.getForwardedBeginsCount() + proto.getCollectedBeginsCount() > 0)) {
      throw new IllegalArgumentException("unit " + unit + " has ranges and has not changed");
    }
    if (!proto.hasLog()) {
      return read;
    }
    LogPart log = LogPart.parse(proto.getLog());
    if (!log.ticket.poolId().equals(pool)) {
      throw new IllegalArgumentException("unit " + unit + " has " + log + " of pool "
          + log.ticket.poolId());
    }
    return read.withLog(log);
  }

  @Override
  public String toString() {
    String way = via == DIRECT ? "" : " via " + via;
    return unit + "@" + node + (isChanged() ? " changed" + way + " in " + summed.size() + "+"
        + forwarded.size() + "+" + collected.size() + " ranges" : "");
  }
}
