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

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.security.token.Token;
import org.hdfsppr.coder.gf.Kernels;
import org.hdfsppr.coder.gf.RegionKernel;
import org.hdfsppr.plan.BlockRef;
import org.hdfsppr.plan.ChainsTopology;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.GroupSnapshot;
import org.hdfsppr.plan.NarrowLinks;
import org.hdfsppr.plan.NoPlanException;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.PlanOptions;
import org.hdfsppr.plan.RandomTopology;
import org.hdfsppr.plan.RepairPlan;
import org.hdfsppr.plan.RepairPlanner;
import org.hdfsppr.plan.SliceGeometry;
import org.hdfsppr.plan.StripedLayout;
import org.hdfsppr.plan.TreeTopologies;
import org.hdfsppr.plan.TreeTopology;
import org.hdfsppr.plan.UnitHolder;
import org.hdfsppr.wire.FailureCause;
import org.hdfsppr.wire.PartialSumRequest;
import org.hdfsppr.wire.RepairException;

/**
 * A reader's reads of one lost unit in a code with sub-chunks, over narrow links. The code, the
 * file, the trees, the links, the nodes of an older version and the ranges all follow from a seed.
 * As a client does, the reader plans wide links after a node has refused a request.
 */
@InterfaceAudience.Private
final class RandomRangeRead {
  private static final RegionKernel KERNEL = Kernels.select(Kernels.AUTO);
  private static final GroupId GROUP =
      new GroupId("BP-1-10.0.0.1-1", -9223372036854775792L, 1001);
  private static final NodeRef READER =
      new NodeRef("client", "", "", 0, NodeRef.NO_REPAIR_PORT, "");
  /** Far longer than a read here takes. A thread that waits longer hangs. */
  private static final int PATIENT_MS = 120_000;
  private static final int SESSIONS_END_MS = 30_000;
  private static final int READS = 6;
  private static final int SNAPSHOTS_MOST = 10_000;
  private static final long POOL_BYTES = 32 << 20;

  /** What a range begins, ends, or holds. */
  enum Kind { INSIDE_A_PART, ACROSS_PARTS, ACROSS_CELLS, TO_THE_END, WHOLE, ANY }

  private final long seed;
  private final Random random;
  private final StripedGroup data;
  private final int lost;
  private final GroupSnapshot snapshot;
  private final Set<String> old = new HashSet<>();
  private final boolean knowsOld;
  private final SimCluster cluster;
  /** What each read was. */
  final List<String> seen = new ArrayList<>();

  RandomRangeRead(long seed, ExecutorService threads) {
    this.seed = seed;
    random = new Random(seed);
    data = StripedGroup.withSubChunks(random);
    List<Integer> present = data.present();
    lost = present.get(random.nextInt(present.size()));
    snapshot = snapshot();
    if (oneIn(2)) {
      int oldPercent = 10 + random.nextInt(40);
      for (UnitHolder holder : snapshot.live) {
        if (random.nextInt(100) < oldPercent) {
          old.add(holder.node.uuid);
        }
      }
    }
    knowsOld = oneIn(2);
    int[] capacities = {1_000, 10_000, 200_000};
    cluster = new SimCluster(GROUP, threads, KERNEL, new SimCluster.LinkStyle(
        capacities[random.nextInt(capacities.length)], random.nextBoolean(),
        oneIn(20) ? 1 + random.nextInt(20) : Integer.MAX_VALUE, 1), System::nanoTime, null);
    cluster.withoutNarrowLinks(old);
    if (!knowsOld) {
      cluster.letOldNodesRefuse();
    }
    for (UnitHolder holder : snapshot.live) {
      cluster.node(holder.node).store(holder.unit, data.unit(holder.unit));
    }
  }

  private boolean oneIn(int n) {
    return random.nextInt(n) == 0;
  }

