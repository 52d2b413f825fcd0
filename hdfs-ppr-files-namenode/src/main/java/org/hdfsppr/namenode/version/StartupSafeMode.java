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
 * The safe mode in which a NameNode starts, and in which it counts the block groups that have
 * enough units. Thread-safe.
 */
@InterfaceAudience.Private
public interface StartupSafeMode {
  /** What a look at safe mode has found. Immutable. */
  final class Look {
    final boolean isReported;
    final long groups;

    /**
     * @param isReported whether there are live DataNodes, and all of them have sent full block
     *     reports
     * @param groups how many groups of unfinished files of this extension have fewer units than
     *     data units of their code (k)
     */
    public Look(boolean isReported, long groups) {
      this.isReported = isReported;
      this.groups = groups;
    }
  }

  /** @return whether the NameNode is still in the safe mode of its start */
  boolean isOn();

  /** @return what the NameNode knows about block reports and unfinished groups now */
  Look look();

  /**
   * Excludes some block groups from those for which the NameNode waits, and has it check at once
   * whether it may leave safe mode. A later call replaces the number.
   *
   * @param most how many groups to exclude at most; fewer are excluded if fewer lack units now
   * @return how many groups are excluded until the next call
   */
  long waitWithout(long most);
}
