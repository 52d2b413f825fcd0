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
package org.hdfsppr.client.verify;

import java.io.IOException;
import org.apache.hadoop.classification.InterfaceAudience;

/** Asks the NameNode what it knows of a group now. Thread-safe. */
@InterfaceAudience.Private
public interface GroupLookup {
  /**
   * Looks a group up.
   *
   * @param spot where the group was found
   * @return the group as it is now, with new tokens
   * @throws org.apache.hadoop.security.AccessControlException if the user may not read the file
   * @throws IOException if the NameNode gives no answer, or if there is no code for the file
   */
  SeenGroup find(GroupSpot spot) throws IOException;
}
