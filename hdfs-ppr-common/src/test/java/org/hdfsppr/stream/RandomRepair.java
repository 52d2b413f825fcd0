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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.function.LongSupplier;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.protocol.datatransfer.PacketHeader;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.security.token.Token;
import org.hdfsppr.coder.code.LinearCode;
import org.hdfsppr.coder.code.SubChunk;
import org.hdfsppr.coder.gf.Kernels;
import org.hdfsppr.coder.gf.RegionKernel;
import org.hdfsppr.plan.BlockRef;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.GroupSnapshot;
import org.hdfsppr.plan.NarrowLinks;
import org.hdfsppr.plan.NoPlanException;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.PlanNode;
import org.hdfsppr.plan.PlanOptions;
import org.hdfsppr.plan.PlanTarget;
import org.hdfsppr.plan.RandomTopology;
import org.hdfsppr.plan.RepairPlan;
import org.hdfsppr.plan.RepairPlanner;
import org.hdfsppr.plan.RepairSource;
import org.hdfsppr.plan.SliceGeometry;
import org.hdfsppr.plan.SliceKind;
import org.hdfsppr.plan.StripedLayout;
import org.hdfsppr.plan.TreeTopologies;
import org.hdfsppr.plan.UnitHolder;
import org.hdfsppr.wire.FailureCause;
import org.hdfsppr.wire.PartialSumRequest;
import org.hdfsppr.wire.PartialSumResponse;
import org.hdfsppr.wire.RepairException;
import org.hdfsppr.wire.RequestFeatures;

/**
 * One repair whose parameters all follow from a seed: the code, the file, the holders, the shape of
 * the tree, the links, and the fault. {@link #run} checks whether the outcome is allowed.
 */
@InterfaceAudience.Private
final class RandomRepair {
  private static final RegionKernel KERNEL = Kernels.select(Kernels.AUTO);
  /** Far longer than a repair here takes. A thread that waits longer hangs. */
  private static final int PATIENT_MS = 120_000;
  /** For faults that only a timeout ends, with a clock that runs faster. */
  private static final int IMPATIENT_MS = 2_000;
  private static final int FAST_CLOCK = 20;
  private static final int SESSIONS_END_MS = 30_000;
  private static final GroupId GROUP = new GroupId("BP-1-10.0.0.1-1", -9223372036854775792L, 1001);

  private final long seed;
  private final Random random;
  private final boolean wantsNarrow;
  /** UUIDs of nodes that know no narrow links. */
  private final Set<String> old = new HashSet<>();
  private final StripedGroup data;
  private final GroupSnapshot snapshot;
  private final RepairPlan plan;
  private final Fault fault;
  private final boolean inLimbo;
  private final LongSupplier nanoClock;
  private final SimCluster cluster;
  private final PartialSumRequest request;
  private FailureCause outcome;

  /** @param faulty whether something is to go wrong */
  RandomRepair(long seed, boolean faulty, ExecutorService threads) throws IOException {
    this(seed, faulty, threads, false);
  }

