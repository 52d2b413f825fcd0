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
package org.hdfsppr.namenode.schedule;

import java.io.IOException;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.coder.code.LinearCode;
import org.hdfsppr.namenode.model.GroupPolicy;

/** Finds the code of a policy, such as {@link org.hdfsppr.coder.code.Codes#forCodec}. */
@InterfaceAudience.Private
@FunctionalInterface
public interface CodeSource {
  /**
   * @param policy codec, units and cell size of a group
   * @return the code
   * @throws IOException if this NameNode does not know the code, with the reason
   */
  LinearCode code(GroupPolicy policy) throws IOException;
}
