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
 * What a caller has to know that submits groups of a protected directory: how the NameNode forms
 * groups. The NameNode checks every group again. Immutable.
 */
@InterfaceAudience.Private
public final class SubmissionTerms {
  private static final double PERCENT = 100;

  /** The protected directory */
  public final CoreDirectory directory;
  /** How much longer a parity file may be than the mean of its members, percent. */
  private final int slackPercent;
  /** For how long a file is left alone after its last modification, ms */
  public final long settleMs;
  /** The most block groups of a member */
  public final int blockGroupsMax;
  /** Protected directories below, whose files are not the directory's */
  public final List<CoreDirectory> inner;

  /**
   * @param directory the protected directory
   * @param slackPercent how much longer a parity file may be than the mean of its members, percent
   * @param settleMs for how long a file is left alone after its last modification, ms
   * @param blockGroupsMax the most block groups of a member
   * @param inner protected directories below, whose files are not the directory's
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
   * Reads a message that this node receives.
   *
   * @throws MalformedRequestException naming what is wrong
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

  /** @return a text without blanks, for the configuration of a job */
  public String toText() {
    return Base64.getEncoder().encodeToString(toProto().toByteArray());
  }

  /**
   * @param text what {@link #toText} has returned
   * @return the terms
   * @throws MalformedRequestException if the text is another one
   */
  public static SubmissionTerms parse(String text) throws MalformedRequestException {
    try {
      return parse(SubmissionTermsProto.parseFrom(Base64.getDecoder().decode(text)));
    } catch (IllegalArgumentException | InvalidProtocolBufferException e) {
      throw new MalformedRequestException("The job's terms cannot be read: " + e.getMessage(), e);
    }
  }

  /**
   * @param others protected directories below
   * @return the same terms with these inner directories
   */
  public SubmissionTerms withInner(List<CoreDirectory> others) {
    return new SubmissionTerms(directory, slackPercent, settleMs, blockGroupsMax, others);
  }

  /** @return how much longer a parity file may be than the mean of its members: 0.25: a quarter */
  public double slack() {
    return slackPercent / PERCENT;
  }
}
