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

import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.operate.proto.ClientProtos.ConversionOptionsProto;
import org.hdfsppr.wire.Door;

/** Converts {@link ConversionOptions} into a message and back. */
@InterfaceAudience.Private
final class ConversionOptionsCodec {
  /** Hadoop's names of policies are shorter. */
  private static final int POLICY_CHARS_MAX = 128;

  private ConversionOptionsCodec() {
  }

  static ConversionOptionsProto toProto(ConversionOptions options) {
    ConversionOptionsProto.Builder builder = ConversionOptionsProto.newBuilder()
        .setPolicy(options.policy)
        .setDryRun(options.dryRun)
        .setFilesOnly(options.filesOnly)
        .setForce(options.isForced())
        .setFullCheck(options.fullCheck);
    if (options.idleMs != ConversionOptions.UNSET) {
      builder.setIdleMs(options.idleMs);
    }
    if (options.graceMs != ConversionOptions.UNSET) {
      builder.setGraceMs(options.graceMs);
    }
    if (options.concurrency != ConversionOptions.UNSET) {
      builder.setConcurrency(options.concurrency);
    }
    if (options.bytesPerSecond != ConversionOptions.UNSET) {
      builder.setBytesPerS(options.bytesPerSecond);
    }
    return builder.build();
  }

  /** @throws IllegalArgumentException naming the field that is wrong */
  static ConversionOptions parse(ConversionOptionsProto proto) {
    Door.within("length of policy", proto.getPolicy().length(), 1, POLICY_CHARS_MAX);
    return ConversionOptions.of(Door.name("policy", proto.getPolicy()))
        .dryRun(proto.getDryRun())
        .filesOnly(proto.getFilesOnly())
        .force(proto.getForce())
        .fullCheck(!proto.hasFullCheck() || proto.getFullCheck())
        .idleMs(proto.hasIdleMs() ? time("idle_ms", proto.getIdleMs()) : ConversionOptions.UNSET)
        .graceMs(proto.hasGraceMs() ? time("grace_ms", proto.getGraceMs())
            : ConversionOptions.UNSET)
        .concurrency(proto.hasConcurrency()
            ? Door.within("concurrency", proto.getConcurrency(), 1,
                ConversionOptions.CONCURRENCY_MAX)
            : (int) ConversionOptions.UNSET)
        .bytesPerSecond(proto.hasBytesPerS()
            ? Door.within("bytes_per_s", proto.getBytesPerS(),
                ConversionOptions.BYTES_PER_SECOND_MIN, ConversionOptions.BYTES_PER_SECOND_MAX)
            : ConversionOptions.UNSET)
        .build();
  }

  private static long time(String name, long ms) {
    return Door.within(name, ms, 0, ConversionOptions.TIME_MS_MAX);
  }
}
