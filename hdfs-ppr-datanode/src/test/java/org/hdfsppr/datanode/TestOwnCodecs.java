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
package org.hdfsppr.datanode;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.protocol.BlockLocalPathInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.hdfsppr.coder.code.LinearCode;
import org.hdfsppr.coder.code.PprCodec;
import org.hdfsppr.coder.cost.CodeCost;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.datanode.repair.SmallSlices;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Repairs files that a stock client wrote under policies of the project's codecs. Rebuilt units
 * equal the lost units, data and checksums, and the repair of one unit reads no more than the
 * code's recipe says.
 */
class TestOwnCodecs {
  private static final int CELL = 16 << 10;
  private static final int STRIPES = 2;
  /** The number of nodes: those of a group of the widest code, and two for rebuilt units. */
  private static final int NODES = LinearCode.MAX_UNITS + 2;

  @TempDir
  static File checkedDirectory;
  @TempDir
  static File directory;
  private static RepairCluster checked;
  /** A cluster whose repairs do not check their results, because a check reads more units. */
  private static RepairCluster unchecked;

  @BeforeAll
  static void start() throws IOException {
    checked = start(checkedDirectory, "full", NODES);
    unchecked = start(directory, "off", NODES);
  }

  private static RepairCluster start(File dir, String verify, int nodes) throws IOException {
    Configuration conf = RepairCluster.configuration(dir);
    conf.set(PprKeys.VERIFY_KEY, verify);
    // Slices are so small that each sub-chunk has several.
    SmallSlices.configure(conf);
    return RepairCluster.start(conf, nodes);
  }

  @AfterAll
  static void stop() {
    checked.close();
    unchecked.close();
  }

  static Stream<Family> families() throws IOException {
    List<Family> families = new ArrayList<>();
    for (PprCodec codec : PprCodec.values()) {
      for (LinearCode code : codec.shippedCodes()) {
        families.add(new Family(codec, code));
      }
    }
    return families.stream();
  }

  /** One code of each codec, for the runs that every change has to pass. */
  static Stream<Family> someFamilies() throws IOException {
    List<Family> families = new ArrayList<>();
    for (PprCodec codec : PprCodec.values()) {
      codec.shippedCodes().stream().limit(1).forEach(code ->
          families.add(new Family(codec, code)));
    }
    return families.stream();
  }

  /** A codec with certain numbers of data and parity units. */
  private static final class Family {
    private final PprCodec codec;
    private final LinearCode code;

    Family(PprCodec codec, LinearCode code) {
      this.codec = codec;
      this.code = code;
    }

    Path directory(RepairCluster cluster) throws IOException {
      return cluster.directory(codec, code, CELL);
    }

    @Override
    public String toString() {
      return code.name();
    }
  }

  /** A replica as the client wrote it: the paths and contents of its two files. */
  private static final class Replica {
    private final ExtendedBlock block;
    private final DataNode datanode;
    private final byte[] data;
    private final byte[] meta;

    Replica(RepairCluster cluster, LocatedStripedBlock group, int unit) throws IOException {
      block = RepairCluster.internalBlock(group, unit);
      datanode = cluster.datanode(RepairCluster.holders(group).get(unit));
      BlockLocalPathInfo files = datanode.getFSDataset().getBlockLocalPathInfo(block);
      data = Files.readAllBytes(Paths.get(files.getBlockPath()));
      meta = Files.readAllBytes(Paths.get(files.getMetaPath()));
    }
  }

  /** A file of one group, and the units that it loses. */
  private static final class Victim {
    private final RepairCluster cluster;
    private final Path path;
    private final byte[] content;
    private final LocatedStripedBlock written;
    private final List<Replica> lost = new ArrayList<>();
    private final Set<Integer> lostUnits = new LinkedHashSet<>();

    Victim(RepairCluster cluster, Path path, int bytes) throws IOException {
      this.cluster = cluster;
      this.path = path;
      content = cluster.write(path, bytes, 1L << 20, path.hashCode());
      written = cluster.groups(path).get(0);
    }

    private int units() {
      return written.getLocations().length;
    }

    /**
     * Waits until the NameNode knows all units, which may be a moment after the file was closed.
     */
    void awaitWritten(LinearCode code) {
      int cells = (content.length - 1) / CELL + 1;
      cluster.awaitUnits(path, Math.min(code.dataUnits(), cells) + code.parityUnits());
    }