  /**
   * @param faulty whether something is to go wrong
   * @param wantsNarrow whether the code is one with sub-chunks, and links may be narrow
   */
  RandomRepair(long seed, boolean faulty, ExecutorService threads, boolean wantsNarrow)
      throws IOException {
    this.seed = seed;
    this.wantsNarrow = wantsNarrow;
    random = new Random(seed);
    data = wantsNarrow ? StripedGroup.withSubChunks(random) : StripedGroup.random(random);
    GroupSnapshot drawn = snapshot();
    while (noNodeIsLeft(drawn)) {
      drawn = snapshot();
    }
    snapshot = drawn;
    plan = plan();
    fault = faulty ? fault() : null;
    inLimbo = fault != null && EnumSet.of(Fault.Kind.STALL,
        Fault.Kind.STOCK_STALL, Fault.Kind.LOSE, Fault.Kind.FLIP,
        Fault.Kind.DUPLICATE, Fault.Kind.SWAP).contains(fault.kind);
    // On a fast clock nodes tell how they fare after almost every slice.
    nanoClock = oneIn(3) ? () -> System.nanoTime() * 10_000 : System::nanoTime;
    cluster = new SimCluster(GROUP, threads, KERNEL, links(), nanoClock, fault);
    cluster.withoutNarrowLinks(old);
    for (UnitHolder holder : snapshot.live) {
      cluster.node(holder.node).store(holder.unit, data.unit(holder.unit));
    }
    List<RepairSource> sources = new ArrayList<>();
    plan.root.forEach(node -> sources.addAll(node.sources));
    if (oneIn(4)) {
      // One replica without checksums must not make the rebuilt ones such, unless it is all there
      // is.
      RepairSource with = oneOf(sources);
      sources.stream().filter(source -> source != with && oneIn(3)).forEach(source ->
          cluster.node(source.holder).withoutChecksum(source.unit));
    }
    for (UnitHolder target : snapshot.targets) {
      cluster.node(target.node).expect(target.unit, snapshot.unitBytes(target.unit));
    }
    Map<BlockRef, Token<BlockTokenIdentifier>> tokens = new HashMap<>();
    plan.root.forEach(node -> node.sources.forEach(source -> tokens.put(source.block,
        SimCluster.tokenFor(source.block.blockId))));
    request = new PartialSumRequest(PartialSumRequest.of("repair-" + seed, plan.lostRows(),
        plan.checkRows(), inLimbo ? IMPATIENT_MS : PATIENT_MS), GROUP, plan.geometry, plan.root,
        tokens);
  }

  private boolean oneIn(int n) {
    return random.nextInt(n) == 0;
  }

  private <T> T oneOf(List<T> list) {
    return list.get(random.nextInt(list.size()));
  }

  private GroupSnapshot snapshot() {
    int units = data.code.units();
    int racks = 1 + random.nextInt(4);
    // Stock reads bring whole units, and codes with sub-chunks want parts of them.
    int stockPercent = data.code.subChunks() > 1 ? 0 : oneIn(10) ? 100 : oneIn(2) ? 30 : 0;
    List<Integer> present = data.present();
    Collections.shuffle(present, random);
    // One is what repairs are mostly about, and what leaves helpers to check with.
    // Now and then several units are lost, each with a target of its own that runs the extension.
    boolean several = oneIn(3) && data.code.parityUnits() > 1;
    int lost = several ? Math.min(present.size(), 2 + random.nextInt(data.code.parityUnits() - 1))
        : oneIn(2) ? 1 : Math.min(present.size(), 1 + random.nextInt(data.code.parityUnits()));
    Set<Integer> targets = new TreeSet<>(present.subList(0, lost));
    // Others are gone as well, as many as leave enough; empty units need no holder.
    int gone = oneIn(2) ? 0 : random.nextInt(data.code.parityUnits() - lost + 1);
    List<Integer> live = new ArrayList<>();
    for (int unit = 0; unit < units; unit++) {
      if (!targets.contains(unit) && !present.subList(lost, Math.min(present.size(), lost + gone))
          .contains(unit)) {
        live.add(unit);
      }
    }
    if (!decodable(targets, live)) {
      // Not every code rebuilds any m units.
      return snapshot();
    }
    List<NodeRef> nodes = new ArrayList<>();
    List<UnitHolder> holders = new ArrayList<>();
    for (int unit : live) {
      for (int copies = oneIn(10) ? 2 : 1; copies > 0; copies--) {
        if (nodes.isEmpty() || !oneIn(8)) {
          nodes.add(node(nodes.size(), racks, random.nextInt(100) >= stockPercent));
        }
        holders.add(new UnitHolder(unit, oneIn(8) ? oneOf(nodes) : nodes.get(nodes.size() - 1)));
      }
    }
    Collections.shuffle(holders, random);
    NodeRef destination = node(100, racks, true);
    if (!several && oneIn(5)) {
      for (NodeRef node : nodes) {
        destination = node.runsExtension() ? node : destination;
      }
    }
    List<UnitHolder> wanted = new ArrayList<>();
    for (int target : targets) {
      boolean atDestination = several ? wanted.isEmpty() : oneIn(2);
      wanted.add(new UnitHolder(target, atDestination ? destination
          : node(101 + wanted.size(), racks, several || oneIn(2))));
    }
    Collections.shuffle(wanted, random);
    return new GroupSnapshot(new StripedLayout(GROUP, data.groupBytes, data.code.dataUnits(),
        data.code.parityUnits(), data.cellBytes), holders, wanted, destination);
  }

