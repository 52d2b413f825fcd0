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
package org.hdfsppr.wire;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.OptionalLong;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.Status;
import org.apache.hadoop.thirdparty.protobuf.InvalidProtocolBufferException;
import org.apache.hadoop.util.DataChecksum;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.PlanNode;
import org.hdfsppr.wire.proto.PprProtos.FailureProto;
import org.hdfsppr.wire.proto.PprProtos.PartialSumResponseProto;

/**
 * A child's answer to a {@link PartialSumRequest}, which it sends before its first slice. The
 * answer has either the checksum type of the child's replica, or the reason why the child cannot
 * help.
 */
@InterfaceAudience.Private
public final class PartialSumResponse {
  /** The longest answer, bytes. An answer has a status, a message of about 1 KiB and a node. */
  public static final int RESPONSE_BYTES_MAX = 64 << 10;
  /**
   * The largest valid number of data bytes per checksum. It is far above the values in use (512 by
   * default), and limits the memory that a peer can make this node allocate.
   */
  private static final int BYTES_PER_CHECKSUM_MAX = 1 << 20;

  private PartialSumResponse() {
  }

  /**
   * Adds to a node's answer the {@link RequestFeatures} that the node knows.
   *
   * @param answer the answer
   * @param features bits of {@link RequestFeatures}, or {@link RequestFeatures#UNSAID}
   * @return the answer with the features
   */
  public static PartialSumResponseProto withFeatures(PartialSumResponseProto answer,
      long features) {
    return features == RequestFeatures.UNSAID ? answer
        : answer.toBuilder().setRequestFeatures(features).build();
  }

  /**
   * Sends an answer with one write, because each write may become a packet of its own on the
   * network.
   *
   * @param out the connection
   * @param answer the answer
   * @throws IOException if the connection fails
   */
  public static void write(OutputStream out, PartialSumResponseProto answer) throws IOException {
    ByteArrayOutputStream whole = new ByteArrayOutputStream();
    answer.writeDelimitedTo(whole);
    out.write(whole.toByteArray());
    out.flush();
  }

  /**
   * Reads the {@link RequestFeatures} that the sender of an answer knows.
   *
   * @param bytes a {@code PartialSumResponseProto}, or anything that a peer sends in its place
   * @return bits of {@link RequestFeatures}; {@link RequestFeatures#UNSAID} if the answer names no
   *     features, because the sender has an older version; empty if the bytes are no answer, or if
   *     the answer refuses a token, because such an answer never names features
   */
  public static OptionalLong features(byte[] bytes) {
    try {
      PartialSumResponseProto proto = PartialSumResponseProto.parseFrom(bytes);
      if (proto.hasRequestFeatures()) {
        return OptionalLong.of(proto.getRequestFeatures());
      }
      return proto.getStatus() == Status.ERROR_ACCESS_TOKEN_VALUE ? OptionalLong.empty()
          : OptionalLong.of(RequestFeatures.UNSAID);
    } catch (InvalidProtocolBufferException e) {
      // The caller parses the answer next, and parse then reports the error.
      return OptionalLong.empty();
    }
  }

  /**
   * Makes the answer of a node that is ready to stream.
   *
   * @param checksum checksum type of the node's replica
   * @return the answer
   */
  public static PartialSumResponseProto ready(DataChecksum checksum) {
    return PartialSumResponseProto.newBuilder()
        .setStatus(Status.SUCCESS_VALUE)
        .setChecksumType(checksum.getChecksumType().id)
        .setBytesPerChecksum(checksum.getBytesPerChecksum())
        .build();
  }

  /**
   * Makes the answer to a request without a valid token. It contains nothing but the status.
   *
   * @return the answer
   */
  public static PartialSumResponseProto tokenRefused() {
    return PartialSumResponseProto.newBuilder()
        .setStatus(Status.ERROR_ACCESS_TOKEN_VALUE)
        .build();
  }

  /**
   * Makes the answer of a node that cannot help, or whose subtree has a node that cannot help.
   *
   * @param failure the cause, and the node that cannot help
   * @return the answer
   */
  public static PartialSumResponseProto failed(RepairException failure) {
    return PartialSumResponseProto.newBuilder()
        .setStatus(Status.ERROR_VALUE)
        .setMessage(PeerText.shorten(failure.toString()))
        .setFailure(toProto(failure))
        .build();
  }

