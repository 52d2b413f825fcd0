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

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.security.token.Token;
import org.hdfsppr.coder.code.Codes;
import org.hdfsppr.coder.code.LinearCode;
import org.hdfsppr.coder.code.PprCodec;
import org.hdfsppr.coder.code.RepairOption;
import org.hdfsppr.coder.convert.Conversion;
import org.hdfsppr.coder.gf.Kernels;
import org.hdfsppr.manage.CommandTarget;
import org.hdfsppr.manage.RepairCommand;
import org.hdfsppr.plan.BlockRef;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.NarrowLinks;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.PlanNode;
import org.hdfsppr.plan.PlanOptions;
import org.hdfsppr.plan.RepairPlan;
import org.hdfsppr.plan.RepairPlanner;
import org.hdfsppr.plan.SliceKind;
import org.hdfsppr.plan.TreeTopologies;
import org.hdfsppr.plan.UnitHolder;
import org.hdfsppr.wire.FailureCause;
import org.hdfsppr.wire.PartialSumRequest;
import org.hdfsppr.wire.RepairException;
import org.hdfsppr.wire.RequestBounds;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Commands that make the units of another code of the units that are stored, by trees of nodes, and
 * compare them with what the other code's own encoder writes.
 */
@InterfaceAudience.Private
@Timeout(300)
class TestCodeChanges {
  private static final GroupId GROUP = SimRepair.GROUP;
  private static final Configuration CONF = new Configuration(false);
  private static final int SLICE_BYTES = 512;
  private static final RequestLimits LIMITS =
      new RequestLimits(SLICE_BYTES, 10_000, Kernels.select(Kernels.AUTO));

  private final ExecutorService threads = Executors.newCachedThreadPool();
  /** A block group by the old code, and the same data by the new one. */
  private StripedGroup old;
  private StripedGroup changed;
  private Conversion conversion;
  private int checkOneIn = 1;
  private Fault fault;
  private RepairPlan plan;

  @AfterEach
  void stop() {
    threads.shutdownNow();
  }

  private static Stream<String> codes() {
    return Stream.concat(
        Arrays.stream(PprCodec.values()).flatMap(codec -> codec.shippedCodes().stream())
            .map(LinearCode::name),
        Stream.of("rs-6-3", "rs-10-4", "rs-12-4"));
  }

  private static int[] numbers(String name) {
    String[] words = name.split("-");
    return new int[] {Integer.parseInt(words[words.length - 2]),
        Integer.parseInt(words[words.length - 1])};
  }

  private static String codec(String name) {
    int[] n = numbers(name);
    return name.substring(0, name.length() - ("-" + n[0] + "-" + n[1]).length());
  }

  private static Stream<Arguments> pairs(boolean withHadoopsOwn) {
    return codes().flatMap(from -> codes()
        .filter(to -> !to.equals(from) && numbers(to)[0] == numbers(from)[0])
        .filter(to -> withHadoopsOwn == (codec(from).equals("rs") || codec(to).equals("rs")))
        .map(to -> Arguments.of(from, to)));
  }

  /** From Hadoop's own codes and back. */
  static Stream<Arguments> pairsWithHadoopsOwn() {
    return pairs(true);
  }

  /** From one of the project's codes to another. */
  static Stream<Arguments> otherPairs() {
    return pairs(false);
  }

  private void group(String from, String to, int cellBytes, long groupBytes, long seed)
      throws IOException {
    int[] one = numbers(from);
    int[] other = numbers(to);
    old = StripedGroup.of(Codes.forCodec(CONF, codec(from), one[0], one[1]), cellBytes, groupBytes,
        new Random(seed));
    changed = StripedGroup.of(Codes.forCodec(CONF, codec(to), other[0], other[1]), cellBytes,
        groupBytes, new Random(seed));
    conversion = Conversion.of(old.code, changed.code);
  }

  /** The node of a unit of the old code, and the node that makes a unit of the new one. */
  private static NodeRef node(int number) {
    return SimRepair.node(number, true);
  }

  /** Where a unit of the new code goes: to the node of the old one with this index, if any. */
  private NodeRef target(int unit) {
    return node(unit < old.code.units() ? unit : 100 + unit);
  }

