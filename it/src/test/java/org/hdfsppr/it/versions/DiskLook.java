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
package org.hdfsppr.it.versions;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.hdfsppr.core.membership.CoreMembership;
import org.hdfsppr.it.cluster.BlockGroup;

/** The block groups of files and of all parity files of CORE, and the squares that they form. */
final class DiskLook {
  private final Map<Long, DiskGroup> groups = new TreeMap<>();
  private final List<DiskSquare> squares = new ArrayList<>();

  private DiskLook() {
  }

  /**
   * Looks once. Parity files may be made and deleted meanwhile.
   *
   * @param files files that stay meanwhile
   */
  static DiskLook of(VersionsCluster cluster, Collection<Path> files) throws IOException {
    DiskLook look = new DiskLook();
    for (Path file : files) {
      look.add(cluster, file);
    }
    Map<CoreMembership, List<DiskGroup>> parities = new LinkedHashMap<>();
    CoreCalls core = new CoreCalls(cluster);
    for (Path kept : core.kept()) {
      Optional<byte[]> record = core.record(kept);
      if (record.isPresent()) {
        try {
          parities.put(CoreMembership.parse(record.get()), look.add(cluster, kept));
        } catch (FileNotFoundException e) {
          // Its group was dissolved a moment ago.
          continue;
        }
      }
    }
    parities.forEach((record, parity) -> {
      for (int index = 0; index < parity.size(); index++) {
        look.squares.add(new DiskSquare(record, index, parity, look.groups));
      }
    });
    return look;
  }

  /** Adds the block groups of a file, and returns them in the order of the file. */
  private List<DiskGroup> add(VersionsCluster cluster, Path file) throws IOException {
    DistributedFileSystem client = cluster.client();
    ErasureCodingPolicy policy = client.getErasureCodingPolicy(file);
    List<LocatedBlock> located = client.getClient()
        .getLocatedBlocks(file.toUri().getPath(), 0, Long.MAX_VALUE).getLocatedBlocks();
    List<BlockGroup> units = BlockGroup.of(cluster.processes, client, file);
    List<DiskGroup> added = new ArrayList<>();
    for (int i = 0; i < located.size() && i < units.size(); i++) {
      added.add(new DiskGroup(cluster, file, policy, located.get(i).getBlock(), units.get(i)));
    }
    added.forEach(group -> groups.put(group.id(), group));
    return added;
  }

  /** Returns all block groups. */
  Collection<DiskGroup> groups() {
    return Collections.unmodifiableCollection(groups.values());
  }

  /** Returns the block groups of a file. */
  List<DiskGroup> groups(Path file) {
    List<DiskGroup> some = new ArrayList<>(groups.values());
    some.removeIf(group -> !group.path.equals(file));
    return some;
  }

  List<DiskSquare> squares() {
    return Collections.unmodifiableList(squares);
  }

  /** Returns the squares with a file that has grown, or that lies in none of some directories. */
  List<DiskSquare> outdated(Collection<Path> folders) {
    List<DiskSquare> outdated = new ArrayList<>(squares);
    outdated.removeIf(square -> square.members().stream()
        .allMatch(group -> folders.contains(group.path.getParent()))
        && square.blockGroups() == square.members().stream()
        .mapToInt(group -> groups(group.path).size()).sum());
    return outdated;
  }

  /** Returns the squares that are neither outdated nor have a stale row, in random order. */
  List<DiskSquare> current(Collection<Path> folders, Random random) {
    List<DiskSquare> current = new ArrayList<>(squares);
    current.removeAll(outdated(folders));
    current.removeIf(DiskSquare::isStale);
    Collections.shuffle(current, random);
    return current;
  }

  /** Returns whether readers get the bytes of a file although units are lost. */
  boolean isReadable(Path file, Collection<Integer> nodes) {
    return groups(file).stream().allMatch(group -> group.isWithinRow(nodes)
        || squares.stream().anyMatch(square -> square.groups().contains(group)
        && square.isReadable(group, nodes)));
  }

  /** Describes the units that are on none of some nodes; empty if there are none. */
  String missing(Collection<Integer> nodes) {
    StringBuilder missing = new StringBuilder();
    for (DiskGroup group : groups.values()) {
      if (group.lost(nodes) != 0) {
        missing.append(group).append(" lacks ").append(Long.toBinaryString(group.lost(nodes)))
            .append("; ");
      }
    }
    return missing.toString();
  }
}
