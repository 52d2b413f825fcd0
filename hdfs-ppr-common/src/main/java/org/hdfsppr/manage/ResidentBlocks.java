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
package org.hdfsppr.manage;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.manage.proto.ManagerProtos.ResidentProto;

/**
 * A list of the resident blocks: the internal blocks of one block pool of which most bytes are in a
 * DataNode's page cache. It is either the complete list, or the changes since the last heartbeat.
 * Immutable.
 */
@InterfaceAudience.Private
public final class ResidentBlocks {
  /** How many added blocks a heartbeat may list, and also how many removed blocks. */
  public static final int BLOCKS_MAX = 8192;

  private static final ResidentBlocks UNCHANGED =
      new ResidentBlocks(false, Collections.emptyList(), Collections.emptyList());

  /**
   * Whether {@link #added} lists all resident blocks. A manager then forgets all earlier reports
   */
  public final boolean complete;
  /** Ids of blocks that have become resident, or of all resident blocks */
  public final List<Long> added;
  /** Ids of blocks that are no longer resident */
  public final List<Long> removed;

  private ResidentBlocks(boolean complete, Collection<Long> added, Collection<Long> removed) {
    this.complete = complete;
    this.added = Collections.unmodifiableList(new ArrayList<>(added));
    this.removed = Collections.unmodifiableList(new ArrayList<>(removed));
  }

  /**
   * Makes a complete list.
   *
   * @param blockIds ids of all resident blocks
   * @return the complete list
   */
  public static ResidentBlocks all(Collection<Long> blockIds) {
    return new ResidentBlocks(true, blockIds, Collections.emptyList());
  }

  /**
   * Makes a list of the changes since the last heartbeat.
   *
   * @param added ids of blocks that have become resident
   * @param removed ids of blocks that are no longer resident
   * @return the changes
   */
  public static ResidentBlocks changed(Collection<Long> added, Collection<Long> removed) {
    return new ResidentBlocks(false, added, removed);
  }

  /** @return an object that reports no change since the last heartbeat */
  public static ResidentBlocks unchanged() {
    return UNCHANGED;
  }

  /** Says whether this object contains the complete list or at least one change. */
  boolean hasNews() {
    return complete || !added.isEmpty() || !removed.isEmpty();
  }

  /**
   * Encodes at most {@link #BLOCKS_MAX} of the added blocks, and at most {@link #BLOCKS_MAX} of the
   * removed blocks. Leaves out the others.
   */
  ResidentProto toProto() {
    return ResidentProto.newBuilder()
        .setComplete(complete)
        .addAllAdded(FieldRules.first(added, BLOCKS_MAX))
        .addAllRemoved(FieldRules.first(removed, BLOCKS_MAX))
        .build();
  }

  /** @throws IllegalArgumentException naming the field that is wrong */
  static ResidentBlocks parse(ResidentProto proto) {
    FieldRules.atMost("resident blocks added", proto.getAddedCount(), BLOCKS_MAX);
    FieldRules.atMost("resident blocks removed", proto.getRemovedCount(), BLOCKS_MAX);
    if (proto.getComplete() && proto.getRemovedCount() > 0) {
      throw new IllegalArgumentException("a complete list of resident blocks removes "
          + proto.getRemovedCount());
    }
    return proto.getComplete() ? all(proto.getAddedList())
        : changed(proto.getAddedList(), proto.getRemovedList());
  }

  @Override
  public String toString() {
    return (complete ? "all " : "+") + added.size() + (complete ? "" : " -" + removed.size())
        + " resident";
  }
}
