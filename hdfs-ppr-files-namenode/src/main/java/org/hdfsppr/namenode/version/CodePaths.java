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

import java.util.Optional;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.namenode.model.GroupPolicy;

/** Knows between which codes a group can be converted. Thread-safe. */
@InterfaceAudience.Private
public interface CodePaths {
  /**
   * @param from the code of a file
   * @param to the code of its new version, with the same data units and cells
   * @return why a group cannot be converted from one code to the other, as a sentence without a
   *     full stop; empty if it can
   */
  Optional<String> whyNot(GroupPolicy from, GroupPolicy to);

  /**
   * @param from the code of a file
   * @param to the code of its new version
   * @return whether the first parity unit of both codes has the same bytes
   */
  boolean keepsFirstParity(GroupPolicy from, GroupPolicy to);
}
