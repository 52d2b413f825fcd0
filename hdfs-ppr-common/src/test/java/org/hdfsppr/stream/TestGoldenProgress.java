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
package org.hdfsppr.stream;

import java.util.concurrent.TimeUnit;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.golden.Golden;
import org.hdfsppr.golden.MessageFrame;
import org.hdfsppr.wire.proto.PprProtos.ProgressProto;
import org.junit.jupiter.api.Test;

/** The bytes of what nodes of a tree say about their progress. */
@InterfaceAudience.Private
class TestGoldenProgress {
  private static long ms(long ms) {
    return TimeUnit.MILLISECONDS.toNanos(ms);
  }

  private static NodeStats stats() {
    NodeStats stats = new NodeStats();
    stats.sliceDone();
    stats.addChildWait(0, ms(11));
    stats.addChildWait(1, ms(22));
    stats.addParentWait(ms(44));
    stats.addLocal(ms(55));
    stats.addMultiply(ms(66));
    stats.addThrottle(ms(77));
    return stats;
  }

  @Test
  void progress() throws Exception {
    Golden golden = Golden.of("wire/progress");
    ProgressBoard board = new ProgressBoard(() -> 0);
    board.note(ProgressProto.newBuilder()
        .addNodes(new NodeStats().toProto("uuid-3", 0, 0)).build());
    ProgressProto sent = board.with(stats().toProto("uuid-2", 2, ms(88)));
    golden.written("a node and one below it", MessageFrame.bare(ProgressProto.getDefaultInstance()),
        sent.toByteArray(), bytes -> {
          ProgressProto read = ProgressProto.parseFrom(bytes);
          ProgressBoard below = new ProgressBoard(() -> 0);
          below.note(read.toBuilder().removeNodes(0).build());
          return below.with(read.getNodes(0)).toByteArray();
        });
    golden.check();
  }
}