  static FailureProto toProto(RepairException failure) {
    return FailureProto.newBuilder()
        .setCause(failure.failureCause.number)
        .setNode(WireRules.toProto(failure.node))
        .setMessage(PeerText.shorten(String.valueOf(failure.getMessage())))
        .build();
  }

  /**
   * Reads an answer.
   *
   * @param bytes a {@code PartialSumResponseProto}
   * @param child the sender of the answer, and its subtree
   * @return the checksum type of the sender's replica
   * @throws RepairException if the sender cannot help, or its answer is invalid
   */
  public static DataChecksum parse(byte[] bytes, PlanNode child) throws RepairException {
    NodeRef from = child.node;
    PartialSumResponseProto proto;
    try {
      proto = PartialSumResponseProto.parseFrom(bytes);
    } catch (InvalidProtocolBufferException e) {
      throw new RepairException(FailureCause.PROTOCOL, from,
          "the answer is no PartialSumResponseProto: " + e.getMessage(), e);
    }
    if (proto.getStatus() == Status.ERROR_ACCESS_TOKEN_VALUE) {
      throw new RepairException(FailureCause.ACCESS_TOKEN, from, "the block token was refused",
          null);
    }
    if (proto.getStatus() != Status.SUCCESS_VALUE) {
      throw proto.hasFailure() ? convert(proto.getFailure(), child)
          : new RepairException(FailureCause.INTERNAL, from,
              "status " + proto.getStatus() + ": " + PeerText.oneLine(proto.getMessage()), null);
    }
    return checksum(proto, from);
  }

  private static DataChecksum checksum(PartialSumResponseProto proto, NodeRef from)
      throws RepairException {
    int bytesPerChecksum = proto.getBytesPerChecksum();
    DataChecksum.Type type = null;
    for (DataChecksum.Type known : DataChecksum.Type.values()) {
      if (known.id == proto.getChecksumType()) {
        type = known;
      }
    }
    DataChecksum checksum = type == null || bytesPerChecksum < 1
        || bytesPerChecksum > BYTES_PER_CHECKSUM_MAX ? null
        : DataChecksum.newDataChecksum(type, bytesPerChecksum);
    if (checksum == null) {
      throw new RepairException(FailureCause.PROTOCOL, from, "the replica's checksum of type "
          + proto.getChecksumType() + " per " + bytesPerChecksum + " bytes makes no sense", null);
    }
    return checksum;
  }

  /**
   * Reads a failure that a child reports. If the bytes are no failure, returns a failure that names
   * the child, with the cause {@link FailureCause#PROTOCOL}.
   */
  static RepairException parseFailure(byte[] bytes, PlanNode child) {
    try {
      return convert(FailureProto.parseFrom(bytes), child);
    } catch (InvalidProtocolBufferException e) {
      return new RepairException(FailureCause.PROTOCOL, child.node,
          "the failure it reports is no FailureProto: " + e.getMessage(), e);
    }
  }

  private static RepairException convert(FailureProto proto, PlanNode child) {
    NodeRef from = child.node;
    FailureCause cause = FailureCause.ofNumber(proto.getCause());
    if (!cause.excludesNode()) {
      return new RepairException(FailureCause.PROTOCOL, from,
          "it reports " + cause + ", which only a destination can find", null);
    }
    try {
      NodeRef named = WireRules.node(proto.getNode());
      if (!child.involves(named)) {
        // A node may report only a failure of itself or of a node below it. Otherwise it could make
        // repairs leave out any other node.
        return new RepairException(FailureCause.PROTOCOL, from,
            "it blames " + named + " for being " + cause + ", with which it has nothing to do",
            null);
      }
      return new RepairException(cause, named, PeerText.oneLine(proto.getMessage()), null);
    } catch (IllegalArgumentException e) {
      return new RepairException(FailureCause.PROTOCOL, from,
          "the failure it reports makes no sense: " + e.getMessage(), e);
    }
  }
}
