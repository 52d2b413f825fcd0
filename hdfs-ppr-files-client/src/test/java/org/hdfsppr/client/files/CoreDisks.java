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
package org.hdfsppr.client.files;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.util.StripedBlockUtil;
import org.hdfsppr.core.FailureMatrix;
import org.hdfsppr.core.ReedSolomonRow;
import org.hdfsppr.datanode.RepairCluster;
import org.hdfsppr.namenode.model.CoreGroupLookup;
import org.hdfsppr.namenode.model.CoreRows;

/**
 * The block groups of all files as they lie on the disks of the DataNodes, and what must hold for
 * them at any time: replicas never change, columns are zero, and the book knows what is there.
 */
final class CoreDisks {
  private static final String GROUPS = "/.hdfs-ppr/core/groups";

  private final RepairCluster cluster;
  private final int dataUnits;
  private final int units;
  private final int cellBytes;
  private final Supplier<CoreGroupLookup> book;
  private final RecordedMatrix matrices;
  /** The block groups of all files by their ids, as of the last look. */
  private Map<Long, ExtendedBlock> groups = new TreeMap<>();
  private final Map<Long, String> paths = new HashMap<>();
  /** The bytes of internal blocks when they were seen first, by their ids. */
  private final Map<Long, byte[]> known = new HashMap<>();
  /** Blocks of one column that were on one node when their CORE group was seen first. */
  private final Map<Long, Set<String>> together = new HashMap<>();
  /** The nodes of internal blocks when places were checked last, by the blocks' ids. */
  private final Map<Long, Set<String>> places = new HashMap<>();
  private long columns;

  /** @param book returns the book of the NameNode that runs */
  CoreDisks(RepairCluster cluster, int dataUnits, int units, int cellBytes,
      Supplier<CoreGroupLookup> book) {
    this.cluster = cluster;
    this.dataUnits = dataUnits;
    this.units = units;
    this.cellBytes = cellBytes;
    this.book = book;
    this.matrices =
        new RecordedMatrix(new ReedSolomonRow(units, dataUnits), dataUnits, cellBytes);
  }

  /** Looks at the block groups of files and of all parity files of CORE groups. */
  void look(Iterable<String> files) throws IOException {
    Map<Long, ExtendedBlock> now = new TreeMap<>();
    paths.clear();
    for (String file : files) {
      add(now, file);
    }
    for (Path parity : parities()) {
      try {
        add(now, parity.toUri().getPath());
      } catch (FileNotFoundException e) {
        // Its group was dissolved a moment ago.
        continue;
      }
    }
    for (Long id : groups.keySet()) {
      if (!now.containsKey(id)) {
        assertTrue(book.get().rowsOf(id).isEmpty(), () -> "The book names rows beside block group "
            + id + ", which is gone: " + book.get().rowsOf(id));
        for (int unit = 0; unit < units; unit++) {
          known.remove(id + unit);
        }
      }
    }
    groups = now;
  }

  private void add(Map<Long, ExtendedBlock> now, String file) throws IOException {
    for (LocatedBlock block : cluster.fs.getClient()
        .getLocatedBlocks(file, 0, Long.MAX_VALUE).getLocatedBlocks()) {
      if (block.isStriped()) {
        now.put(block.getBlock().getBlockId(), block.getBlock());
        paths.put(block.getBlock().getBlockId(), file);
      }
    }
  }

  /** Returns the parity files of groups, and not those that are being made. */
  List<Path> parities() throws IOException {
    List<Path> files = new ArrayList<>();
    if (cluster.fs.exists(new Path(GROUPS))) {
      RemoteIterator<LocatedFileStatus> all = cluster.fs.listFiles(new Path(GROUPS), true);
      while (all.hasNext()) {
        Path file = all.next().getPath();
        if (isRecorded(file)) {
          files.add(file);
        }
      }
    }
    return files;
  }

  private boolean isRecorded(Path file) throws IOException {
    try {
      return cluster.fs.getXAttrs(file).containsKey("trusted.hdfs-ppr.core-group");
    } catch (FileNotFoundException e) {
      // It was deleted a moment ago.
      return false;
    }
  }

