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
package org.hdfsppr.client.read;

import java.util.List;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.apache.hadoop.hdfs.util.StripedBlockUtil;
import org.hdfsppr.plan.BlockLayout;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.StripedLayout;

/** A block group as the NameNode described it to a reader. Immutable. */
@InterfaceAudience.Private
public final class LocatedGroup implements LocatedUnits {
  private final LocatedStripedBlock located;
  private final ErasureCodingPolicy policy;
  private final GroupId id;
  private final LocatedBlock[] units;

  /**
   * Makes a group from the NameNode's answer.
   *
   * @param located the NameNode's answer
   * @param policy the file's erasure coding policy
   */
  public LocatedGroup(LocatedStripedBlock located, ErasureCodingPolicy policy) {
    this.located = located;
    this.policy = policy;
    ExtendedBlock block = located.getBlock();
    this.id = new GroupId(block.getBlockPoolId(), block.getBlockId(),
        block.getGenerationStamp());
    this.units = StripedBlockUtil.parseStripedBlockGroup(located, policy.getCellSize(),
        policy.getNumDataUnits(), policy.getNumParityUnits());
  }

  /**
   * Finds the group that has a group's place in a later version of the same file.
   *
   * @param group a group of {@code before}
   * @param before all groups of the file
   * @param now all groups of the later version
   * @return the later version's group with the same index, offset in the file and length; {@code
   *     group} itself if there is none, or if the number of groups differs
   */
  public static GroupId inPlaceOf(GroupId group, List<LocatedGroup> before,
      List<LocatedGroup> now) {
    for (int i = 0; i < before.size(); i++) {
      if (before.get(i).id().equals(group) && now.size() == before.size()
          && now.get(i).start() == before.get(i).start()
          && now.get(i).bytes() == before.get(i).bytes()) {
        return now.get(i).id();
      }
    }
    return group;
  }

  /**
   * Compares this group with a newer answer of the NameNode for the same offset in the file.
   *
   * @param fresh the NameNode's new answer
   * @throws UntrustedBytesException if {@code fresh} is another group
   */
  public void requireSame(LocatedGroup fresh) throws UntrustedBytesException {
    if (fresh.id().groupId != id.groupId || !fresh.id().poolId.equals(id.poolId)
        || fresh.bytes() != bytes() || fresh.start() != start()) {
      throw new UntrustedBytesException("Block group " + id + " is not of that file any more,"
          + " which has " + fresh.id() + " in its place, because it was converted or replaced:"
          + " open it anew", null);
    }
  }

  @Override
  public BlockLayout layout() {
    return new StripedLayout(id, bytes(), dataUnits(), parityUnits(), cellBytes());
  }

  @Override
  public GroupId id() {
    return id;
  }

  /** @return offset of the group's first byte in the file */
  public long start() {
    return located.getStartOffset();
  }

  /** @return bytes of file data in the group */
  public long bytes() {
    return located.getBlockSize();
  }

  public int dataUnits() {
    return policy.getNumDataUnits();
  }

  /** @return the number of parity units, m */
  public int parityUnits() {
    return policy.getNumParityUnits();
  }

  @Override
  public int units() {
    return units.length;
  }

  /** @return bytes of a cell */
  public int cellBytes() {
    return policy.getCellSize();
  }

  @Override
  public long unitBytes(int unit) {
    return StripedBlockUtil.getInternalBlockLength(bytes(), cellBytes(), dataUnits(), unit);
  }

  /** @return the number of units whose DataNodes the NameNode has named */
  public int located() {
    int located = 0;
    for (int unit = 0; unit < units(); unit++) {
      located += unit(unit) == null ? 0 : 1;
    }
    return located;
  }

  @Override
  public LocatedBlock unit(int unit) {
    LocatedBlock block = units[unit];
    return block == null || block.getLocations() == null || block.getLocations().length == 0
        ? null : block;
  }
}
