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
 * The updates of a file that a new version of the file has to have. The file has an extended
 * attribute that names the file's updates to the DataNodes that hold its logs, and that says which
 * commit was the last one. The new version gets another value of this attribute in the same step as
 * the path. Immutable.
 */
@InterfaceAudience.Private
public final class CommitPlan {
  /** Name of the extended attribute, without the prefix "trusted." */
  public final String attribute;
  private final byte[] before;
  private final LongFunction<byte[]> after;
  private final Map<Integer, List<UnitPatch>> groups = new HashMap<>();
  /** Extended attributes of other inodes that change in the same step as the path */
  public final List<Beside> beside;
  /** How the changes of data units get to the parity units */
  public final String strategy;

  /**
   * An extended attribute of another inode, which changes in the same step as the path. Immutable.
   */
  public static final class Beside {
    /** Id of the other inode */
    public final long inodeId;
    /** Name of the extended attribute, without the prefix "trusted." */
    public final String name;
    private final byte[] before;
    private final LongFunction<byte[]> after;

    /**
     * @param inodeId id of the other inode
     * @param name name of the extended attribute, without the prefix "trusted."
     * @param before the value that the attribute must have now; if it has another one, nothing is
     *     published
     * @param after returns the attribute's new value, from the inode id of the new version
     */
    public Beside(long inodeId, String name, byte[] before, LongFunction<byte[]> after) {
      this.inodeId = inodeId;
      this.name = Objects.requireNonNull(name, "name");
      this.before = before.clone();
      this.after = Objects.requireNonNull(after, "after");
    }

    /** @return the value that the attribute must have for the version to be published */
    public byte[] before() {
      return before.clone();
    }

    /**
     * @param madeInodeId inode id of the new version
     * @return the new value of the attribute
     */
    public byte[] after(long madeInodeId) {
      return after.apply(madeInodeId);
    }
  }

  /**
   * @param attribute name of the file's extended attribute, without the prefix "trusted."
   * @param before the value that the attribute must have now; if it has another one, nothing is
   *     published
   * @param after returns the attribute's value at the new version, from the inode id of the new
   *     version
   * @param beside extended attributes of other inodes that change in the same step as the path
   * @param strategy one of {@link org.hdfsppr.update.CommitWays#STRATEGIES}
   * @param groups the updates of each group's units; the key is the index of the group in the file,
   *     from 0
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

  /** @return the value that the file's attribute must have for the version to be published */
  public byte[] before() {
    return before.clone();
  }

  /**
   * @param inodeId inode id of the new version
   * @return the value of the attribute at the new version
   */
  public byte[] after(long inodeId) {
    return after.apply(inodeId);
  }

  /**
   * @param group the index of a group in the file, from 0
   * @return the updates of its units; empty if nothing of it changes
   */
  public List<UnitPatch> group(int group) {
    return groups.getOrDefault(group, List.of());
  }
}
