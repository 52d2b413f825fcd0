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
package org.hdfsppr.operate;

import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.thirdparty.protobuf.InvalidProtocolBufferException;
import org.hdfsppr.operate.proto.ClientProtos.SubmissionTermsProto;
import org.hdfsppr.wire.MalformedRequestException;

/**
 * The rules by which the NameNode forms groups of a protected directory, for a caller that forms
 * groups itself and submits them. The NameNode checks every submitted group again. Immutable.
 */
@InterfaceAudience.Private
public final class SubmissionTerms {
  private static final double PERCENT = 100;

  /** The protected directory */
  public final CoreDirectory directory;
  /**
   * By how many percent the parity file of a group may be longer than the mean of the group's
   * files.
   */
  private final int slackPercent;
  /** How long after its last modification a file is not put into a group, ms */
  public final long settleMs;
  /** How many block groups a file of a group has at most */
  public final int blockGroupsMax;
  /** Protected directories below this one; their files do not belong to this directory's groups */
  public final List<CoreDirectory> inner;

  /**
   * @param directory the protected directory
   * @param slackPercent by how many percent the parity file of a group may be longer than the mean
   *     of the group's files, at least 0
   * @param settleMs how long after its last modification a file is not put into a group, ms, at
   *     least 0
   * @param blockGroupsMax how many block groups a file of a group has at most, at least 1
   * @param inner protected directories below this one; their files do not belong to this
   *     directory's groups
   * @throws IllegalArgumentException if a number is out of its range
   */
  public SubmissionTerms(CoreDirectory directory, int slackPercent, long settleMs,
      int blockGroupsMax, List<CoreDirectory> inner) {
    this.directory = Objects.requireNonNull(directory, "directory");
    this.slackPercent = slackPercent;
    this.settleMs = settleMs;
    this.blockGroupsMax = blockGroupsMax;
    this.inner = Collections.unmodifiableList(new ArrayList<>(inner));
    if (slackPercent < 0 || settleMs < 0 || blockGroupsMax < 1) {
      throw new IllegalArgumentException("Groups cannot be formed with slack " + slackPercent
          + " %, settleMs " + settleMs + ", blockGroupsMax " + blockGroupsMax);
    }
  }

  /**
   * Parses a message that this node has received.
   *
   * @throws MalformedRequestException whose message says what is wrong
   */
  static SubmissionTerms parse(SubmissionTermsProto proto) throws MalformedRequestException {
    List<CoreDirectory> inner = CoreDirectory.parse(proto.getInnerList());
    CoreDirectory directory = CoreDirectory.parse(proto.getDirectory());
    try {
      return new SubmissionTerms(directory, proto.getSlackPercent(), proto.getSettleMs(),
          proto.getBlockGroupsMax(), inner);
    } catch (IllegalArgumentException e) {
      throw new MalformedRequestException("The answer is refused: " + e.getMessage(), e);
    }
  }

  SubmissionTermsProto toProto() {
    SubmissionTermsProto.Builder proto = SubmissionTermsProto.newBuilder()
        .setDirectory(directory.toProto()).setSlackPercent(slackPercent).setSettleMs(settleMs)
        .setBlockGroupsMax(blockGroupsMax);
    inner.forEach(one -> proto.addInner(one.toProto()));
    return proto.build();
  }

  /**
   * @return the terms as a text without blanks, which the configuration of a MapReduce job can have
   *     as a value
   */
  public String toText() {
    return Base64.getEncoder().encodeToString(toProto().toByteArray());
  }

  /**
   * @param text what {@link #toText} has returned
   * @return the terms
   * @throws MalformedRequestException if {@link #toText} cannot have returned the text
   */
  public static SubmissionTerms parse(String text) throws MalformedRequestException {
    try {
      return parse(SubmissionTermsProto.parseFrom(Base64.getDecoder().decode(text)));
    } catch (IllegalArgumentException | InvalidProtocolBufferException e) {
      throw new MalformedRequestException("The job's terms cannot be read: " + e.getMessage(), e);
    }
  }

  /**
   * @param others protected directories below this one
   * @return the same terms with these inner directories
   */
  public SubmissionTerms withInner(List<CoreDirectory> others) {
    return new SubmissionTerms(directory, slackPercent, settleMs, blockGroupsMax, others);
  }

  /**
   * @return by which fraction the parity file of a group may be longer than the mean of the group's
   *     files; 0.25 is a quarter
   */
  public double slack() {
    return slackPercent / PERCENT;
  }
}