  /** Draws which node holds which unit, until there is a plan to read the lost unit by helpers. */
  private GroupSnapshot snapshot() {
    for (int i = 0; i < SNAPSHOTS_MOST; i++) {
      int gone = oneIn(2) ? 0 : random.nextInt(data.code.parityUnits());
      int racks = 1 + random.nextInt(4);
      List<Integer> others = new ArrayList<>(data.present());
      others.remove((Integer) lost);
      Collections.shuffle(others, random);
      List<UnitHolder> live = new ArrayList<>();
      List<NodeRef> nodes = new ArrayList<>();
      for (int unit : others.subList(Math.min(gone, others.size()), others.size())) {
        if (nodes.isEmpty() || !oneIn(8)) {
          int number = nodes.size();
          nodes.add(new NodeRef("uuid-" + number, "10.0.0." + number, "host" + number, 9866, 9877,
              "/rack" + random.nextInt(racks)));
        }
        live.add(new UnitHolder(unit, nodes.get(nodes.size() - 1)));
      }
      GroupSnapshot drawn = new GroupSnapshot(
          new StripedLayout(GROUP, data.groupBytes, data.code.dataUnits(), data.code.parityUnits(),
          data.cellBytes), live, Collections.singletonList(new UnitHolder(lost, READER)), READER);
      try {
        RepairPlanner.plan(drawn, data.code,
            new PlanOptions(TreeTopologies.all().get(0), 512, 0, 0).inGivenOrder());
        return drawn;
      } catch (NoPlanException e) {
        // Too much is gone for this code, or the unit needs no helper.
      }
    }
    throw new IllegalStateException("seed " + seed + " gives no group that can be read");
  }

  private RepairPlan plan(boolean narrow) throws NoPlanException {
    int[] slices = {512, 513, 1000, 1024, 2048, 8192, 16384};
    int chains = 1 + random.nextInt(4);
    TreeTopology topology = oneIn(3) ? new RandomTopology(random)
        : oneIn(2) ? new ChainsTopology(helpers -> chains)
        : TreeTopologies.all().get(random.nextInt(TreeTopologies.all().size()));
    return RepairPlanner.plan(snapshot, data.code, new PlanOptions(topology,
        slices[random.nextInt(slices.length)], oneIn(2) ? 1 : 0, random.nextLong()).inGivenOrder()
        .withNarrowLinks(node -> narrow && !(knowsOld && old.contains(node.uuid))));
  }

  /**
   * Reads some ranges.
   *
   * @return what should not be, empty if all is well
   */
  List<String> run() throws InterruptedException {
    List<String> problems = new ArrayList<>();
    for (int i = 0; i < READS; i++) {
      try {
        read().ifPresent(problems::add);
      } catch (IOException | RuntimeException e) {
        problems.add(e + " at " + Arrays.toString(e.getStackTrace()));
      }
    }
    problems.addAll(cluster.leftovers(SESSIONS_END_MS));
    return problems;
  }

  private Optional<String> read() throws IOException {
    RepairPlan plan = plan(true);
    Kind kind = Kind.values()[random.nextInt(Kind.values().length)];
    long[] range = range(kind, plan.geometry);
    String how = NarrowLinks.isNarrow(plan.root) ? "narrow" : "wide";
    byte[] wanted = Arrays.copyOfRange(data.unit(lost), (int) range[0], (int) range[1]);
    byte[] got;
    try {
      got = read(plan, range);
    } catch (RepairException e) {
      if (e.failureCause != FailureCause.UNSUPPORTED || knowsOld
          || !old.contains(e.node.uuid) || how.equals("wide")) {
        throw e;
      }
      how = "refused";
      got = read(plan(false), range);
    }
    seen.add(kind + ", " + how);
    return Arrays.equals(wanted, got) ? Optional.empty()
        : Optional.of("bytes " + range[0] + " to " + range[1] + " of unit " + lost
            + " are wrong, " + kind + ", " + how + ", " + plan);
  }

