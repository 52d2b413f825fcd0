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

/** The calls about updates in place. Each call may be repeated. */
@InterfaceAudience.Private
public interface UpdateProtocol {
  /** Stands for the strategy that the NameNode's setting names. */
  String DEFAULT_STRATEGY = "default";

  /**
   * Lets files be updated in place from now on, or not any more. The latter is refused while files
   * have updates that are in no version of them.
   *
   * @param directory an absolute path
   * @param isUpdatable whether the files of the directory, and of all below it, may be updated
   * @param strategy the strategy of commits of these files, {@link #DEFAULT_STRATEGY}, or null to
   *     leave it as it is
   * @return whether that has changed
   * @throws IOException if the NameNode refuses it
   */
  boolean setUpdatable(String directory, boolean isUpdatable, String strategy)
      throws IOException;

  /**
   * As {@link #setUpdatable(String, boolean, String)}, and leaves the strategy as it is.
   *
   * @param directory an absolute path
   * @param isUpdatable whether its files may be updated
   * @return whether that has changed
   * @throws IOException if the NameNode refuses it
   */
  default boolean setUpdatable(String directory, boolean isUpdatable) throws IOException {
    return setUpdatable(directory, isUpdatable, null);
  }

  /**
   * @param file an absolute path of a file
   * @return whether the file has updates, or may have some later, so that readers look at logs
   * @throws IOException if the NameNode does not say so
   */
  boolean isUpdatable(String file) throws IOException;

  /**
   * Finds the nodes that hold the logs of a block group's data units. The NameNode chooses them
   * with the first call for a group.
   *
   * @param request the group
   * @return one for each data unit that has bytes
   * @throws IOException if the NameNode refuses it for the whole file
   */
  List<UnitGrant> tickets(TicketRequest request) throws IOException;
}
