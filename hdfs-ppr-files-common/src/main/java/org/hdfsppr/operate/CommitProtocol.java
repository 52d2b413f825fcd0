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

/**
 * The calls with which users' commands and clients ask the NameNode's plugin about commits of
 * updates in place.
 */
@InterfaceAudience.Private
public interface CommitProtocol {
  /**
   * A caller passes this instead of the id of a commit if its update was refused because a log is
   * full.
   */
  String FULL = "full";

  /**
   * Begins a commit of a file, or returns the status of one that has begun. This call does not wait
   * for the end of the commit: the caller asks again, with the id that the status has, until the
   * status says that the commit has ended.
   *
   * @param path an absolute path of a file
   * @param id the id of a commit that has begun; null to begin one; {@link #FULL} to begin one and
   *     also commits of other files whose updates fill logs. If a commit of the file waits for its
   *     turn already, the caller gets that one instead of a new one. If the NameNode does not know
   *     the id, because it has become active since, it begins a new commit
   * @return the status of the commit
   * @throws IOException if the NameNode refuses the commit
   */
  CommitStatus commit(String path, String id) throws IOException;

  /**
   * Asks which updates of a file are in logs and in no version of the file.
   *
   * @param path an absolute path of a file
   * @return the numbers and sizes of these updates
   * @throws IOException if the NameNode refuses it
   */
  WaitingUpdates pendingUpdates(String path) throws IOException;
}