  Set<Long> groups() {
    return groups.keySet();
  }

  ExtendedBlock group(long id) {
    return groups.get(id);
  }

  /** Returns the path of a file that has a block group. */
  String path(long id) {
    return paths.get(id);
  }

  /** Returns the units that a block group has if nothing is lost. */
  private List<Integer> all(ExtendedBlock group) {
    List<Integer> all = new ArrayList<>();
    for (int unit = 0; unit < units; unit++) {
      if (StripedBlockUtil.getInternalBlockLength(
          group.getNumBytes(), cellBytes, dataUnits, unit) > 0) {
        all.add(unit);
      }
    }
    return all;
  }

  private static ExtendedBlock internal(ExtendedBlock group, int unit) {
    ExtendedBlock block = new ExtendedBlock(group);
    block.setBlockId(group.getBlockId() + unit);
    return block;
  }

  /** Returns the nodes that have a whole replica of a unit. */
  List<DataNode> holders(ExtendedBlock group, int unit) {
    List<DataNode> holders = new ArrayList<>();
    ExtendedBlock block = internal(group, unit);
    for (DataNode node : cluster.mini().getDataNodes()) {
      // The second question alone makes an exception of each no.
      if (node.getFSDataset().contains(block) && node.getFSDataset().isValidBlock(block)) {
        holders.add(node);
      }
    }
    return holders;
  }

  /** Returns the units of a block group that no node has. */
  long lost(ExtendedBlock group) {
    long lost = 0;
    for (int unit : all(group)) {
      if (holders(group, unit).isEmpty()) {
        lost |= 1L << unit;
      }
    }
    return lost;
  }

  /** Returns the units of which exactly one node has a replica. */
  List<Integer> single(ExtendedBlock group) {
    List<Integer> single = all(group);
    single.removeIf(unit -> holders(group, unit).size() != 1);
    return single;
  }

  void drop(ExtendedBlock group, int unit) throws IOException {
    for (DataNode holder : holders(group, unit)) {
      RepairCluster.drop(holder, internal(group, unit));
    }
  }

  /** Returns the bytes of a replica; empty if the NameNode has just had it deleted. */
  private Optional<byte[]> bytes(DataNode node, ExtendedBlock block) {
    try {
      return Optional.of(Files.readAllBytes(Paths.get(
          node.getFSDataset().getBlockLocalPathInfo(block).getBlockPath())));
    } catch (IOException e) {
      if (node.getFSDataset().isValidBlock(block)) {
        throw new UncheckedIOException(e);
      }
      return Optional.empty();
    }
  }

  /** Compares all replicas with what they were when they were seen first. */
  void checkReplicas() {
    for (ExtendedBlock group : groups.values()) {
      for (int unit : all(group)) {
        ExtendedBlock block = internal(group, unit);
        for (DataNode holder : holders(group, unit)) {
          bytes(holder, block).ifPresent(now -> {
            byte[] before = known.putIfAbsent(block.getBlockId(), now);
            assertTrue(before == null || Arrays.equals(before, now), () -> "Wrong bytes in unit "
                + unit + " of " + group + " of " + path(group.getBlockId()) + " on "
                + holder.getDisplayName());
          });
        }
      }
    }
  }

  /** Returns the rows of all CORE groups, by the group, and by the index in it. */
  Map<Long, Map<Integer, CoreRows>> coreGroups() {
    Map<Long, Map<Integer, CoreRows>> found = new TreeMap<>();
    for (Long id : groups.keySet()) {
      book.get().rowsOf(id).ifPresent(rows ->
          found.computeIfAbsent(rows.coreGroup, none -> new TreeMap<>())
              .put(rows.index, rows));
    }
    return found;
  }

  /**
   * Asks the book for each block group. A group that was formed a moment ago makes another look
   * necessary.
   */
  void checkBook(Iterable<String> files) throws IOException {
    if (!wrongInBook().isEmpty()) {
      look(files);
      assertEquals(List.of(), wrongInBook());
    }
  }