  /** Zeros that follow from the group's length, without a holder. */
  private boolean noNodeIsLeft(GroupSnapshot drawn) throws IOException {
    try {
      RepairPlanner.plan(drawn, data.code, new PlanOptions(TreeTopologies.all().get(0), 512, 0, 0));
      return false;
    } catch (NoPlanException e) {
      if (!e.getMessage().startsWith("No node is left")) {
        throw e;
      }
      return true;
    }
  }

  private boolean decodable(Set<Integer> targets, List<Integer> live) {
    return data.code.decodable(targets.stream().mapToInt(Integer::intValue).toArray(),
        live.stream().mapToInt(Integer::intValue).toArray());
  }

  private NodeRef node(int number, int racks, boolean runsExtension) {
    return new NodeRef("uuid-" + number, "10.0.0." + number, "host" + number, 9866,
        runsExtension ? 9877 : NodeRef.NO_REPAIR_PORT, "/rack" + random.nextInt(racks));
  }

  private RepairPlan plan() throws IOException {
    int[] slices = {512, 513, 1000, 1024, 2048, 4096, 65536};
    int verify = random.nextInt(3);
    PlanOptions options = new PlanOptions(
        oneIn(3) ? new RandomTopology(random) : oneOf(TreeTopologies.all()),
        slices[random.nextInt(slices.length)],
        verify == 0 ? 0 : verify == 1 ? 1 : 2 + random.nextInt(20), random.nextLong());
    // Nothing hangs on this draw any more. Without it, each seed would mean another repair.
    oneIn(4);
    if (wantsNarrow || !oneIn(4)) {
      // In some clusters, some nodes are of an older version without narrow links.
      int oldPercent = oneIn(3) ? 10 + random.nextInt(40) : 0;
      for (UnitHolder holder : snapshot.live) {
        if (random.nextInt(100) < oldPercent) {
          old.add(holder.node.uuid);
        }
      }
      snapshot.targets.stream().filter(target -> oldPercent > 0 && oneIn(3))
          .forEach(target -> old.add(target.node.uuid));
      options = options.withNarrowLinks(node -> !old.contains(node.uuid));
    }
    return RepairPlanner.plan(snapshot, data.code, options);
  }

  private SimCluster.LinkStyle links() {
    int[] capacities = {200, 2000, 20_000, 200_000};
    return new SimCluster.LinkStyle(capacities[random.nextInt(capacities.length)],
        random.nextBoolean(), oneIn(20) ? 1 + random.nextInt(20) : Integer.MAX_VALUE,
        inLimbo ? FAST_CLOCK : 1);
  }

