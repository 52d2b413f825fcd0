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
package org.hdfsppr.namenode.update.look;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.namenode.model.GroupPolicy;
import org.hdfsppr.plan.GroupId;

/** A file, and one of its block groups, as a call about updates sees them. Immutable. */
@InterfaceAudience.Private
public final class UpdatableFile {
  public final String path;
  public final long inodeId;
  /** Whether a directory above the file has the attribute that lets its files be updated */
  public final boolean isUpdatable;
  private final String strategy;
  /** The bytes of the file's {@link UpdateTag}; null if it has none */
  public final byte[] tag;
  /** Why the file is not closed, such as "is open for writing"; null if it is closed */
  public final String open;
  /** Whether the file is in an encryption zone */
  public final boolean isEncrypted;
  /** The file's code; null if the file is replicated */
  public final GroupPolicy policy;
  /** The block group that the call names; null if the file does not have it */
  public final GroupId group;
  /** The index of the group within the file; -1 without a group */
  public final int ordinal;
  /** Bytes of file data in the group */
  public final long groupBytes;
  private final Map<Integer, List<String>> nodes;

  private UpdatableFile(Builder builder) {
    path = builder.path;
    inodeId = builder.inodeId;
    isUpdatable = builder.isUpdatable;
    strategy = builder.strategy;
    tag = builder.tag;
    open = builder.open;
    isEncrypted = builder.isEncrypted;
    policy = builder.policy;
    group = builder.group;
    ordinal = builder.ordinal;
    groupBytes = builder.groupBytes;
    nodes = Map.copyOf(builder.nodes);
  }

  /** Makes a file. */
  public static final class Builder {
    private final String path;
    private final long inodeId;
    private boolean isUpdatable;
    private String strategy;
    private byte[] tag;
    private String open;
    private boolean isEncrypted;
    private GroupPolicy policy;
    private GroupId group;
    private int ordinal = -1;
    private long groupBytes;
    private Map<Integer, List<String>> nodes = Map.of();

    public Builder(String path, long inodeId) {
      this.path = path;
      this.inodeId = inodeId;
    }

    /**
     * @param is whether a directory above the file has the attribute that lets its files be updated
     * @return this
     */
    public Builder updatable(boolean is) {
      isUpdatable = is;
      return this;
    }

    /**
     * @param name the strategy of commits that the nearest directory above the file sets; null if
     *     none does
     * @return this
     */
    public Builder strategy(String name) {
      strategy = name;
      return this;
    }

    /**
     * @param bytes the bytes of the file's {@link UpdateTag}; null if it has none
     * @return this
     */
    public Builder tag(byte[] bytes) {
      tag = bytes;
      return this;
    }

    /**
     * @param why why the file is not closed, such as "is open for writing"; null if it is closed
     * @return this
     */
    public Builder open(String why) {
      open = why;
      return this;
    }

    /**
     * @param is whether the file is in an encryption zone
     * @return this
     */
    public Builder encrypted(boolean is) {
      isEncrypted = is;
      return this;
    }

    /**
     * @param code the file's code; null if the file is replicated
     * @return this
     */
    public Builder policy(GroupPolicy code) {
      policy = code;
      return this;
    }

    /**
     * @param id the block group that the call names
     * @param number the index of the group within the file
     * @param bytes bytes of file data in the group
     * @param places for each unit, the UUIDs of the live DataNodes that have it
     * @return this
     */
    public Builder group(GroupId id, int number, long bytes, Map<Integer, List<String>> places) {
      group = id;
      ordinal = number;
      groupBytes = bytes;
      nodes = places;
      return this;
    }

    /** @return the file */
    public UpdatableFile build() {
      return new UpdatableFile(this);
    }
  }

  /**
   * @return the strategy of commits that the nearest directory above the file sets; empty if none
   *     does
   */
  public Optional<String> strategy() {
    return Optional.ofNullable(strategy);
  }

  /**
   * @param unit a unit
   * @return the UUIDs of the live DataNodes that have it
   */
  public List<String> nodes(int unit) {
    return nodes.getOrDefault(unit, List.of());
  }
}
