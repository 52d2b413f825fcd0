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

import org.apache.hadoop.classification.InterfaceAudience;

/**
 * The safe mode of a NameNode that starts, in which it counts the block groups that have enough
 * units. Thread-safe.
 */
@InterfaceAudience.Private
public interface StartupSafeMode {
  /** What a look has found. Immutable. */
  final class Look {
    final boolean isReported;
    final long groups;

    /**
     * @param isReported whether all live DataNodes have sent full block reports, and there are some
     * @param groups how many groups of unfinished files of this extension have fewer than k units
     */
    public Look(boolean isReported, long groups) {
      this.isReported = isReported;
      this.groups = groups;
    }
  }

  /** @return whether the NameNode is still in this safe mode */
  boolean isOn();

  /** @return what the NameNode knows now */
  Look look();

  /**
   * Excludes some block groups from those for which the NameNode waits, and has it check at once
   * whether it may leave safe mode. A later call replaces the number.
   *
   * @param most the most groups to exclude; fewer if fewer lack units now
   * @return how many groups are excluded until the next call
   */
  long waitWithout(long most);
}