  private Fault fault() {
    List<Fault.Kind> kinds = new ArrayList<>(Arrays.asList(Fault.Kind.values()));
    // These faults take time and change no byte. Another test covers the blame for them.
    kinds.remove(Fault.Kind.SLOW);
    kinds.remove(Fault.Kind.SLOW_DISK);
    kinds.remove(Fault.Kind.THROTTLED);
    if (!oneIn(6)) {
      // They take their time.
      kinds.remove(Fault.Kind.STALL);
      kinds.remove(Fault.Kind.STOCK_STALL);
    }
    Fault.Kind kind = oneOf(kinds);
    List<PlanNode> helpers = new ArrayList<>();
    plan.root.forEach(helpers::add);
    List<RepairSource> sources = new ArrayList<>();
    helpers.forEach(node -> sources.addAll(node.sources));
    RepairSource source = oneOf(sources);
    PlanTarget target = oneOf(plan.targets);
    SliceGeometry geometry = plan.geometry;
    switch (kind) {
      case OVERLOAD:
        return new Fault(kind, oneOf(helpers).node.uuid, -1, false, 0, 0, 0);
      case CORRUPT:
      case MISSING:
      case DISK:
      case BUG:
      case TOKEN:
      case SILENT:
      case STOCK_STALL:
        return new Fault(kind, source.holder.uuid, source.unit, false,
            random.nextInt((int) Math.min(source.length(), geometry.streamBytes())), 1,
            1 + random.nextInt(255));
      case SINK_OPEN:
      case SINK_WRITE:
      case SINK_COMMIT:
        return new Fault(kind, target.node.uuid, target.unit, false,
            random.nextInt((int) snapshot.unitBytes(target.unit)), 1, 0);
      default:
        break;
    }
    helpers.remove(plan.root);
    if (helpers.isEmpty()) {
      return null;
    }
    PlanNode child = oneOf(helpers);
    boolean up = kind == Fault.Kind.SWAP || !oneIn(4);
    long bytes = up ? bytesUp(child) : 200L * child.size();
    // The first and the last bytes of a stream are where protocols have their holes.
    long offset = oneIn(2) ? random.nextInt((int) bytes)
        : oneIn(2) ? random.nextInt(100) : Math.max(0, bytes - random.nextInt(100));
    int length = kind == Fault.Kind.CUT || kind == Fault.Kind.STALL ? Integer.MAX_VALUE
        : kind == Fault.Kind.FLIP || kind == Fault.Kind.DELAY ? 1 : 2 * (1 + random.nextInt(50));
    return new Fault(kind, child.node.uuid, -1, up, offset, length,
        kind == Fault.Kind.DELAY ? 1 + random.nextInt(5) : 1 + random.nextInt(255));
  }

  /** Whether some link carries fewer rows than there are. */
  boolean isNarrow() {
    return NarrowLinks.isNarrow(plan.root);
  }

  /** Length of all that a child sends in a repair that goes well. */
  private long bytesUp(PlanNode child) {
    SliceGeometry geometry = plan.geometry;
    int header = new PacketHeader(4, 0, 0, false, 0, false).getSerializedSize();
    long bytes = PartialSumResponse.withFeatures(PartialSumResponse.ready(SimCluster.CHECKSUM),
        RequestFeatures.KNOWN).getSerializedSize() + 1 + header;
    for (int slice = 0; slice < geometry.slices(); slice++) {
      SliceKind kind = geometry.kind(slice);
      if (child.contributes(kind)) {
        int lost = NarrowLinks.rowsAbove(child, plan.targets.size(), geometry.subChunks(), kind);
        bytes += header + (lost + (kind.checked ? 1 : 0)) * (4L + geometry.length(slice));
      }
    }
    return bytes;
  }

  /**
   * Runs the repair.
   *
   * @return what should not be, empty if all is well
   */
  List<String> run() throws InterruptedException {
    List<String> problems = new ArrayList<>();
    String destination = plan.root.node.uuid;
    SimNode host = cluster.node(plan.root.node);
    DestinationSession rebuild = new DestinationSession(plan, request, host, cluster,
        cluster.kernelOf(destination),
        host.memory(), nanoClock);
    RepairException error = null;
    try (DestinationSession running = rebuild) {
      running.run(cluster, new SlowLimit(new RateMemory(), 1, 0));
    } catch (RepairException e) {
      error = e;
      outcome = e.failureCause;
    } catch (RuntimeException e) {
      problems.add("the destination ended with " + e + " at " + Arrays.toString(e.getStackTrace()));
    }
    problems.addAll(cluster.leftovers(SESSIONS_END_MS));
    if (problems.isEmpty()) {
      judge(rebuild, Optional.ofNullable(error), problems);
    }
    return problems;
  }

