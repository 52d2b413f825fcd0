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

import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.manage.proto.ManagerProtos.UnitDigestProto;
import org.hdfsppr.manage.proto.ManagerProtos.VersionReportProto;
import org.hdfsppr.wire.Door;
import org.hdfsppr.wire.RequestBounds;

/** Turns a {@link VersionReport} into a message and back. */
@InterfaceAudience.Private
final class VersionReportCodec {
  private VersionReportCodec() {
  }

  static VersionReportProto toProto(VersionReport report) {
    VersionReportProto.Builder proto = VersionReportProto.newBuilder()
        .setLinkedBytes(report.linkedBytes)
        .setCopiedBytes(report.copiedBytes)
        .setMadeBytes(report.madeBytes)
        .setReadBytes(report.readBytes)
        .setReceivedBytes(report.receivedBytes);
    if (report.durable) {
      proto.setDurable(true);
    }
    report.digests.forEach((unit, digest) ->
        proto.addDigests(UnitDigestProto.newBuilder().setUnit(unit).setDigest(digest)));
    return proto.build();
  }

  /** @throws IllegalArgumentException naming the field that is wrong */
  static VersionReport parse(VersionReportProto proto) {
    Fields.atMost("digests", proto.getDigestsCount(), RequestBounds.LISTED_UNITS_MAX);
    Map<Integer, Integer> digests = new TreeMap<>();
    for (UnitDigestProto digest : proto.getDigestsList()) {
      digests.put(Door.within("unit of a digest", digest.getUnit(), 0,
          RequestBounds.LISTED_UNITS_MAX - 1), digest.getDigest());
    }
    VersionReport report = new VersionReport(Fields.bytes("linked_bytes", proto.getLinkedBytes()),
        Fields.bytes("copied_bytes", proto.getCopiedBytes()),
        Fields.bytes("made_bytes", proto.getMadeBytes()),
        Fields.bytes("read_bytes", proto.getReadBytes()),
        Fields.bytes("received_bytes", proto.getReceivedBytes())).withDigests(digests);
    return proto.getDurable() ? report.asDurable() : report;
  }
}
