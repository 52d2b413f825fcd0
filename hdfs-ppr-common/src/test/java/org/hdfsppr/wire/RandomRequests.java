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

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.security.token.Token;
import org.hdfsppr.plan.BlockRef;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.PlanNode;
import org.hdfsppr.plan.RepairSource;
import org.hdfsppr.plan.SliceGeometry;

/** Makes requests of every shape that a planner can come up with. */
@InterfaceAudience.Private
final class RandomRequests {
  private final Random random;
  private SliceGeometry geometry;
  private int lostRows;
  private int checkRows;
  private List<Integer> units;
  private int nodes;
  private GroupId group;
  /** Whether sources are of other groups. */
  private boolean otherBlocks;
  private Map<BlockRef, Token<BlockTokenIdentifier>> tokens;

  RandomRequests(Random random) {
    this.random = random;
  }

  PartialSumRequest next() {
    int subChunks = random.nextBoolean() ? 1 : 2 + random.nextInt(7);
    lostRows = subChunks * (1 + random.nextInt(4));
    checkRows = random.nextInt(2);
    geometry = geometry(subChunks);
    nodes = 0;
    tokens = new HashMap<>();
    units = new ArrayList<>();
    for (int unit = 0; unit < RequestBounds.UNITS_MAX; unit++) {
      units.add(unit);
    }
    Collections.shuffle(units, random);
    otherBlocks = random.nextInt(3) == 0;
    group = new GroupId("BP-" + random.nextInt(), random.nextLong(), random.nextLong());
    PlanNode subtree = subtree(random.nextInt(4));
    PartialSumRequest request = new PartialSumRequest(PartialSumRequest.of(
        "repair-" + random.nextInt(), lostRows, checkRows,
        1 + random.nextInt(RequestBounds.STALL_TIMEOUT_MS_MAX)), group, geometry, subtree, tokens);
    if (random.nextInt(3) == 0) {
      request = request.withRate(RequestBounds.BYTES_PER_SECOND_MIN + random.nextInt(1 << 30));
    }
    return random.nextBoolean() ? request.asUrgent() : request;
  }

  private SliceGeometry geometry(int subChunks) {
    int checkOneIn = checkRows == 0 ? 0 : random.nextInt(100);
    SliceGeometry whole = new SliceGeometry(1 + (random.nextLong() >>> 34),
        SliceGeometry.SLICE_BYTES_MIN + random.nextInt(SliceGeometry.SLICE_BYTES_MAX
            - SliceGeometry.SLICE_BYTES_MIN + 1), subChunks,
        subChunks == 1 ? 0 : subChunks * 1024 * (1 + random.nextInt(1 << 10)), checkOneIn,
        checkOneIn == 0 ? 0 : random.nextInt(checkOneIn));
    if (random.nextInt(3) > 0) {
      return whole;
    }
    if (random.nextBoolean()) {
      int share = 1 + random.nextInt(10);
      return whole.withPicked(IntStream.range(0, Math.min(1000, whole.slices()))
          .filter(slice -> slice == 0 || random.nextInt(10) < share).toArray());
    }
    int first = random.nextInt(whole.slices());
    return whole.withSlices(first, first + 1 + random.nextInt(whole.slices() - first));
  }

  private PlanNode subtree(int depth) {
    NodeRef node = node();
    List<RepairSource> sources = new ArrayList<>();
    sources.add(source(node));
    while (units.size() > 4 && random.nextInt(4) == 0) {
      sources.add(source(geometry.subChunks() > 1 || random.nextBoolean() ? node : node()));
    }
    Collections.shuffle(sources, random);
    List<PlanNode> children = new ArrayList<>();
    while (depth > 0 && !units.isEmpty() && random.nextInt(3) > 0) {
      children.add(subtree(depth - 1));
    }
    return new PlanNode(node, sources, children);
  }

  private NodeRef node() {
    int number = nodes++;
    return new NodeRef("uuid-" + number, "10.0.0." + number, "node\u00fc" + number,
        random.nextInt(0x10000), random.nextInt(0x10000), "/rack" + random.nextInt(3));
  }

  private RepairSource source(NodeRef holder) {
    int unit = units.remove(units.size() - 1);
    int subChunks = geometry.subChunks();
    byte[] coefficients = new byte[(lostRows + checkRows) * subChunks];
    random.nextBytes(coefficients);
    byte[] tail = new byte[geometry.hasTail() ? lostRows / subChunks + checkRows : 0];
    random.nextBytes(tail);
    byte[] identifier = new byte[random.nextInt(200)];
    random.nextBytes(identifier);
    byte[] password = new byte[random.nextInt(40)];
    random.nextBytes(password);
    BlockRef block = otherBlocks && random.nextBoolean()
        ? new BlockRef(random.nextBoolean() ? group.poolId : "BP-other",
            1 + random.nextInt(Integer.MAX_VALUE), random.nextInt(Integer.MAX_VALUE),
            1 + (random.nextLong() >>> 24))
        : group.block(unit, 1 + (random.nextLong() >>> 24));
    tokens.put(block, new Token<>(identifier, password, new Text("HDFS_BLOCK_TOKEN"),
        new Text(random.nextBoolean() ? "" : "10.0.0." + unit + ":9866")));
    return new RepairSource(unit, block, holder, coefficients, subChunks,
        lostRows, tail);
  }
}
