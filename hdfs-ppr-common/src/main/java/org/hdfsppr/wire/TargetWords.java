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
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.zip.CRC32C;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.thirdparty.protobuf.CodedOutputStream;
import org.apache.hadoop.thirdparty.protobuf.InvalidProtocolBufferException;
import org.hdfsppr.plan.InnerTarget;
import org.hdfsppr.plan.PlanNode;
import org.hdfsppr.wire.proto.PprProtos.FinaliseProto;
import org.hdfsppr.wire.proto.PprProtos.TargetOutcomeProto;
import org.hdfsppr.wire.proto.PprProtos.TargetOutcomesProto;

/**
 * Sends and receives the messages that finish a repair with inner targets. After the last slice,
 * the root sends the order to finalise down the tree. Each inner target then finalises its replica,
 * and the outcomes go up the tree. A target that does not get the order drops its replica. Each
 * message has a checksum, because a node must not act on a damaged message:
 *
 * <pre>
 *   | length, varint | FinaliseProto or TargetOutcomesProto | CRC32C of the message 4 |
 * </pre>
 */
@InterfaceAudience.Private
public final class TargetWords {
  /**
   * The longest wait for the outcome of one inner target, milliseconds. To finalise its replica, a
   * target may have to write all bytes of the replica from the page cache to a busy disk. A node
   * waits this long for each inner target below it, and a little longer for each level of the tree,
   * see {@link PartialSumRequest#endingTimeoutMs}.
   */
  public static final int ENDING_MS_MOST = 90_000;
  /** The longest message, bytes. The outcomes of 16 units have about 1 KiB each. */
  private static final int MESSAGE_BYTES_MAX = 64 << 10;
  /** The most bytes that length field and checksum have together. */
  private static final int AROUND_BYTES = 16;

  private TargetWords() {
  }

  /**
   * Sends the order to finalise. It says that every check has held, and that all rows have arrived
   * complete.
   *
   * @param out the connection to a child with inner targets in its subtree
   * @param repairId the id of the child's request
   * @throws IOException if the connection fails
   */
  public static void finalise(OutputStream out, String repairId) throws IOException {
    write(out, FinaliseProto.newBuilder().setRepairId(repairId).build().toByteArray());
  }

  /**
   * Waits for the parent's order to finalise.
   *
   * @param in the connection to the parent
   * @param repairId the id of this node's request
   * @throws IOException if the parent sends anything else, the connection ends, or its timeout
   *     expires; the caller must then drop the replica
   */
  public static void awaitFinalise(ChannelInput in, String repairId) throws IOException {
    try {
      FinaliseProto proto = FinaliseProto.parseFrom(read(in, "word to finalise"));
      if (!proto.getRepairId().equals(repairId)) {
        throw new MalformedRequestException("The word to finalise is for another repair");
      }
    } catch (InvalidProtocolBufferException e) {
      throw new MalformedRequestException("The word is no FinaliseProto: " + e.getMessage(), e);
    }
  }

  /**
   * Sends the outcomes of a subtree.
   *
   * @param out the connection to the parent
   * @param outcomes one for each inner target of the subtree
   * @throws IOException if the connection fails
   */
  public static void answer(OutputStream out, List<TargetOutcome> outcomes) throws IOException {
    TargetOutcomesProto.Builder builder = TargetOutcomesProto.newBuilder();
    for (TargetOutcome outcome : outcomes) {
      TargetOutcomeProto.Builder one = TargetOutcomeProto.newBuilder()
          .setUnit(outcome.unit()).setStored(outcome.isStored());
      if (!outcome.isStored()) {
        one.setMessage(PeerText.shorten(outcome.message()));
      }
      builder.addOutcomes(one);
    }
    write(out, builder.build().toByteArray());
  }

  /**
   * Waits for the outcomes of a child's subtree.
   *
   * @param in the connection to the child
   * @param child the child
   * @return exactly one outcome for each inner target of the subtree
   * @throws IOException if the child sends anything else, the connection ends, or its timeout
   *     expires; it is then not known which of the units are stored
   */
  public static List<TargetOutcome> outcomes(ChannelInput in, PlanNode child)
      throws IOException {
    Set<Integer> due = new HashSet<>();
    for (InnerTarget target : child.innerTargets()) {
      due.add(target.unit());
    }
    List<TargetOutcome> outcomes = new ArrayList<>();
    try {
      for (TargetOutcomeProto proto
          : TargetOutcomesProto.parseFrom(read(in, "outcomes")).getOutcomesList()) {
        if (!due.remove(proto.getUnit())) {
          throw new MalformedRequestException("An outcome of unit " + proto.getUnit()
              + ", which is not due");
        }
        outcomes.add(proto.getStored() ? TargetOutcome.stored(proto.getUnit())
            : TargetOutcome.notStored(proto.getUnit(), PeerText.oneLine(proto.getMessage())));
      }
    } catch (InvalidProtocolBufferException e) {
      throw new MalformedRequestException("The answer is no TargetOutcomesProto: "
          + e.getMessage(), e);
    }
    if (!due.isEmpty()) {
      throw new MalformedRequestException("No outcome of units " + due);
    }
    return outcomes;
  }

  private static void write(OutputStream out, byte[] message) throws IOException {
    ByteArrayOutputStream whole = new ByteArrayOutputStream(message.length + AROUND_BYTES);
    DataOutputStream piece = new DataOutputStream(whole);
    CodedOutputStream length = CodedOutputStream.newInstance(piece);
    length.writeByteArrayNoTag(message);
    length.flush();
    piece.writeInt(sum(message));
    out.write(whole.toByteArray());
    out.flush();
  }

  private static byte[] read(ChannelInput in, String name) throws IOException {
    byte[] message = in.readDelimited(name, MESSAGE_BYTES_MAX);
    if (in.readInt() != sum(message)) {
      throw new MalformedRequestException("The " + name + " was damaged on the way");
    }
    return message;
  }

  private static int sum(byte[] message) {
    CRC32C crc = new CRC32C();
    crc.update(message);
    return (int) crc.getValue();
  }
}
