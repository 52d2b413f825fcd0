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
import org.hdfsppr.manage.proto.ManagerProtos.OldReadsProto;

/** Turns {@link OldReads} into a message and back. */
@InterfaceAudience.Private
final class OldReadsCodec {
  private OldReadsCodec() {
  }

  /** Encodes at most {@link OldReads#BLOCKS_MAX} blocks, which the sender has seen to. */
  static OldReadsProto toProto(OldReads old) {
    Fields.atMost("old blocks read", old.reads.size(), OldReads.BLOCKS_MAX);
    OldReadsProto.Builder builder = OldReadsProto.newBuilder()
        .setSeesAll(old.seesAll)
        .setWholeForMs(old.wholeForMs)
        .setFromStart(old.fromStart)
        .setHasMore(old.hasMore);
    for (OldReads.Read read : old.reads) {
      builder.addBlocks(read.blockId).addAgoMs(read.agoMs);
    }
    return builder.build();
  }

  /** @throws IllegalArgumentException naming the field that is wrong */
  static OldReads parse(OldReadsProto proto) {
    Fields.atMost("old blocks read", proto.getBlocksCount(), OldReads.BLOCKS_MAX);
    if (proto.getAgoMsCount() != proto.getBlocksCount()) {
      throw new IllegalArgumentException(proto.getBlocksCount() + " old blocks were read at "
          + proto.getAgoMsCount() + " times");
    }
    List<OldReads.Read> reads = new ArrayList<>();
    for (int i = 0; i < proto.getBlocksCount(); i++) {
      reads.add(new OldReads.Read(proto.getBlocks(i), notNegative(proto.getAgoMs(i))));
    }
    return new OldReads(proto.getSeesAll(), notNegative(proto.getWholeForMs()),
        proto.getFromStart(), proto.getHasMore(), reads);
  }

  private static long notNegative(long ms) {
    if (ms < 0) {
      throw new IllegalArgumentException("a time of old reads is " + ms + " ms");
    }
    return ms;
  }
}