    /** Loses the given units at once. Units that have no bytes are left out. */
    void lose(LinearCode code, int... units) throws IOException {
      awaitWritten(code);
      LocatedStripedBlock group = cluster.groups(path).get(0);
      Map<Integer, DatanodeInfo> holders = RepairCluster.holders(group);
      for (int unit : units) {
        if (holders.containsKey(unit) && lostUnits.add(unit)) {
          lost.add(new Replica(cluster, group, unit));
        }
      }
      if (lost.size() == 1) {
        RepairCluster.drop(lost.get(0).datanode, lost.get(0).block);
      } else if (!lost.isEmpty()) {
        // One report for all units, because units that are lost one after the other might be
        // rebuilt one by one.
        cluster.report(group, lostUnits.stream().mapToInt(Integer::intValue).toArray());
      }
    }

    void awaitRebuilt() {
      RepairCluster.await("units " + lostUnits + " of " + path + " are back", () ->
          lostUnits.stream().allMatch(unit -> cluster.holds(path, unit)));
    }

    void check() throws IOException {
      LocatedStripedBlock group = cluster.groups(path).get(0);
      int index = 0;
      for (int unit : lostUnits) {
        Replica before = lost.get(index++);
        Replica after = new Replica(cluster, group, unit);
        assertArrayEquals(before.data, after.data, () -> "unit " + unit + " of " + path);
        assertArrayEquals(before.meta, after.meta, () -> "checksums of " + unit + " of " + path);
      }
      assertTrue(cluster.hasContent(path, content), () -> path + " as read");
    }
  }

  /** Returns lengths around the ends of cells and sub-chunks. */
  private static int[] allLengths(LinearCode code) {
    int stripe = code.dataUnits() * CELL;
    return new int[] {stripe + 2 * CELL + CELL / 2 - 1, CELL / 2 + 1, 1, STRIPES * stripe,
        CELL - 1, CELL + 3, stripe - 5, stripe + CELL / 4 + 1, 7};
  }

  private static int[] someLengths(LinearCode code) {
    return Arrays.copyOf(allLengths(code), isSmall(code) ? 4 : 2);
  }

  private static boolean isSmall(LinearCode code) {
    return code.units() <= 10;
  }

  @ParameterizedTest
  @MethodSource("fewFamilies")
  void everySingleUnitComesBack(Family family) throws Exception {
    loseEachUnit(family, someLengths(family.code));
  }

  @ParameterizedTest
  @Tag("slow")
  @MethodSource("families")
  void everySingleUnitOfFilesOfEveryLengthComesBack(Family family) throws Exception {
    loseEachUnit(family, allLengths(family.code));
  }

  private static void loseEachUnit(Family family, int[] lengths) throws IOException {
    Path dir = new Path(family.directory(checked), "single");
    List<Victim> victims = new ArrayList<>();
    for (int bytes : lengths) {
      for (int unit = 0; unit < family.code.units(); unit++) {
        victims.add(new Victim(checked, new Path(dir, bytes + "-" + unit), bytes));
        victims.get(victims.size() - 1).lose(family.code, unit);
      }
    }
    finish(checked, dir, victims);
  }

  /** Codecs of different kinds, for what takes long. */
  static Stream<Family> fewFamilies() throws IOException {
    List<PprCodec> few = List.of(PprCodec.LRC_L2, PprCodec.HITCHHIKER_XORPLUS,
        PprCodec.ROTATED_RS_R4, PprCodec.LESS_A4);
    return someFamilies().filter(family -> few.contains(family.codec));
  }

  /** Small codes lose every pair of units, and the other codes some pairs. */
  @ParameterizedTest
  @MethodSource("fewFamilies")
  void pairsOfUnitsComeBack(Family family) throws Exception {
    losePairs(family, isSmall(family.code) ? 1 : 7);
  }

  @ParameterizedTest
  @Tag("slow")
  @MethodSource("families")
  void allPairsOfUnitsComeBack(Family family) throws Exception {
    losePairs(family, 1);
  }

  private static void losePairs(Family family, int oneIn) throws IOException {
    Path dir = new Path(family.directory(checked), "pairs");
    int[] lengths = allLengths(family.code);
    List<Victim> victims = new ArrayList<>();
    int pairs = 0;
    for (int one = 0; one < family.code.units(); one++) {
      for (int other = one + 1; other < family.code.units(); other++) {
        if (pairs++ % oneIn == 0) {
          int bytes = lengths[victims.size() % lengths.length];
          victims.add(new Victim(checked, new Path(dir, one + "-" + other), bytes));
          victims.get(victims.size() - 1).lose(family.code, one, other);
        }
      }
    }
    finish(checked, dir, victims);
  }

