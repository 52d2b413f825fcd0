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
package org.hdfsppr.bench;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.hdfsppr.coder.cost.RepairCost;
import org.hdfsppr.it.cluster.BlockGroup;
import org.hdfsppr.it.cluster.HdfsProcessCluster;
import org.hdfsppr.it.cluster.UnitFiles;
import org.hdfsppr.it.cluster.Unit;
import org.hdfsppr.it.read.ReadOracle;
import org.hdfsppr.it.util.EcCode;

/**
 * The files of a benchmark and the node that the benchmark takes away. Each file has one full block
 * group. There are enough files for this node to hold a given number of units. The files are
 * written only once, so every run loses the same units. CORE protects the files of a code of CORE,
 * and the lost node then holds units of the parity files, too.
 */
final class NodeLoss {
  private static final Duration WHOLE_LIMIT = Duration.ofMinutes(3);

  final EcCode code;
  private final long blockBytes;
  private final List<Path> files = new ArrayList<>();
  /** The parity files that CORE has made of the files. */
  private final List<Path> parityFiles = new ArrayList<>();
  /** The rows of the CORE group that a block group is in; empty without CORE. */
  private final Map<BlockGroup, List<BlockGroup>> rowsOf = new HashMap<>();
  /** The block groups of the files, then those of the parity files. */
  private final List<BlockGroup> groups = new ArrayList<>();
  private int node;

  private NodeLoss(EcCode code, long blockBytes) {
    this.code = code;
    this.blockBytes = blockBytes;
  }

  /**
   * Writes files until some node holds {@code unitsMin} units. The node with the most units becomes
   * the lost node. Of a code of CORE, the method writes whole CORE groups until the nodes hold
   * {@code unitsMin} units on average, and CORE protects them.
   */
  static NodeLoss write(HdfsProcessCluster cluster, DistributedFileSystem client, EcCode code,
      long blockBytes, int unitsMin) throws IOException, InterruptedException, TimeoutException {
    NodeLoss loss = new NodeLoss(code, blockBytes);
    Path folder = new Path("/bench/" + code.label() + "/node");
    client.mkdirs(folder);
    client.setErasureCodingPolicy(folder, code.policy());
    if (code.filesPerGroup().isPresent()) {
      int members = code.filesPerGroup().getAsInt();
      int groupCount = coreGroups(unitsMin, cluster.spec().nodes, code.units() * (members + 1));
      while (loss.files.size() < groupCount * members) {
        loss.writeFile(cluster, client, folder);
      }
      new CoreProtection(cluster, folder).form(groupCount);
      for (Path file : CoreProtection.parityFiles(client)) {
        loss.addParity(cluster, client, file);
      }
    } else {
      while (Arrays.stream(loss.held(cluster)).max().getAsInt() < unitsMin) {
        loss.writeFile(cluster, client, folder);
      }
    }
    int[] held = loss.held(cluster);
    loss.node = IntStream.range(0, held.length).filter(
        candidate -> held[candidate] == Arrays.stream(held).max().getAsInt()).findFirst()
        .getAsInt();
    return loss;
  }

  private static int coreGroups(int unitsMin, int nodes, int unitsOfGroup) {
    return (unitsMin * nodes + unitsOfGroup - 1) / unitsOfGroup;
  }

  private void writeFile(HdfsProcessCluster cluster, DistributedFileSystem client, Path folder)
      throws IOException, InterruptedException, TimeoutException {
    Path file = new Path(folder, "f" + files.size());
    new ReadOracle(files.size()).write(client, file, blockBytes, fileBytes());
    files.add(file);
    groups.add(wholeGroup(cluster, client, file, code));
  }

  private void addParity(HdfsProcessCluster cluster, DistributedFileSystem client, Path file)
      throws IOException, InterruptedException, TimeoutException {
    Map<Long, BlockGroup> byInode = new HashMap<>();
    for (int i = 0; i < files.size(); i++) {
      byInode.put(inode(client, files.get(i)), groups.get(i));
    }
    parityFiles.add(file);
    groups.add(wholeGroup(cluster, client, file, code));
    List<BlockGroup> rows = CoreProtection.members(client, file).stream().map(byInode::get)
        .collect(Collectors.toList());
    rows.add(groups.get(groups.size() - 1));
    rows.forEach(row -> rowsOf.put(row, rows));
  }

  private static long inode(DistributedFileSystem client, Path file) throws IOException {
    return ((HdfsFileStatus) client.getFileStatus(file)).getFileId();
  }

  /** Returns how many units each node holds, by its number. */
  private int[] held(HdfsProcessCluster cluster) {
    int[] held = new int[cluster.spec().nodes + 1];
    groups.forEach(group -> group.units.forEach(unit -> held[unit.node]++));
    return held;
  }

  private static BlockGroup wholeGroup(HdfsProcessCluster cluster, DistributedFileSystem client,
      Path file, EcCode code) throws IOException, InterruptedException, TimeoutException {
    AwaitedUnits.known(cluster, client, file, code, WHOLE_LIMIT);
    return BlockGroup.of(cluster, client, file).get(0);
  }

  /** Returns the paths of the files; a {@link ReadOracle} with seed i wrote file i. */
  List<String> paths() {
    return files.stream().map(file -> file.toUri().getPath()).collect(Collectors.toList());
  }