  /** Returns the bytes of a range. Bytes around it, which a tree also brings, have to be right. */
  private byte[] read(RepairPlan plan, long[] range) throws IOException {
    Map<BlockRef, Token<BlockTokenIdentifier>> tokens = new HashMap<>();
    plan.root.forEach(node -> node.sources.forEach(source -> tokens.put(source.block,
        SimCluster.tokenFor(source.block.blockId))));
    SliceGeometry geometry = plan.geometry.covering(range[0], range[1]);
    PartialSumRequest request = new PartialSumRequest(PartialSumRequest.of("read-" + seed,
        plan.lostRows(), plan.checkRows(), PATIENT_MS), GROUP, geometry, plan.root, tokens)
        .forReader();
    byte[] unit = new byte[data.unit(lost).length];
    BitSet filled = new BitSet();
    try (RangeRead read = new RangeRead(plan, request, Collections.emptyList(), KERNEL,
        new BufferPool(POOL_BYTES), System::nanoTime)) {
      List<ByteBuffer> runs = new ArrayList<>();
      List<Integer> offsets = new ArrayList<>();
      read.run(cluster, unit.length, (offset, bytes) -> {
        byte[] copy = new byte[bytes.remaining()];
        bytes.duplicate().get(copy);
        runs.add(ByteBuffer.wrap(copy));
        offsets.add((int) offset);
      });
      for (int i = 0; i < runs.size(); i++) {
        int length = runs.get(i).remaining();
        runs.get(i).get(unit, offsets.get(i), length);
        filled.set(offsets.get(i), offsets.get(i) + length);
      }
    }
    for (int at = filled.nextSetBit(0); at >= 0; at = filled.nextSetBit(at + 1)) {
      if (unit[at] != data.unit(lost)[at]) {
        throw new IllegalStateException("byte " + at + " of unit " + lost + " is wrong in the"
            + " answer for " + range[0] + " to " + range[1] + ", " + plan);
      }
    }
    if (filled.nextClearBit((int) range[0]) < range[1]) {
      throw new IllegalStateException("bytes of " + range[0] + " to " + range[1] + " of unit "
          + lost + " are missing, " + plan);
    }
    return Arrays.copyOfRange(unit, (int) range[0], (int) range[1]);
  }

  private long[] range(Kind kind, SliceGeometry geometry) {
    int length = data.unit(lost).length;
    switch (kind) {
      case INSIDE_A_PART:
        return inside(cuts(geometry, true), length);
      case ACROSS_PARTS:
        return around(cuts(geometry, true), length);
      case ACROSS_CELLS:
        return around(cuts(geometry, false), length);
      case TO_THE_END:
        return new long[] {Math.max(0, length - 1 - random.nextInt(2 * data.cellBytes)), length};
      case WHOLE:
        return new long[] {0, length};
      default:
        int from = random.nextInt(length);
        return new long[] {from, from + 1 + random.nextInt(length - from)};
    }
  }

  /** Returns where cells begin and, if asked, where their parts and their tails begin. */
  private static List<Long> cuts(SliceGeometry geometry, boolean ofParts) {
    List<Long> cuts = new ArrayList<>();
    for (long cell = 0; cell < geometry.streamBytes(); cell += geometry.cellBytes()) {
      long part = Math.min(geometry.cellBytes(), geometry.streamBytes() - cell)
          / geometry.subChunks();
      cuts.add(cell);
      for (int sub = 1; ofParts && part > 0 && sub <= geometry.subChunks(); sub++) {
        cuts.add(cell + sub * part);
      }
    }
    cuts.add(geometry.streamBytes());
    return cuts;
  }

  private long[] inside(List<Long> cuts, int length) {
    int at = random.nextInt(length);
    long begin = 0;
    long end = length;
    for (long cut : cuts) {
      begin = cut <= at ? Math.max(begin, cut) : begin;
      end = cut > at ? Math.min(end, cut) : end;
    }
    long from = begin + random.nextInt((int) (at - begin) + 1);
    return new long[] {from, at + 1 + random.nextInt((int) (end - at))};
  }

  private long[] around(List<Long> cuts, int length) {
    long cut = cuts.get(random.nextInt(cuts.size()));
    long from = Math.max(0, Math.min(length - 1, cut - 1 - random.nextInt(600)));
    return new long[] {from,
        Math.max(from + 1, Math.min(length, cut + 1 + random.nextInt(600)))};
  }

  @Override
  public String toString() {
    return data + ", unit " + lost + " of " + data.unit(lost).length + " bytes, old nodes " + old
        + (knowsOld ? "" : ", which the reader does not know");
  }
}
