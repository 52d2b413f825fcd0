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
package org.hdfsppr.namenode.version;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongFunction;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * The updates of a file that a new version of it has to have. An attribute of the file names it to
 * the holders of its logs, and says the last commit; the new version gets another value of the
 * attribute together with the path. Immutable.
 */
@InterfaceAudience.Private
public final class CommitPlan {
  /** The name of the attribute, without "trusted." */
  public final String attribute;
  private final byte[] before;
  private final LongFunction<byte[]> after;
  private final Map<Integer, List<UnitPatch>> groups = new HashMap<>();
  /** Attributes of other inodes that change with the path */
  public final List<Beside> beside;
  /** How changes get to parity units */
  public final String strategy;

  /** An attribute of another inode that changes with the path. Immutable. */
  public static final class Beside {
    /** The inode */
    public final long inodeId;
    /** The name of the attribute, without "trusted." */
    public final String name;
    private final byte[] before;
    private final LongFunction<byte[]> after;

    /**
     * @param inodeId the inode
     * @param name the name of the attribute, without "trusted."
     * @param before its value; with another one, nothing is published
     * @param after returns the value that it gets, by the id of the new version's inode
     */
    public Beside(long inodeId, String name, byte[] before, LongFunction<byte[]> after) {
      this.inodeId = inodeId;
      this.name = Objects.requireNonNull(name, "name");
      this.before = before.clone();
      this.after = Objects.requireNonNull(after, "after");
    }

    /** @return its value */
    public byte[] before() {
      return before.clone();
    }

    /**
     * @param madeInodeId inode id of the new version
     * @return the value that it gets
     */
    public byte[] after(long madeInodeId) {
      return after.apply(madeInodeId);
    }
  }

  /**
   * @param attribute the name of the attribute, without "trusted."
   * @param before the value that the file has; with another one, nothing is published
   * @param after returns the value that the new version gets, by the id of its inode
   * @param beside attributes of other inodes that change with the path
   * @param strategy one of {@link org.hdfsppr.update.CommitWays#STRATEGIES}
   * @param groups by the number of the group within the file, the updates of its units
   */
  public CommitPlan(String attribute, byte[] before, LongFunction<byte[]> after,
      List<Beside> beside, String strategy, Map<Integer, List<UnitPatch>> groups) {
    this.strategy = Objects.requireNonNull(strategy, "strategy");
    this.beside = List.copyOf(beside);
    this.attribute = Objects.requireNonNull(attribute, "attribute");
    this.before = before.clone();
    this.after = Objects.requireNonNull(after, "after");
    groups.forEach((group, patches) -> this.groups.put(group, List.copyOf(patches)));
  }

  /** @return the value that the file has */
  public byte[] before() {
    return before.clone();
  }

  /**
   * @param inodeId inode id of the new version
   * @return the value that the new version gets
   */
  public byte[] after(long inodeId) {
    return after.apply(inodeId);
  }

  /**
   * @param group the number of a group within the file
   * @return the updates of its units; empty if nothing of it changes
   */
  public List<UnitPatch> group(int group) {
    return groups.getOrDefault(group, List.of());
  }
}
