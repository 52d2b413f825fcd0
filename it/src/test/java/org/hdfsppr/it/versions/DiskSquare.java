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

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.hdfsppr.client.files.RecordedMatrix;
import org.hdfsppr.core.FailureMatrix;
import org.hdfsppr.core.ReedSolomonRow;
import org.hdfsppr.core.membership.CoreMembership;
import org.hdfsppr.core.membership.GroupIdentity;
import org.hdfsppr.core.membership.MemberRow;

/**
 * The block groups with one index in the files of a CORE group, by what is recorded with the parity
 * file and by what the disks have. Nothing of it comes from the books of a NameNode's plugin.
 */
final class DiskSquare {
  private static final int CHUNK_BYTES = 1 << 18;

  private final CoreMembership record;
  private final int index;
  /** The members' block groups, then that of the parity file; empty for one that is gone. */
  private final List<Optional<DiskGroup>> rows = new ArrayList<>();
  /** What is recorded of them; null where a file was too short to have one. */
  private final List<GroupIdentity> recorded = new ArrayList<>();
  private final boolean isParityRight;

  /**
   * @param record exact as far as members are concerned
   * @param parity the block groups of the parity file
   * @param groups the block groups that files have now, by their ids
   */
  DiskSquare(CoreMembership record, int index, List<DiskGroup> parity,
      Map<Long, DiskGroup> groups) {
    this.record = record;
    this.index = index;
    for (MemberRow row : record.files) {
      add(index < row.blockGroups ? row.identities().get(index) : null, groups);
    }
    add(parity.get(index).identity(), groups);
    List<GroupIdentity> now =
        parity.stream().map(DiskGroup::identity).collect(Collectors.toList());
    isParityRight = record.parity.stale(now).isEmpty();
  }

  private void add(GroupIdentity identity, Map<Long, DiskGroup> groups) {
    recorded.add(identity);
    rows.add(Optional.ofNullable(identity == null ? null : groups.get(identity.groupId)));
  }

  /** Names the square. The name is never used again. */
  String name() {
    return record.groupId + "/" + index;
  }

  /** Returns how many block groups are recorded of the files that have one in this square. */
  int blockGroups() {
    return record.files.stream().mapToInt(row -> row.blockGroups)
        .filter(count -> count > index).sum();
  }

  CoreMembership membership() {
    return record;
  }

  /** Returns the block groups that are there now. The parity file's is the last one. */
  List<DiskGroup> groups() {
    List<DiskGroup> there = new ArrayList<>();
    rows.forEach(row -> row.ifPresent(there::add));
    return there;
  }

  /** Returns the block groups of files that users see. */
  List<DiskGroup> members() {
    List<DiskGroup> members = groups();
    members.removeIf(group -> CoreCalls.isParity(group.path));
    return members;
  }

  /** Returns whether a block group is not the one that the parity file was made of. */
  boolean isStale() {
    for (int row = 0; row < recorded.size(); row++) {
      if (recorded.get(row) != null
          && !rows.get(row).map(DiskGroup::identity).equals(Optional.of(recorded.get(row)))) {
        return true;
      }
    }
    return !isParityRight;
  }

  /**
   * Returns what is lost. No row may be stale.
   *
   * @param nodes the nodes that run
   * @param more units that count as lost, by block group
   */
  FailureMatrix matrix(Collection<Integer> nodes, Map<Long, Long> more) {
    ErasureCodingPolicy policy = groups().get(0).policy;
    int units = policy.getNumDataUnits() + policy.getNumParityUnits();
    ReedSolomonRow code = new ReedSolomonRow(units, policy.getNumDataUnits());
    RecordedMatrix matrices =
        new RecordedMatrix(code, policy.getNumDataUnits(), policy.getCellSize());
    long[] lost = new long[rows.size()];
    for (int row = 0; row < lost.length; row++) {
      DiskGroup group = rows.get(row).orElse(null);
      lost[row] = group == null ? 0 : group.lost(nodes) | more.getOrDefault(group.id(), 0L);
    }
    FailureMatrix matrix = FailureMatrix.of(code, lost);
    for (int row = 0; row < lost.length; row++) {
      matrix = matrix.withAbsent(row, rows.get(row).isEmpty() ? -1L >>> Long.SIZE - units
          : matrices.absentColumns(recorded.get(row).length));
    }
    return matrix;
  }

  /**
   * Returns whether a reader gets each lost block of a row in one step: by the row, or by a
   * column that has lost no other block.
   *
   * @param group the row's block group
   */
  boolean isReadable(DiskGroup group, Collection<Integer> nodes) {
    if (group.isWithinRow(nodes)) {
      return true;
    }
    long others = 0;
    for (DiskGroup other : groups()) {
      others |= other.id() == group.id() ? 0 : other.lost(nodes);
    }
    return !isStale() && (group.lost(nodes) & others) == 0
        && (group.lost(nodes) & ~matrix(nodes, Map.of()).relatedColumns()) == 0;
  }

  /**
   * Returns the columns whose blocks do not add up to zero. A column of which a block is on no disk
   * is not looked at.
   *
   * @param nodes the nodes whose disks are looked at
   */
  List<Integer> wrongColumns(Collection<Integer> nodes) throws IOException {
    List<Integer> wrong = new ArrayList<>();
    ErasureCodingPolicy policy = groups().get(0).policy;
    for (int unit = 0; unit < policy.getNumDataUnits() + policy.getNumParityUnits(); unit++) {
      if (!isZero(unit, nodes)) {
        wrong.add(unit);
      }
    }
    return wrong;
  }

  private boolean isZero(int unit, Collection<Integer> nodes) throws IOException {
    List<InputStream> blocks = new ArrayList<>();
    try {
      for (DiskGroup group : groups()) {
        if (group.units().contains(unit)) {
          List<Integer> holders = group.holders(unit, nodes);
          if (holders.isEmpty()) {
            return true;
          }
          blocks.add(Files.newInputStream(group.replica(holders.get(0), unit).data));
        }
      }
      return areZero(blocks);
    } catch (NoSuchFileException e) {
      // The CORE group was dissolved, or an excess replica was deleted, a moment ago.
      return true;
    } finally {
      for (InputStream block : blocks) {
        block.close();
      }
    }
  }

  private static boolean areZero(List<InputStream> blocks) throws IOException {
    byte[] zeros = new byte[CHUNK_BYTES];
    boolean goesOn = !blocks.isEmpty();
    while (goesOn) {
      goesOn = false;
      byte[] sum = new byte[CHUNK_BYTES];
      for (InputStream block : blocks) {
        byte[] bytes = block.readNBytes(CHUNK_BYTES);
        goesOn |= bytes.length == CHUNK_BYTES;
        for (int i = 0; i < bytes.length; i++) {
          sum[i] ^= bytes[i];
        }
      }
      if (!Arrays.equals(sum, zeros)) {
        return false;
      }
    }
    return true;
  }

  @Override
  public String toString() {
    return "CORE group " + name() + " of " + groups();
  }
}
