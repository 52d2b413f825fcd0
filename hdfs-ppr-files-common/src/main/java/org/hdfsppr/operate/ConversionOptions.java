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

import java.util.function.Consumer;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.operate.proto.ClientProtos.ConversionOptionsProto;
import org.hdfsppr.wire.WireRules;

/** The options of a conversion: which policy the files get, and how the job works. Immutable. */
@InterfaceAudience.Private
public final class ConversionOptions {
  /**
   * The value of a number that the caller does not set, so that the NameNode uses its own setting.
   */
  public static final long UNSET = -1;
  /** The greatest value that a caller may set for a time, ms: a year. */
  public static final long TIME_MS_MAX = 366L * 24 * 3_600_000;
  /**
   * How many files at a time a caller may ask for at most. With more, files would only wait for the
   * NameNode's own limits.
   */
  public static final int CONCURRENCY_MAX = 1_024;
  /** The lowest rate that a caller may set, bytes/s. A slower job would hardly end. */
  public static final long BYTES_PER_SECOND_MIN = 64 << 10;
  /** The highest rate that a caller may set, bytes/s. It is far above what a cluster can do. */
  public static final long BYTES_PER_SECOND_MAX = 1L << 50;

  /** How many characters the name of a policy may have. Hadoop allows only shorter names. */
  private static final int POLICY_CHARS_MAX = 128;

  /** The name of the policy that the files get */
  public final String policy;
  /** Whether this is a dry run: the job changes nothing, and only counts what it would do */
  public final boolean dryRun;
  /** Whether the job converts only files, and leaves the policies of directories as they are */
  public final boolean filesOnly;
  /** Whether the job also converts files that may be in use */
  public final boolean force;
  /** Whether every byte of a new version is checked before it is published */
  public final boolean fullCheck;
  /**
   * For how long a file must not have been used before the job converts it, ms, or {@link #UNSET}
   */
  public final long idleMs;
  /** How long the old version of a file is kept, ms, or {@link #UNSET} */
  public final long graceMs;
  /** How many files are converted at a time, or {@link #UNSET} */
  public final int concurrency;
  /**
   * How many bytes per second the job may move; {@link #UNSET} if the job has no limit of its own
   */
  public final long bytesPerSecond;

  private ConversionOptions(ConversionOptionsProto proto) {
    policy = proto.getPolicy();
    dryRun = proto.getDryRun();
    filesOnly = proto.getFilesOnly();
    force = proto.getForce();
    fullCheck = !proto.hasFullCheck() || proto.getFullCheck();
    idleMs = proto.hasIdleMs() ? proto.getIdleMs() : UNSET;
    graceMs = proto.hasGraceMs() ? proto.getGraceMs() : UNSET;
    concurrency = proto.hasConcurrency() ? proto.getConcurrency() : (int) UNSET;
    bytesPerSecond = proto.hasBytesPerS() ? proto.getBytesPerS() : UNSET;
  }

  /**
   * Makes the options of a conversion to a policy. All numbers are {@link #UNSET}, so that the
   * NameNode uses its settings.
   *
   * @param policy the name of the policy that the files get
   * @return the options
   */
  public static ConversionOptions of(String policy) {
    return new ConversionOptions(ConversionOptionsProto.newBuilder().setPolicy(policy).build());
  }

  /**
   * Parses a message that this node has received.
   *
   * @throws IllegalArgumentException whose message names the wrong field
   */
  static ConversionOptions parse(ConversionOptionsProto proto) {
    WireRules.within("length of policy", proto.getPolicy().length(), 1, POLICY_CHARS_MAX);
    WireRules.name("policy", proto.getPolicy());
    if (proto.hasIdleMs()) {
      WireRules.within("idle_ms", proto.getIdleMs(), 0, TIME_MS_MAX);
    }
    if (proto.hasGraceMs()) {
      WireRules.within("grace_ms", proto.getGraceMs(), 0, TIME_MS_MAX);
    }
    if (proto.hasConcurrency()) {
      WireRules.within("concurrency", proto.getConcurrency(), 1, CONCURRENCY_MAX);
    }
    if (proto.hasBytesPerS()) {
      WireRules.within("bytes_per_s", proto.getBytesPerS(), BYTES_PER_SECOND_MIN,
          BYTES_PER_SECOND_MAX);
    }
    return new ConversionOptions(proto);
  }

  /**
   * @param change changes fields of the message; a number may be set to {@link #UNSET}
   * @return these options with the changed fields
   */
  public ConversionOptions with(Consumer<ConversionOptionsProto.Builder> change) {
    ConversionOptionsProto.Builder proto = toProto().toBuilder();
    change.accept(proto);
    return new ConversionOptions(proto.build());
  }

  ConversionOptionsProto toProto() {
    ConversionOptionsProto.Builder proto = ConversionOptionsProto.newBuilder()
        .setPolicy(policy)
        .setDryRun(dryRun)
        .setFilesOnly(filesOnly)
        .setForce(force)
        .setFullCheck(fullCheck);
    if (idleMs != UNSET) {
      proto.setIdleMs(idleMs);
    }
    if (graceMs != UNSET) {
      proto.setGraceMs(graceMs);
    }
    if (concurrency != UNSET) {
      proto.setConcurrency(concurrency);
    }
    if (bytesPerSecond != UNSET) {
      proto.setBytesPerS(bytesPerSecond);
    }
    return proto.build();
  }

  /**
   * Says whether a conversion with these options does what a caller wants, so that the caller need
   * not begin another one.
   *
   * @param wanted what a caller wants; a caller may leave numbers to the NameNode
   * @return whether the policy, all flags, and all numbers that the caller has set are the same
   */
  public boolean doesSameAs(ConversionOptions wanted) {
    return policy.equals(wanted.policy) && dryRun == wanted.dryRun && filesOnly == wanted.filesOnly
        && force == wanted.force && fullCheck == wanted.fullCheck
        && suits(idleMs, wanted.idleMs) && suits(graceMs, wanted.graceMs)
        && suits(concurrency, wanted.concurrency) && suits(bytesPerSecond, wanted.bytesPerSecond);
  }

  private static boolean suits(long is, long wanted) {
    return wanted == UNSET || is == wanted;
  }

  @Override
  public String toString() {
    return (dryRun ? "dry run of " : "") + policy + (force ? ", forced" : "");
  }
}