  /** The blocks of the combined code. */
  private List<BlockRef> blocks() {
    BlockRef[] blocks = new BlockRef[conversion.combined().units()];
    for (int unit = 0; unit < old.code.units(); unit++) {
      if (conversion.oldUnit(unit) != Conversion.NONE) {
        blocks[conversion.oldUnit(unit)] = block(conversion.oldUnit(unit), old.unit(unit).length);
      }
    }
    for (int unit = old.code.dataUnits(); unit < changed.code.units(); unit++) {
      blocks[conversion.newUnit(unit)] =
          block(conversion.newUnit(unit), changed.unit(unit).length);
    }
    return Arrays.asList(blocks);
  }

  private static BlockRef block(int index, long bytes) {
    return new BlockRef(GROUP.poolId, GROUP.groupId + index, GROUP.generationStamp, bytes);
  }

  /**
   * Orders some units of the new code.
   *
   * @param readable units of the combined code that may be read, in this order
   */
  private RepairCommand command(List<Integer> made, String topology, boolean byDecoding,
      int... readable) {
    List<UnitHolder> live = new ArrayList<>();
    for (int index : readable) {
      int unit = oldUnitAt(index);
      if (old.unit(unit).length > 0) {
        live.add(new UnitHolder(index, node(unit)));
      }
    }
    return new RepairCommand(RepairCommand.of("make", 1, GROUP, old.groupBytes)
        .setCodec(conversion.codecName()).setDataUnits(conversion.combined().dataUnits())
        .setParityUnits(conversion.combined().parityUnits()).setCellBytes(old.cellBytes)
        .setTopology(topology).setByDecoding(byDecoding).setDeadlineMs(1000), blocks(), live,
        made.stream().map(unit -> new CommandTarget(conversion.newUnit(unit), target(unit), "s",
        StorageType.DISK)).collect(Collectors.toList()));
  }

  private int oldUnitAt(int index) {
    return IntStream.range(0, old.code.units())
        .filter(unit -> conversion.oldUnit(unit) == index).findFirst().getAsInt();
  }

  private int[] allOld() {
    return IntStream.range(0, old.code.units()).map(conversion::oldUnit)
        .filter(index -> index != Conversion.NONE).toArray();
  }

  /** Carries a command out as a DataNode does, and returns the cluster on which it has run. */
  private SimCluster make(RepairCommand command) throws Exception {
    LinearCode code = Codes.forCodec(CONF, command.codec, command.group.dataUnits(),
        command.group.parityUnits());
    PlanOptions options = new PlanOptions(TreeTopologies.byName(command.topology), SLICE_BYTES,
        checkOneIn, 0).inGivenOrder().withNarrowLinks(node -> true);
    plan = RepairPlanner.plan(command.group, code,
        command.byDecoding ? options.byDecoding() : options);
    Map<BlockRef, Token<BlockTokenIdentifier>> tokens = new HashMap<>();
    plan.root.forEach(node -> node.sources.forEach(source -> {
      assertTrue(source.unit < RequestBounds.UNITS_MAX, "requests name " + source.unit);
      tokens.put(source.block, SimCluster.tokenFor(source.block.blockId));
    }));
    PartialSumRequest request = new PartialSumRequest(PartialSumRequest.of("make", plan.lostRows(),
        plan.checkRows(), 10_000), GROUP, plan.geometry, plan.root, tokens);
    LIMITS.admit(request);
    SimCluster cluster = new SimCluster(GROUP, threads, Kernels.select(Kernels.AUTO),
        new SimCluster.LinkStyle(8192, true, Integer.MAX_VALUE, 1), System::nanoTime, fault);
    for (UnitHolder holder : command.group.live) {
      cluster.node(holder.node).store(holder.unit, old.unit(oldUnitAt(holder.unit)));
    }
    for (UnitHolder target : command.group.targets) {
      cluster.node(target.node).expect(target.unit, command.group.unitBytes(target.unit));
    }
    SimNode host = cluster.node(command.destination());
    try (DestinationSession rebuild = new DestinationSession(plan, request, host, cluster,
        Kernels.select(Kernels.AUTO), host.memory(), System::nanoTime)) {
      rebuild.run(cluster, new SlowLimit(new RateMemory(), 1, 0));
    } finally {
      assertEquals(Collections.emptyList(), cluster.leftovers(10_000));
    }
    return cluster;
  }

