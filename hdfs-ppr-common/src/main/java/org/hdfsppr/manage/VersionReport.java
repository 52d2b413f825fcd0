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

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.manage.proto.ManagerProtos.UnitDigestProto;
import org.hdfsppr.manage.proto.ManagerProtos.VersionReportProto;
import org.hdfsppr.wire.RequestBounds;
import org.hdfsppr.wire.WireRules;

/**
 * The part of a result that says what a {@code LinkCommand} or a {@code MakeCommand} has done. Only
 * the results of such commands have this part. Its numbers cover only this run of the command: a
 * block that existed before does not count. Immutable.
 */
@InterfaceAudience.Private
public final class VersionReport {
  /** The report of a command that has done nothing. */
  public static final VersionReport NOTHING = new VersionReport(0, 0, 0, 0, 0);

  /** Bytes of replicas that this run made as hard links, without checksum files */
  public final long linkedBytes;
  /**
   * Bytes of replicas that this run had to copy, because the volume cannot make hard links of them
   */
  public final long copiedBytes;
  /** Bytes of the blocks that this run made, at all targets together */
  public final long madeBytes;
  /** Bytes that all nodes together read to make these blocks */
  public final long readBytes;
  /** Bytes that the leader of the making received from other nodes */
  public final long receivedBytes;
  /**
   * By unit, as {@link RepairResult#rebuiltUnits} names it: the {@code LinearDigest} of each block
   * for which the command asks for a digest and which the node could read. Blocks that existed
   * before have a digest, too
   */
  public final Map<Integer, Integer> digests;
  /**
   * Whether the node has forced to its disks (fsync) the files and the names of all blocks that
   * {@link RepairResult#rebuiltUnits} names. For a hard link, forcing the name is enough, because
   * its bytes are those of the old replica, and as durable. Always false if another node has
   * written one of the blocks, or if the node has version 0.2.0
   */
  public final boolean durable;

  /**
   * @param linkedBytes see {@link #linkedBytes}
   * @param copiedBytes see {@link #copiedBytes}
   * @param madeBytes see {@link #madeBytes}
   * @param readBytes see {@link #readBytes}
   * @param receivedBytes see {@link #receivedBytes}
   * @throws IllegalArgumentException if a number is negative
   */
  public VersionReport(long linkedBytes, long copiedBytes, long madeBytes, long readBytes,
      long receivedBytes) {
    this(linkedBytes, copiedBytes, madeBytes, readBytes, receivedBytes, Collections.emptyMap(),
        false);
  }

  private VersionReport(long linkedBytes, long copiedBytes, long madeBytes, long readBytes,
      long receivedBytes, Map<Integer, Integer> digests, boolean durable) {
    this.durable = durable;
    this.digests = digests;
    if ((linkedBytes | copiedBytes | madeBytes | readBytes | receivedBytes) < 0) {
      throw new IllegalArgumentException("A number of bytes is negative: " + linkedBytes
          + " linked, " + copiedBytes + " copied, " + madeBytes + " made, " + readBytes + " read, "
          + receivedBytes + " received");
    }
    this.linkedBytes = linkedBytes;
    this.copiedBytes = copiedBytes;
    this.madeBytes = madeBytes;
    this.readBytes = readBytes;
    this.receivedBytes = receivedBytes;
  }

  /**
   * @param unitDigests see {@link #digests}
   * @return the same report with these digests
   */
  public VersionReport withDigests(Map<Integer, Integer> unitDigests) {
    return new VersionReport(linkedBytes, copiedBytes, madeBytes, readBytes, receivedBytes,
        Collections.unmodifiableMap(new TreeMap<>(unitDigests)), durable);
  }

  /** @return the same report with {@link #durable} set */
  public VersionReport asDurable() {
    return new VersionReport(linkedBytes, copiedBytes, madeBytes, readBytes, receivedBytes,
        digests, true);
  }

  VersionReportProto toProto() {
    VersionReportProto.Builder proto = VersionReportProto.newBuilder()
        .setLinkedBytes(linkedBytes)
        .setCopiedBytes(copiedBytes)
        .setMadeBytes(madeBytes)
        .setReadBytes(readBytes)
        .setReceivedBytes(receivedBytes);
    if (durable) {
      proto.setDurable(true);
    }
    digests.forEach((unit, digest) ->
        proto.addDigests(UnitDigestProto.newBuilder().setUnit(unit).setDigest(digest)));
    return proto.build();
  }

  /** @throws IllegalArgumentException naming the field that is wrong */
  static VersionReport parse(VersionReportProto proto) {
    FieldRules.atMost("digests", proto.getDigestsCount(), RequestBounds.LISTED_UNITS_MAX);
    Map<Integer, Integer> digests = new TreeMap<>();
    for (UnitDigestProto digest : proto.getDigestsList()) {
      digests.put(WireRules.within("unit of a digest", digest.getUnit(), 0,
          RequestBounds.LISTED_UNITS_MAX - 1), digest.getDigest());
    }
    VersionReport report = new VersionReport(FieldRules.bytes("linked_bytes",
        proto.getLinkedBytes()),
        FieldRules.bytes("copied_bytes", proto.getCopiedBytes()),
        FieldRules.bytes("made_bytes", proto.getMadeBytes()),
        FieldRules.bytes("read_bytes", proto.getReadBytes()),
        FieldRules.bytes("received_bytes", proto.getReceivedBytes())).withDigests(digests);
    return proto.getDurable() ? report.asDurable() : report;
  }

  @Override
  public String toString() {
    return "linked " + linkedBytes + " bytes, copied " + copiedBytes + ", made " + madeBytes
        + " from " + readBytes + ", received " + receivedBytes + (durable ? ", durable" : "");
  }
}
