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
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.manage.proto.ManagerProtos.SelfReportProto;
import org.hdfsppr.wire.Door;

/** Converts a {@link SelfReport} into a message and back. */
@InterfaceAudience.Private
final class SelfReportCodec {
  private SelfReportCodec() {
  }

  static SelfReportProto toProto(SelfReport report) {
    SelfReportProto.Builder builder = SelfReportProto.newBuilder();
    if (report.wallClockMs != SelfReport.NO_CLOCK) {
      builder.setWallClockMs(report.wallClockMs);
    }
    report.self().ifPresent(self -> builder.setSelf(NodeSelfCodec.toProto(self)));
    builder.addAllUnreachable(Fields.first(report.unreachable, SelfReport.UNREACHABLE_MAX));
    return builder.build();
  }

  /** @throws IllegalArgumentException naming the field that is wrong */
  static SelfReport parse(SelfReportProto proto) {
    Fields.atMost("unreachable", proto.getUnreachableCount(), SelfReport.UNREACHABLE_MAX);
    List<String> unreachable = new ArrayList<>();
    for (String uuid : proto.getUnreachableList()) {
      unreachable.add(Door.name("unreachable", uuid));
    }
    return new SelfReport(proto.hasWallClockMs()
        ? Door.within("wall_clock_ms", proto.getWallClockMs(), 0, Long.MAX_VALUE)
        : SelfReport.NO_CLOCK,
        proto.hasSelf() ? NodeSelfCodec.parse(proto.getSelf()) : null, unreachable);
  }
}
