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
package org.hdfsppr.namenode.column;

import java.io.IOException;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Checks that this NameNode knows all CORE groups. Only then may it answer that a block group is in
 * none.
 */
@InterfaceAudience.Private
@FunctionalInterface
public interface ColumnGate {
  /**
   * Throws an exception unless this NameNode knows all CORE groups.
   *
   * @throws org.apache.hadoop.ipc.StandbyException if another NameNode is the active one
   * @throws org.apache.hadoop.ipc.RetriableException if this NameNode has not read the groups yet
   * @throws IOException if this NameNode cannot find this out
   */
  void check() throws IOException;
}