  /**
   * LRC(6,2,2) loses two units in each local group, which its global parities alone could not
   * repair.
   */
  @Test
  void anLrcBearsSomePatternsOfMoreUnitsThanItAlwaysBears() throws Exception {
    Family family = new Family(PprCodec.LRC_L2, PprCodec.LRC_L2.code(6, 4));
    Path dir = new Path(family.directory(checked), "four");
    List<Victim> victims = new ArrayList<>();
    for (int[] lost : new int[][] {{0, 1, 3, 4}, {1, 2, 5, 8}, {0, 6, 7, 3}, {2, 4, 8, 9}}) {
      for (int bytes : someLengths(family.code)) {
        victims.add(new Victim(checked, new Path(dir, bytes + Arrays.toString(lost)), bytes));
        victims.get(victims.size() - 1).lose(family.code, lost);
      }
    }
    finish(checked, dir, victims);
  }

  /**
   * LRC(6,2,2) loses a whole local group and a global parity unit. The other units do not determine
   * these, and the repair must say so.
   */
  @Test
  void whatAnLrcCannotBearIsSaid(@TempDir File dir) throws Exception {
    Family family = new Family(PprCodec.LRC_L2, PprCodec.LRC_L2.code(6, 4));
    try (RepairCluster cluster = start(dir, "full", family.code.units() + 4)) {
      Path path = new Path(family.directory(cluster), "file");
      Victim victim = new Victim(cluster, path, 6 * CELL);
      victim.lose(family.code, 0, 1, 2, 6);
      RepairCluster.await("the plugin says that it cannot repair", () ->
          cluster.counter("FallbacksTooFewHelpers") > 0);
      for (int unit : new int[] {0, 1, 2, 6}) {
        assertFalse(RepairCluster.holders(cluster.groups(path).get(0)).containsKey(unit),
            "unit " + unit + " was made without sources");
      }
      assertThrows(IOException.class, () -> cluster.hasContent(path, victim.content));
    }
  }

  private static void finish(RepairCluster cluster, Path dir, List<Victim> victims)
      throws IOException {
    for (Victim victim : victims) {
      victim.awaitRebuilt();
      victim.check();
    }
    for (String counter : Arrays.asList("RepairsFailed", "VerificationFailures")) {
      assertEquals(0, cluster.counter(counter), counter);
    }
    for (DataNode datanode : cluster.mini().getDataNodes()) {
      RepairCluster.await("transfers are accounted", () -> datanode.getXmitsInProgress() == 0);
    }
    assertTrue(cluster.fs.delete(dir, true));
  }

  @ParameterizedTest
  @MethodSource("someFamilies")
  void oneLostUnitReadsWhatTheRecipeSays(Family family) throws Exception {
    readByRecipe(family);
  }

  @ParameterizedTest
  @Tag("slow")
  @MethodSource("families")
  void oneLostUnitOfEveryCodeReadsWhatTheRecipeSays(Family family) throws Exception {
    readByRecipe(family);
  }

  private static void readByRecipe(Family family) throws Exception {
    Path dir = family.directory(unchecked);
    CodeCost cost = CodeCost.of(family.code);
    long unitBytes = STRIPES * CELL;
    int subChunks = family.code.subChunks();
    double units = 0;
    List<Victim> victims = new ArrayList<>();
    for (int unit = 0; unit < family.code.units(); unit++) {
      victims.add(new Victim(unchecked, new Path(dir, "" + unit),
          family.code.dataUnits() * (int) unitBytes));
      victims.get(unit).awaitWritten(family.code);
    }
    // The cluster has to be idle, because the reads of other repairs would be counted too.
    unchecked.awaitQuiet();
    long before = unchecked.counter("HelperDiskReadBytes");
    for (int unit = 0; unit < family.code.units(); unit++) {
      victims.get(unit).lose(family.code, unit);
      units += cost.repair(unit).unitsRead();
    }
    finish(unchecked, dir, victims);
    // A helper counts its reads when it ends, a moment after the destination has received the last
    // byte.
    RepairCluster.await("helpers are done", () -> unchecked.gauge("HelpersInFlight") == 0);
    // The tail of a cell that the sub-chunks do not divide is read from k units.
    long ofTails = (long) (CELL % subChunks) * family.code.dataUnits() * family.code.units();
    assertEquals(
        (Math.round(units * subChunks) * (CELL / subChunks) + ofTails) * STRIPES,
        unchecked.counter("HelperDiskReadBytes") - before, "bytes read for one lost unit each");
  }
}
