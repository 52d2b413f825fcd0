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

import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Says whether the blocks of a column may be read to bring a lost unit back. Thread-safe: many
 * clients ask at the same time.
 */
@InterfaceAudience.Private
@FunctionalInterface
public interface ColumnTrust {
  /**
   * @param rows the block groups of the column
   * @param lost index of the row whose block is wanted
   * @param unit index of the column
   * @return false if a block of another row may be wrong: the XOR of a column cannot be checked, so
   *     that it would bring the error into the wanted block without notice
   */
  boolean mayBeRead(CoreRows rows, int lost, int unit);
}
