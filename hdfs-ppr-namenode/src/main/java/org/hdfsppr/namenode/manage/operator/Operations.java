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
package org.hdfsppr.namenode.manage.operator;

import java.util.Optional;
import org.apache.hadoop.classification.InterfaceAudience;

/** The operations that a superuser may ask for. The manager's thread carries them out. */
@InterfaceAudience.Private
public interface Operations {
  /**
   * Ends the doubt about a group.
   *
   * @param groupId the group's id
   * @return whether the group was doubted, suspected or held back
   */
  boolean undoubt(long groupId);

  /**
   * Lets a node that was kept out take part in repairs again.
   *
   * @param name the node's UUID, or its address or host name with its transfer port
   * @return the node's UUID, if the node was kept out
   */
  Optional<String> readmit(String name);
}