  private void assertMade(RepairCommand command, List<Integer> made, String how)
      throws Exception {
    SimCluster cluster = make(command);
    for (int unit : made) {
      assertArrayEquals(changed.unit(unit), cluster.committed(conversion.newUnit(unit)),
          conversion + ", unit " + unit + " " + how);
    }
  }

  /** How many units cross links, without those of the check. */
  private double unitsMoved() {
    double[] rows = {plan.targets.stream()
        .filter(target -> !target.node.equals(plan.root.node)).count()
        * plan.geometry.subChunks()};
    plan.root.forEach(node -> {
      for (PlanNode child : node.children) {
        rows[0] += !child.contributes(SliceKind.PLAIN) ? 0 : NarrowLinks.rowsAbove(child,
            plan.targets.size(), plan.geometry.subChunks(), SliceKind.PLAIN);
      }
    });
    return rows[0] / plan.geometry.subChunks();
  }

  /**
   * One of some group lengths around the ends of cells and stripes. The tests of all pairs of codes
   * together take each of them often.
   */
  private static long length(int k, int cell, Random random) {
    long[] all = {1, cell - 1, 1 + random.nextInt(cell), 2L * cell + 1, (long) cell * k,
        (long) cell * (k + 2) + 7, (long) cell * k + 1 + random.nextInt(cell * k)};
    return all[random.nextInt(all.length)];
  }

  @ParameterizedTest(name = "{0} to {1}")
  @MethodSource("pairsWithHadoopsOwn")
  void everyRecipeMakesTheUnit(String from, String to) throws Exception {
    makeByAllRecipes(from, to);
  }

  @ParameterizedTest(name = "{0} to {1}")
  @Tag("slow")
  @MethodSource("otherPairs")
  void everyRecipeMakesTheUnitOfAnotherOfOurCodes(String from, String to) throws Exception {
    makeByAllRecipes(from, to);
  }

  private void makeByAllRecipes(String from, String to) throws Exception {
    long seed = 20261125 + 31 * from.hashCode() + to.hashCode();
    Random random = new Random(seed);
    long bytes = length(numbers(from)[0], 1024, random);
    group(from, to, 1024, bytes, seed);
    String how = "of " + bytes + " bytes, seed " + seed;
    for (int unit : conversion.made()) {
      List<RepairOption> options = conversion.combined().repairOptions(
          new int[] {conversion.newUnit(unit)}, allOld());
      for (RepairOption option : options) {
        int[] first = IntStream.concat(Arrays.stream(option.equation().helperUnits()),
            Arrays.stream(allOld())).distinct().toArray();
        assertMade(command(List.of(unit), random.nextBoolean() ? "chain" : "star", true, first),
            List.of(unit), "by " + option.name() + " " + how);
      }
      assertMade(command(List.of(unit), "rack", false, allOld()), List.of(unit), how);
    }
    if (!conversion.made().isEmpty()) {
      assertMade(command(conversion.made(), "star", true, allOld()), conversion.made(),
          "together, " + how);
    }
  }

  /** With a data unit gone, the old parities give what is missing, as far as they can be used. */
  @ParameterizedTest(name = "{0} to {1}")
  @CsvSource({"rs-10-4, hitchhiker-nonxor-10-4", "rs-6-3, lrc-rs-l2-6-4", "lrc-rs-l2-6-4, rs-6-3",
      "hitchhiker-nonxor-10-4, rs-10-4", "less-a4-10-4, lrc-l2-10-6", "rs-12-4, less-a4-12-4"})
  void aUnitIsMadeWithoutALostOne(String from, String to) throws Exception {
    group(from, to, 1024, 1024L * numbers(from)[0] + 300, 3);
    for (int lost : new int[] {0, 1, old.code.dataUnits()}) {
      int[] left = Arrays.stream(allOld()).filter(index -> index != lost).toArray();
      for (int unit : conversion.made()) {
        assertMade(command(List.of(unit), "chain", true, left), List.of(unit), "without " + lost);
      }
      assertMade(command(conversion.made(), "star", true, left), conversion.made(),
          "without " + lost);
    }
  }

