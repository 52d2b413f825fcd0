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
import java.util.List;
import org.apache.hadoop.classification.InterfaceAudience;

/** The calls about updates in place. A caller that got no answer may repeat every call. */
@InterfaceAudience.Private
public interface UpdateProtocol {
  /**
   * A caller passes this as the name of a strategy to use the one that the NameNode's setting
   * names.
   */
  String DEFAULT_STRATEGY = "default";

  /**
   * Allows or forbids updates in place of the files of a directory. The NameNode refuses to forbid
   * them while a file has updates that are in none of its versions.
   *
   * @param directory an absolute path
   * @param isUpdatable whether the files of the directory, and of all directories below it, may be
   *     updated
   * @param strategy the strategy of commits of these files, {@link #DEFAULT_STRATEGY}, or null to
   *     leave it as it is
   * @return whether the call has changed anything
   * @throws IOException if the NameNode refuses it
   */
  boolean setUpdatable(String directory, boolean isUpdatable, String strategy)
      throws IOException;

  /**
   * Like {@link #setUpdatable(String, boolean, String)}, but leaves the strategy as it is.
   *
   * @param directory an absolute path
   * @param isUpdatable whether its files may be updated
   * @return whether the call has changed anything
   * @throws IOException if the NameNode refuses it
   */
  default boolean setUpdatable(String directory, boolean isUpdatable) throws IOException {
    return setUpdatable(directory, isUpdatable, null);
  }

  /**
   * @param file an absolute path of a file
   * @return whether the file has updates, or may get some later; readers then have to look at the
   *     logs, too
   * @throws IOException if the NameNode does not answer the question
   */
  boolean isUpdatable(String file) throws IOException;

  /**
   * Returns the tickets of a block group's data units. They name the DataNodes that hold the logs
   * of these units. The NameNode chooses these DataNodes at the first call for a block group.
   *
   * @param request names the block group
   * @return one answer for each data unit that has bytes
   * @throws IOException if the NameNode refuses tickets for the whole file
   */
  List<UnitGrant> tickets(TicketRequest request) throws IOException;
}
