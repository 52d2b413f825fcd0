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

/**
 * Which internal blocks of one block pool a DataNode has (mostly) in its page cache: all that are
 * known, or what has changed since the heartbeat before. Immutable.
 */
@InterfaceAudience.Private
public final class ResidentBlocks {
  /** Blocks in a heartbeat, added and removed each. */
  public static final int BLOCKS_MAX = 8192;

  private static final ResidentBlocks UNCHANGED =
      new ResidentBlocks(false, Collections.emptyList(), Collections.emptyList());

  private final boolean complete;
  private final List<Long> added;
  private final List<Long> removed;

  private ResidentBlocks(boolean complete, Collection<Long> added, Collection<Long> removed) {
    this.complete = complete;
    this.added = Collections.unmodifiableList(new ArrayList<>(added));
    this.removed = Collections.unmodifiableList(new ArrayList<>(removed));
  }

  /** These and no others. */
  public static ResidentBlocks all(Collection<Long> blockIds) {
    return new ResidentBlocks(true, blockIds, Collections.emptyList());
  }

  /** As before, with these and without those. */
  public static ResidentBlocks changed(Collection<Long> added, Collection<Long> removed) {
    return new ResidentBlocks(false, added, removed);
  }

  /** As before. */
  public static ResidentBlocks unchanged() {
    return UNCHANGED;
  }

  /** Whether a manager learns anything from this. */
  boolean hasNews() {
    return complete || !added.isEmpty() || !removed.isEmpty();
  }

  /** Whether {@link #added} has all of them, whatever was said before. */
  public boolean isComplete() {
    return complete;
  }

  public List<Long> added() {
    return added;
  }

  public List<Long> removed() {
    return removed;
  }

  @Override
  public String toString() {
    return (complete ? "all " : "+") + added.size() + (complete ? "" : " -" + removed.size())
        + " resident";
  }
}
