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

/** What users' commands ask the NameNode's plugin about commits of updates in place. */
@InterfaceAudience.Private
public interface CommitProtocol {
  /** Stands for the id of a commit: an update of the caller was refused because a log is full. */
  String FULL = "full";

  /**
   * Begins a commit of a file, or says how far one is. A commit ends soon after it has begun; a
   * caller asks again until it has.
   *
   * @param path an absolute path of a file
   * @param id the id of the commit that is asked for; null to begin one; {@link #FULL} to
   *     begin one of other files as well whose updates fill logs. A commit that has not begun its
   *     work yet does for a further caller, too
   * @return how far the commit is
   * @throws IOException if the NameNode refuses it, or does not know the id, for instance because
   *     it has become active since
   */
  CommitStatus commit(String path, String id) throws IOException;

  /**
   * Looks at the logs of a file.
   *
   * @param path an absolute path of a file
   * @return what they have that no version has
   * @throws IOException if the NameNode refuses it
   */
  WaitingUpdates pendingUpdates(String path) throws IOException;
}