  /** Returns the length of each file, bytes. */
  long fileBytes() {
    return blockBytes * code.dataUnits();
  }

  /** Returns the number of the lost node. */
  int node() {
    return node;
  }

  /** Returns the number of files, those of CORE's parity among them. */
  int files() {
    return files.size() + parityFiles.size();
  }

  /** Returns the units that the lost node held. */
  List<Unit> units() {
    return groups.stream().flatMap(group -> group.on(node).stream())
        .collect(Collectors.toList());
  }

  /** Returns one unit from each of the given nodes. Nodes that hold no unit are left out. */
  List<Unit> oneUnitOfEach(List<Integer> nodes) {
    return nodes.stream().flatMap(each -> groups.stream()
        .flatMap(group -> group.on(each).stream()).limit(1)).collect(Collectors.toList());
  }

  /**
   * Returns the units that the cluster must rebuild, each with the nodes that can help to rebuild
   * it. The units of a CORE group's column can do so, as well as those of its row.
   */
  List<LostUnit> lost() {
    List<LostUnit> lost = new ArrayList<>();
    Map<Integer, List<int[]>> helperSets = new HashMap<>();
    for (BlockGroup group : groups) {
      if (group.on(node).isPresent()) {
        int index = group.on(node).get().index;
        Map<Integer, Integer> nodeOf = group.units.stream()
            .filter(unit -> unit.index != index)
            .collect(Collectors.toMap(unit -> unit.index, unit -> unit.node));
        if (rowsOf.containsKey(group)) {
          lost.add(lostOfCore(group, index, Set.copyOf(nodeOf.values())));
        } else {
          lost.add(new LostUnit(blockBytes,
              RepairCost.of(code.code, index).unitsRead(), List.copyOf(nodeOf.values()),
              helperSets.computeIfAbsent(index, unit -> HelperSets.of(code.code, unit)).stream()
                  .map(set -> Arrays.stream(set).mapToObj(nodeOf::get)
                      .collect(Collectors.toList()))
                  .collect(Collectors.toList())));
        }
      }
    }
    return lost;
  }

  /**
   * Any t holders count as helpers here, although only the t of the column are enough. The bound is
   * thus lower than with the sets of helpers themselves.
   */
  private LostUnit lostOfCore(BlockGroup group, int index, Set<Integer> row) {
    Set<Integer> holders = new TreeSet<>(row);
    rowsOf.get(group).stream().filter(other -> other != group)
        .flatMap(other -> other.replicasOf(index).stream())
        .forEach(replica -> holders.add(replica.node));
    holders.remove(node);
    return new LostUnit(blockBytes, code.requireFilesPerGroup(), List.copyOf(holders));
  }

  /**
   * Returns true if the NameNode knows, for every lost unit, a replica on a node other than the
   * lost node.
   */
  boolean isRebuilt(HdfsProcessCluster cluster, DistributedFileSystem client) throws IOException {
    List<Path> all = new ArrayList<>(files);
    all.addAll(parityFiles);
    for (int i = 0; i < all.size(); i++) {
      if (groups.get(i).on(node).isPresent()) {
        long elsewhere = BlockGroup.of(cluster, client, all.get(i)).get(0).units.stream()
            .filter(unit -> unit.node != node).mapToInt(unit -> unit.index).distinct().count();
        if (elsewhere != code.units()) {
          return false;
        }
      }
    }
    return true;
  }

  /**
   * Lists the faults of the rebuilt replicas. The data and checksums of a rebuilt replica must
   * equal those of the replica that is still on the lost node's disk.
   */
  List<String> wrongReplicas(HdfsProcessCluster cluster) throws IOException {
    List<String> wrong = new ArrayList<>();
    for (Unit unit : units()) {
      String lost = UnitFiles.of(cluster, node, unit.block).digest();
      int rebuilt = 0;
      for (int other = 1; other <= cluster.spec().nodes; other++) {
        UnitFiles replica = UnitFiles.of(cluster, other, unit.block);
        if (other != node && replica.exists()) {
          rebuilt++;
          if (!replica.digest().equals(lost)) {
            wrong.add(unit + " differs on dn" + other);
          }
        }
      }
      if (rebuilt == 0) {
        wrong.add(unit + " is nowhere else");
      }
    }
    return wrong;
  }

  /**
   * Reads all files, and lists those that cannot be read or whose bytes differ from the written
   * bytes.
   */
  List<String> wrongFiles(DistributedFileSystem client) {
    List<String> wrong = new ArrayList<>();
    for (int i = 0; i < files.size(); i++) {
      try {
        if (!new ReadOracle(i).isContentOf(client, files.get(i), fileBytes())) {
          wrong.add(files.get(i) + " has other bytes");
        }
      } catch (IOException e) {
        wrong.add(files.get(i) + " cannot be read: " + e);
      }
    }
    return wrong;
  }

  /** Returns all nodes except the lost node. */
  List<Integer> others(HdfsProcessCluster cluster) {
    return Collections.unmodifiableList(IntStream.rangeClosed(1, cluster.spec().nodes)
        .filter(other -> other != node).boxed().collect(Collectors.toList()));
  }
}