  private void judge(DestinationSession rebuild, Optional<RepairException> error,
      List<String> problems) {
    if (error.isPresent()) {
      if (!rebuild.committed().isEmpty()) {
        problems.add("units " + rebuild.committed() + " were committed in spite of " + error);
      }
      for (PlanTarget target : plan.targets) {
        if (cluster.committed(target.unit) != null) {
          problems.add("unit " + target.unit + " was committed in spite of " + error);
        }
      }
      judgeError(error.get(), problems);
    } else {
      judgeResult(rebuild, problems);
    }
  }

  private boolean happened(Fault.Kind... kinds) {
    return fault != null && fault.triggered() && Arrays.asList(kinds).contains(fault.kind);
  }

  private void judgeError(RepairException error, List<String> problems) {
    String problem = "the error is " + error;
    if (fault == null) {
      problems.add(problem);
      return;
    }
    boolean inPlan = error.node.equals(plan.root.node);
    List<NodeRef> involved = new ArrayList<>();
    plan.root.forEach(node -> {
      involved.add(node.node);
      node.sources.forEach(source -> involved.add(source.holder));
    });
    inPlan |= involved.contains(error.node);
    FailureCause cause = error.failureCause;
    if (inLimbo && inPlan && EnumSet.of(FailureCause.STALLED, FailureCause.DEAD,
        FailureCause.OVERLOADED, FailureCause.UNREACHABLE).contains(cause)) {
      // With short timeouts a busy machine is enough.
      return;
    }
    if (!fault.triggered() && fault.kind != Fault.Kind.OVERLOAD) {
      problems.add(problem + " though nothing went wrong");
    } else if (!expected(error)) {
      problems.add(problem + ", which is not what one expects");
    }
  }

  private boolean expected(RepairException error) {
    boolean there = error.node.uuid.equals(fault.uuid);
    FailureCause cause = error.failureCause;
    NodeRef reader = reader();
    switch (fault.kind) {
      case REFUSE:
        return there && cause == FailureCause.UNREACHABLE;
      case CUT:
        // A node that closes before its answer counts as too busy.
        return there && (cause == FailureCause.DEAD || cause == FailureCause.OVERLOADED
            || cause == FailureCause.UNREACHABLE);
      case LOSE:
      case FLIP:
      case DUPLICATE:
      case SWAP:
        return there;
      case CORRUPT:
        return there && cause == FailureCause.CORRUPT_REPLICA;
      case MISSING:
        return there && cause == FailureCause.NO_SUCH_BLOCK;
      case DISK:
        return there && cause
            == (reader.uuid.equals(fault.uuid) ? FailureCause.INTERNAL : FailureCause.DEAD);
      case BUG:
        return error.node.equals(reader) && cause == FailureCause.INTERNAL;
      case TOKEN:
        return there && cause == FailureCause.ACCESS_TOKEN;
      case OVERLOAD:
        return there && cause == FailureCause.OVERLOADED;
      case SILENT:
      case EVIL:
        return cause == FailureCause.VERIFICATION && plan.check().isPresent()
            && error.node.equals(plan.root.node);
      case SINK_OPEN:
      case SINK_WRITE:
      case SINK_COMMIT:
        return there && cause == FailureCause.WRITE && plan.targets.size() == 1;
      default:
        return false;
    }
  }

  /** Returns the node that reads the unit of the fault. */
  private NodeRef reader() {
    List<NodeRef> readers = new ArrayList<>();
    plan.root.forEach(node -> node.sources.stream()
        .filter(source -> source.unit == fault.unit)
        .forEach(source -> readers.add(node.node)));
    return readers.isEmpty() ? null : readers.get(0);
  }