  private List<String> wrongInBook() {
    List<String> wrong = new ArrayList<>();
    for (Long id : groups.keySet()) {
      CoreRows rows = book.get().rowsOf(id).orElse(null);
      if (rows == null) {
        continue;
      }
      boolean isNamed = false;
      for (CoreRows.Row row : rows.rows) {
        if (row != null && !row.stale) {
          ExtendedBlock now = groups.get(row.id.groupId);
          isNamed |= row.id.groupId == id;
          if (now == null || now.getGenerationStamp() != row.id.generationStamp
              || now.getNumBytes() != row.bytes) {
            wrong.add(row.id + " of " + row.bytes + " bytes, not " + now);
          }
        }
      }
      if (!isNamed) {
        wrong.add(id + " is in no row of its own answer");
      }
    }
    return wrong;
  }

  /** The XOR over each column without a stale row and without a lost block is zero. */
  void checkColumns() {
    for (Map<Integer, CoreRows> group : coreGroups().values()) {
      for (CoreRows rows : group.values()) {
        if (!isStale(rows)) {
          for (int unit = 0; unit < units; unit++) {
            checkColumn(rows, unit);
          }
        }
      }
    }
  }

  static boolean isStale(CoreRows rows) {
    return rows.rows.stream().anyMatch(row -> row != null && row.stale);
  }

  private void checkColumn(CoreRows rows, int unit) {
    byte[] sum = new byte[0];
    for (CoreRows.Row row : rows.rows) {
      ExtendedBlock block = row == null ? null : block(row);
      if (block == null || !all(block).contains(unit)) {
        continue;
      }
      byte[] one = null;
      for (DataNode holder : holders(block, unit)) {
        one = one == null ? bytes(holder, internal(block, unit)).orElse(null) : one;
      }
      if (one == null) {
        return;
      }
      sum = sum.length < one.length ? Arrays.copyOf(sum, one.length) : sum;
      for (int i = 0; i < one.length; i++) {
        sum[i] ^= one[i];
      }
    }
    for (byte value : sum) {
      if (value != 0) {
        fail("Column " + unit + " of CORE group " + rows.coreGroup + " index " + rows.index
            + " is not zero");
      }
    }
    columns++;
  }

  private static ExtendedBlock block(CoreRows.Row row) {
    return new ExtendedBlock(row.id.poolId, row.id.groupId, row.bytes,
        row.id.generationStamp);
  }

  /** Returns how many columns were found to be zero. */
  long columns() {
    return columns;
  }

  /** Two blocks of a column on one node. */
  private static final class Together {
    private final String text;
    private final String column;
    private final List<Long> blocks;
    private final List<Long> groups;
    private final String node;

    Together(String text, String column, int unit, List<Long> groups, String node) {
      this.text = text;
      this.column = column;
      this.groups = groups;
      this.blocks = List.of(groups.get(0) + unit, groups.get(1) + unit);
      this.node = node;
    }
  }

  /**
   * No repair of the plugin's puts a block beside another one of its column. What clients have
   * written may lie so when its group is formed.
   *
   * @param stocks block groups that were left to stock, which may have put a lost unit anywhere
   * @return how many columns have two blocks on one node
   */
  long checkPlaces(Set<Long> stocks) {
    Set<String> columnsNow = new HashSet<>();
    coreGroups().forEach((group, indices) -> {
      List<Together> now = new ArrayList<>();
      for (CoreRows rows : indices.values()) {
        if (!isStale(rows)) {
          now.addAll(together(rows));
        }
      }
      Set<String> texts = new HashSet<>();
      now.forEach(one -> {
        texts.add(one.text);
        columnsNow.add(one.column);
      });
      Set<String> before = together.put(group, texts);
      if (before != null) {
        List<String> wrong = new ArrayList<>();
        for (Together one : now) {
          if (!before.contains(one.text) && !isByStock(one, stocks)) {
            wrong.add(one.text);
          }
        }
        assertEquals(List.of(), wrong, "Blocks of a column of CORE group " + group
            + " are on one node since a repair");
      }
    });
    places.clear();
    for (ExtendedBlock group : groups.values()) {
      for (int unit : all(group)) {
        Set<String> nodes = new HashSet<>();
        holders(group, unit).forEach(holder -> nodes.add(holder.getDatanodeUuid()));
        places.put(group.getBlockId() + unit, nodes);
      }
    }
    return columnsNow.size();
  }

