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
package org.hdfsppr.manage;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.manage.proto.ManagerProtos.SelfReportProto;
import org.hdfsppr.wire.WireRules;

/**
 * What a DataNode says about itself in one heartbeat, so that the NameNode can compare nodes.
 * Immutable.
 */
@InterfaceAudience.Private
public final class SelfReport {
  /** The value of {@link #wallClockMs} if the node does not report its clock. */
  public static final long NO_CLOCK = -1;
  /**
   * How many nodes a heartbeat names as unreachable at most. A longer list would not help an
   * operator more.
   */
  public static final int UNREACHABLE_MAX = 64;
  /** The report of a node whose version is too old to send one. */
  public static final SelfReport NONE = new SelfReport(NO_CLOCK, null, List.of());

  /** The node's wall clock, ms since 1970 (UTC), or {@link #NO_CLOCK} */
  public final long wallClockMs;
  private final NodeSelf self;
  /** UUIDs of the DataNodes to whose repair port the node has recently failed to connect */
  public final List<String> unreachable;

  /**
   * @param wallClockMs the node's wall clock now, ms since 1970 (UTC), or {@link #NO_CLOCK}
   * @param self the part that changes only when the node starts again; null if the NameNode has it
   *     already
   * @param unreachable UUIDs of the DataNodes to whose repair port the node has recently failed to
   *     connect
   */
  public SelfReport(long wallClockMs, NodeSelf self, List<String> unreachable) {
    this.wallClockMs = wallClockMs;
    this.self = self;
    this.unreachable = List.copyOf(Objects.requireNonNull(unreachable, "unreachable"));
  }

  /** @return the part that changes only when the node starts again, if this heartbeat has it */
  public Optional<NodeSelf> self() {
    return Optional.ofNullable(self);
  }

  SelfReportProto toProto() {
    SelfReportProto.Builder builder = SelfReportProto.newBuilder();
    if (wallClockMs != NO_CLOCK) {
      builder.setWallClockMs(wallClockMs);
    }
    self().ifPresent(self -> builder.setSelf(self.toProto()));
    builder.addAllUnreachable(FieldRules.first(unreachable, UNREACHABLE_MAX));
    return builder.build();
  }

  /** @throws IllegalArgumentException naming the field that is wrong */
  static SelfReport parse(SelfReportProto proto) {
    FieldRules.atMost("unreachable", proto.getUnreachableCount(), UNREACHABLE_MAX);
    List<String> unreachable = new ArrayList<>();
    for (String uuid : proto.getUnreachableList()) {
      unreachable.add(WireRules.name("unreachable", uuid));
    }
    return new SelfReport(proto.hasWallClockMs()
        ? WireRules.within("wall_clock_ms", proto.getWallClockMs(), 0, Long.MAX_VALUE)
        : NO_CLOCK,
        proto.hasSelf() ? NodeSelf.parse(proto.getSelf()) : null, unreachable);
  }

  @Override
  public String toString() {
    return "clock " + wallClockMs + ", unreachable " + unreachable
        + (self == null ? "" : ", " + self);
  }
}