  private void judgeResult(DestinationSession rebuild, List<String> problems) {
    if (fault != null && fault.kind == Fault.Kind.OVERLOAD
        || happened(Fault.Kind.REFUSE, Fault.Kind.CUT, Fault.Kind.CORRUPT, Fault.Kind.MISSING,
            Fault.Kind.DISK, Fault.Kind.BUG, Fault.Kind.TOKEN, Fault.Kind.STALL,
            Fault.Kind.STOCK_STALL)) {
      problems.add("the fault went unnoticed");
    }
    if (fault != null && fault.kind == Fault.Kind.TOKEN
        && !fault.uuid.equals(plan.root.node.uuid)) {
      problems.add("no node asked for the token");
    }
    SliceGeometry geometry = plan.geometry;
    for (int slice = 0; slice < geometry.slices(); slice++) {
      if (plan.check().isPresent() && geometry.checked(slice) && wrong(slice)
          && canBeFound(slice)) {
        problems.add("slice " + slice + " is wrong and was checked, but not found");
      }
    }
    int checked = 0;
    for (int slice = 0; slice < geometry.slices(); slice++) {
      checked += geometry.checked(slice) ? 1 : 0;
    }
    if (rebuild.slicesVerified() != checked) {
      problems.add(rebuild.slicesVerified() + " slices were verified, not " + checked);
    }
    for (int i = 0; i < plan.targets.size(); i++) {
      judgeUnit(rebuild, i, problems);
    }
  }

  private void judgeUnit(DestinationSession rebuild, int index, List<String> problems) {
    int unit = plan.targets.get(index).unit;
    byte[] got = cluster.committed(unit);
    boolean failed = fault != null && fault.triggered() && fault.unit == unit
        && fault.kind.compareTo(Fault.Kind.SINK_OPEN) >= 0;
    if (failed != (got == null) || failed == rebuild.committed().contains(unit)
        || failed != (rebuild.writeFailure(index) != null)) {
      problems.add("unit " + unit + " should " + (failed ? "not " : "") + "be committed: "
          + rebuild.committed() + ", " + rebuild.writeFailure(index));
      return;
    }
    byte[] right = data.unit(unit);
    if (failed) {
      return;
    } else if (got.length != right.length) {
      problems.add("unit " + unit + " has " + got.length + " bytes, not " + right.length);
      return;
    }
    SliceGeometry geometry = plan.geometry;
    for (int slice = 0; slice < geometry.slices(); slice++) {
      for (int run = 0; run < geometry.runs(slice); run++) {
        int from = (int) geometry.offset(slice, run);
        int to = from + geometry.lengthWithin(slice, run, right.length);
        if (!wrong(slice) && to > from && !Arrays.equals(got, from, to, right, from, to)) {
          problems.add("unit " + unit + " is wrong in slice " + slice);
        }
      }
    }
  }

  /** Whether a node gave wrong sums for a slice in a way that only the check can find. */
  private boolean wrong(int slice) {
    SliceGeometry geometry = plan.geometry;
    if (happened(Fault.Kind.SILENT)) {
      for (int run = 0; run < geometry.runs(slice); run++) {
        long start = geometry.offset(slice, run);
        if (fault.offset >= start && fault.offset < start + geometry.length(slice)) {
          return reads(slice, run);
        }
      }
      return false;
    }
    boolean[] wrong = new boolean[1];
    if (happened(Fault.Kind.EVIL)) {
      plan.root.forEach(node -> {
        if (node.node.uuid.equals(fault.uuid)) {
          // A node that derives rows does this wrongly, too, and its errors may cancel. All are in
          // the first row that it computes, so that no checked slice may have a wrong byte. The
          // same holds if a node above sends fewer rows: it may drop the wrong one.
          wrong[0] = derives(node) || hasNarrowLinkAbove(plan.root, node)
              ? !plan.check().isPresent() || !geometry.checked(slice)
              : firstHasContent(node, slice);
        }
      });
    }
    return wrong[0];
  }

