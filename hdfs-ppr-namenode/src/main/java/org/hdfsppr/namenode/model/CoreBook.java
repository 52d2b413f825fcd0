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
package org.hdfsppr.namenode.model;

import java.util.Optional;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Finds the CORE group of a block group. Any thread may ask, without any lock of the NameNode's. An
 * answer may be old by the time it is used: a repair compares the block groups with the NameNode's
 * block map once more, under the lock, when it begins.
 */
@InterfaceAudience.Private
@FunctionalInterface
public interface CoreBook {
  /** The book with no CORE groups. */
  CoreBook NONE = blockGroup -> Optional.empty();

  /**
   * @param blockGroup block id of a block group
   * @return the block group among the others of its CORE group; empty if it is in none, or only in
   *     one whose record does not name it as it is now
   */
  Optional<CoreRows> rowsOf(long blockGroup);
}