  /** Returns whether stock got a group, one of whose blocks came onto the node since the check. */
  private boolean isByStock(Together one, Set<Long> stocks) {
    for (int i = 0; i < one.groups.size(); i++) {
      if (stocks.contains(one.groups.get(i))
          && !places.getOrDefault(one.blocks.get(i), Set.of()).contains(one.node)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Returns all pairs of blocks of a column on one node. Clients may have written three of them
   * onto it; when one leaves, no repair has put the other two together.
   */
  private List<Together> together(CoreRows rows) {
    List<Together> found = new ArrayList<>();
    for (int unit = 0; unit < units; unit++) {
      Map<String, List<Integer>> nodes = new HashMap<>();
      for (int row = 0; row < rows.rows.size(); row++) {
        ExtendedBlock block = rows.rows.get(row) == null ? null : block(rows.rows.get(row));
        if (block == null || !all(block).contains(unit)) {
          continue;
        }
        for (DataNode holder : holders(block, unit)) {
          List<Integer> others =
              nodes.computeIfAbsent(holder.getDatanodeUuid(), none -> new ArrayList<>());
          for (int other : others) {
            String column = "index " + rows.index + " unit " + unit;
            String what = column + " rows " + other + " and " + row + " on "
                + holder.getDisplayName();
            found.add(new Together(what, rows.coreGroup + " " + column, unit,
                List.of(rows.rows.get(other).id.groupId, block.getBlockId()),
                holder.getDatanodeUuid()));
            assertTrue(row < rows.rows.size() - 1 || together.containsKey(rows.coreGroup),
                "A parity block was made beside another one of its column: " + what);
          }
          others.add(row);
        }
      }
    }
    return found;
  }

  /** Returns what is lost of rows, and what of it a column or a row can bring back. */
  FailureMatrix matrix(CoreRows rows, Map<Long, Long> moreLost) {
    long[] lost = new long[rows.rows.size()];
    for (int row = 0; row < lost.length; row++) {
      CoreRows.Row one = rows.rows.get(row);
      if (one != null) {
        lost[row] = lost(block(one)) | moreLost.getOrDefault(one.id.groupId, 0L);
      }
    }
    FailureMatrix matrix = FailureMatrix.of(new ReedSolomonRow(units, dataUnits), lost);
    for (int row = 0; row < lost.length; row++) {
      CoreRows.Row one = rows.rows.get(row);
      matrix = matrix.withAbsent(row, one == null ? (1L << units) - 1
          : matrices.absentColumns(one.bytes));
    }
    return matrix;
  }

  /** Returns a unit that no node has; empty if nothing is lost. */
  String missing() {
    for (Map.Entry<Long, ExtendedBlock> entry : groups.entrySet()) {
      if (lost(entry.getValue()) != 0) {
        return "units " + Long.toBinaryString(lost(entry.getValue())) + " of "
            + path(entry.getKey()) + ", " + entry.getValue();
      }
    }
    return "";
  }

  /** Returns a unit that is on a disk, and that the NameNode does not know; empty for none. */
  String unknown(Iterable<String> files) throws IOException {
    List<String> names = new ArrayList<>();
    files.forEach(names::add);
    parities().forEach(path -> names.add(path.toUri().getPath()));
    for (String file : names) {
      try {
        for (LocatedBlock block : cluster.fs.getClient()
            .getLocatedBlocks(file, 0, Long.MAX_VALUE).getLocatedBlocks()) {
          if (block.isStriped()) {
            Set<Integer> here =
                new HashSet<>(RepairCluster.holders((LocatedStripedBlock) block).keySet());
            for (int unit : all(block.getBlock())) {
              if (!here.contains(unit) && !holders(block.getBlock(), unit).isEmpty()) {
                return file + " unit " + unit;
              }
            }
          }
        }
      } catch (FileNotFoundException e) {
        // A group was dissolved a moment ago.
        continue;
      }
    }
    return "";
  }
}
