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
package org.hdfsppr.operate;

import java.io.IOException;
import org.apache.hadoop.classification.InterfaceAudience;

/** The call with which superusers ask what the plugin has left below /.hdfs-ppr. */
@InterfaceAudience.Private
public interface LeftoverProtocol {
  /**
   * Lists what the plugin has left below /.hdfs-ppr. Only superusers may call this.
   *
   * @param isCleared whether the plugin first deletes what may be deleted
   * @return what is left
   * @throws IOException if the NameNode refuses it
   */
  Leftovers leftovers(boolean isCleared) throws IOException;
}
