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

/**
 * A data unit of the block group whose parity unit a {@link PatchCommand} changes: on which
 * DataNode it is, and on which way its change comes. Immutable.
 */
@InterfaceAudience.Private
public final class PatchSource {
  /**
   * The value of {@code via} if the change goes directly to the DataNode that receives the command.
   */
  public static final int DIRECT = -1;

  /** The index of the data unit */
  public final int unit;
  /** The DataNode that has the data unit */
  public final NodeRef node;
  private final int via;
  /** The ranges whose changes come in sums with those of other units of the rack */
  public final NavigableMap<Long, Long> summed;
  /** The ranges whose changes the {@link PatchCommand#forwarder()} has */
  public final NavigableMap<Long, Long> forwarded;
  /** The ranges whose changes the {@link PatchCommand#collector()} has */
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
   * @param unit the index of a data unit without updates
   * @param node the DataNode that has the unit in the old version
   * @return the source
   */
  public static PatchSource unchanged(int unit, NodeRef node) {
    return new PatchSource(unit, node, DIRECT, Map.of(), Map.of(), Map.of(), null);
  }

  /**
   * Makes a source that has changed in at least one range.
   *
   * @param unit the index of the data unit
   * @param node the DataNode that has the unit in both versions
   * @param via the index of another changed unit of the rack, whose DataNode adds up the changes of
   *     both where both have changed; {@link #DIRECT} if no other DataNode adds up this change
   * @param summed the ranges whose changes come in sums
   * @param forwarded the ranges whose changes the command's forwarder has; none of them is in
   *     {@code summed}
   * @param collected the ranges whose changes the command's collector has; none of them is in
   *     {@code summed} or {@code forwarded}
   * @return the source
   */
  public static PatchSource changed(int unit, NodeRef node, int via, Map<Long, Long> summed,
      Map<Long, Long> forwarded, Map<Long, Long> collected) {
    return new PatchSource(unit, node, via, summed, forwarded, collected, null);
  }

  /**
   * @param part the updates of the unit, with the digest of their change
   * @return this source, whose change the receiving DataNode may also calculate from its own log
   * @throws IllegalArgumentException if the updates are those of another unit, if this unit has not
   *     changed, or if there is no digest, without which the DataNode could not find a wrong
   *     calculation
   */
  public PatchSource withLog(LogPart part) {
    if (part.ticket.unit.unit != unit || !isChanged() || part.digest.isEmpty()) {
      throw new IllegalArgumentException("unit " + unit + " with " + part);
    }
    return new PatchSource(unit, node, via, summed, forwarded, collected, part);
  }

  /** @return whether the unit has changed */
  public boolean isChanged() {
    return !summed.isEmpty() || !forwarded.isEmpty() || !collected.isEmpty();
  }

  /**
   * @return the index of another changed unit, whose DataNode adds up the changes of both; empty if
   *     there is none
   */
  public OptionalInt via() {
    return via == DIRECT ? OptionalInt.empty() : OptionalInt.of(via);
  }

  /**
   * @return the updates, if the receiving DataNode may calculate the unit's change from its own log
   *     and the old bytes that it has; empty if it may not. If it lacks some of these, the change
   *     comes summed, forwarded or collected
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
   * Parses a source in a command for a block group of {@code k} data units.
   *
   * @param most how many ranges each of the three ways may have
   * @param pool the block pool of the command
   * @throws IllegalArgumentException whose message names the wrong field
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