  /** Half units that each link carries once, and a maker that reads its own old parity. */
  @ParameterizedTest
  @ValueSource(strings = {"chain", "star", "rack"})
  void hitchhikerPatchesMoveFourAndAHalfUnits(String topology) throws Exception {
    for (String[] codes : new String[][] {{"rs-10-4", "hitchhiker-nonxor-10-4"},
        {"hitchhiker-nonxor-10-4", "rs-10-4"}}) {
      group(codes[0], codes[1], 1024, 20 * 1024, 5);
      double moved = 0;
      for (int unit : conversion.made()) {
        assertMade(command(List.of(unit), topology, false, allOld()), List.of(unit), topology);
        moved += unitsMoved();
        assertTrue(plan.isFullyChecked());
      }
      assertEquals(4.5, moved);
    }
  }

  @Test
  void localParitiesMoveTheirGroups() throws Exception {
    group("rs-6-3", "lrc-rs-l2-6-4", 1024, 12 * 1024, 5);
    double moved = 0;
    for (int unit : conversion.made()) {
      assertMade(command(List.of(unit), "chain", false, allOld()), List.of(unit), "");
      moved += unitsMoved();
    }
    assertEquals(6, moved);
  }

  /** One node receives each source once, although several units are made of it, and sends on. */
  @ParameterizedTest(name = "{0} to {1}")
  @CsvSource({"rs-6-3, lrc-l2-6-4, 4", "rs-10-4, lrc-l2-10-6, 6", "rs-10-4, less-a4-10-4, 4",
      "less-a4-10-4, rs-10-4, 4", "rs-10-4, hitchhiker-xorplus-10-4, 4"})
  void allUnitsOfOneReadingMoveEachSourceOnce(String from, String to, int made)
      throws Exception {
    group(from, to, 1024, 3L * 1024 * numbers(from)[0], 5);
    assertEquals(made, conversion.made().size());
    int k = old.code.dataUnits();
    int own = conversion.oldUnit(k);
    int[] order = IntStream.concat(IntStream.of(own),
        Arrays.stream(allOld()).filter(index -> index != own)).toArray();
    assertMade(command(conversion.made(), "star", true, order), conversion.made(), "together");
    assertEquals(k - 1 + made - 1, unitsMoved());
  }

  /** A wrong byte of any source is found, by relations that did not make the unit. */
  @ParameterizedTest(name = "{0} to {1}")
  @CsvSource({"rs-10-4, hitchhiker-nonxor-10-4, chain, false",
      "rs-10-4, hitchhiker-nonxor-10-4, star, true", "rs-6-3, lrc-rs-l2-6-4, chain, false",
      "rs-6-3, lrc-rs-l2-6-4, star, true", "less-a4-10-4, rs-10-4, star, true"})
  void aWrongSourceIsFound(String from, String to, String topology, boolean together)
      throws Exception {
    group(from, to, 1024, 3L * 1024 * numbers(from)[0], 7);
    List<List<Integer>> orders = together ? List.of(conversion.made())
        : conversion.made().stream().map(List::of).collect(Collectors.toList());
    for (List<Integer> made : orders) {
      RepairCommand command = command(made, topology, together, allOld());
      assertMade(command, made, "");
      assertTrue(plan.isFullyChecked(), plan.toString());
      List<Integer> read = new ArrayList<>();
      plan.root.forEach(node -> node.sources.stream()
          .filter(source -> source.contributes(SliceKind.PLAIN, 0))
          .forEach(source -> read.add(source.unit)));
      assertTrue(read.size() >= 2, read.toString());
      for (int index : read) {
        fault = new Fault(Fault.Kind.SILENT, node(oldUnitAt(index)).uuid, index, true,
            1024 + 5, 1, 0x40);
        RepairException e = assertThrows(RepairException.class, () -> make(command));
        assertEquals(FailureCause.VERIFICATION, e.failureCause);
        assertTrue(fault.triggered(), "unit " + index);
        fault = null;
      }
    }
  }
}