  /** Whether a node on the way from {@code node} up to {@code top} sends fewer rows. */
  private static boolean hasNarrowLinkAbove(PlanNode top, PlanNode node) {
    return top.children.stream().anyMatch(child -> isBelow(child, node)
        && (child.sentRows().isPresent() || hasNarrowLinkAbove(child, node)));
  }

  private static boolean isBelow(PlanNode top, PlanNode node) {
    return top.children.stream().anyMatch(child -> child == node || isBelow(child, node));
  }

  private static boolean derives(PlanNode node) {
    return node.children.stream().anyMatch(child ->
        child.sentRows().isPresent() || node.sentRows().isPresent());
  }

  /**
   * Whether anything says what the bytes that the fault changed should be. With k whole units and
   * one more there always is; a code that has lost more may have units left that stand alone.
   */
  private boolean canBeFound(int slice) {
    if (fault.kind != Fault.Kind.SILENT) {
      // What adds wrongly leaves the check row alone.
      return true;
    }
    boolean tail = plan.geometry.kind(slice).tail;
    LinearCode code = tail ? data.code.remainderCode().get() : data.code;
    int run = 0;
    while (fault.offset - plan.geometry.offset(slice, run) >= plan.geometry.length(slice)) {
      run++;
    }
    SubChunk wrong = SubChunk.of(fault.unit, run);
    Set<Integer> known = new TreeSet<>();
    for (int unit = 0; unit < code.units(); unit++) {
      if (data.unit(unit).length == 0) {
        known.add(unit);
      }
    }
    List<Integer> read = new ArrayList<>();
    plan.root.forEach(node -> node.sources.forEach(source -> read.add(source.unit)));
    // A plan does not read from a node that cannot skip slices only for the check.
    snapshot.live.stream().filter(holder -> read.contains(holder.unit)
        || holder.node.runsExtension()).forEach(holder -> known.add(holder.unit));
    List<SubChunk> others = new ArrayList<>(
        code.subChunksOf(known.stream().mapToInt(Integer::intValue).toArray()));
    others.remove(wrong);
    return code.express(wrong, others).isPresent();
  }

  /** Whether the run that the fault is in counts for a slice. */
  private boolean reads(int slice, int run) {
    List<RepairSource> sources = new ArrayList<>();
    plan.root.forEach(node -> sources.addAll(node.sources));
    return sources.stream().anyMatch(source -> source.unit == fault.unit
        && source.contributes(plan.geometry.kind(slice), run));
  }

  /** Of an evil node only the first coefficient is wrong. */
  private boolean firstHasContent(PlanNode node, int slice) {
    SliceGeometry geometry = plan.geometry;
    boolean tail = geometry.kind(slice).tail;
    if (node.sentRows().map(sent -> sent.count(tail) == 0).orElse(false)) {
      // It sends nothing but the check row, with which no byte can become wrong.
      return false;
    }
    for (RepairSource source : node.sources) {
      for (int run = 0; run < geometry.runs(slice); run++) {
        if (source.contributes(geometry.kind(slice), run)) {
          return data.hasContent(source.unit, geometry.offset(slice, run),
              geometry.length(slice));
        }
      }
    }
    return false;
  }

  /** What kind of repair it was and how it ended, in a few words. */
  String summary() {
    String links = isNarrow() ? ", narrow links" : "";
    return fault == null ? "no fault: " + plan.topology + links
        : fault.kind + (fault.triggered() || fault.kind == Fault.Kind.OVERLOAD ? "" : " missed")
        + ": " + (outcome == null ? "rebuilt" : outcome) + links;
  }

  @Override
  public String toString() {
    return "seed " + seed + ": " + data + ", " + plan + ", targets " + plan.targets
        + ", slices of " + plan.geometry.sliceBytes() + ", check 1 in "
        + plan.geometry.checkOneIn + ", fault: " + fault;
  }
}
