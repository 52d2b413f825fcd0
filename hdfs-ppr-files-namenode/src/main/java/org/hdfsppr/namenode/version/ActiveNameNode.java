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

import java.io.FileNotFoundException;
import java.io.IOException;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;

/** Asks whether a NameNode is active. Works with and without high availability. */
@InterfaceAudience.Private
public final class ActiveNameNode {
  /** A path without a file: only the NameNode's user could make one there, and it never does. */
  private static final String NOTHING = VersionNamespace.ROOT + "/nothing";
  /** With this value, {@code setTimes} leaves a time unchanged. */
  private static final long AS_IT_IS = -1;

  private ActiveNameNode() {
  }

  /**
   * Refuses a NameNode that is not active: a standby may answer questions without knowing the
   * latest changes of the active NameNode.
   *
   * @param namenode the NameNode's methods
   * @throws org.apache.hadoop.ipc.StandbyException if the NameNode is not active
   * @throws IOException if the NameNode takes no changes for another reason, such as safe mode
   */
  public static void check(ClientProtocol namenode) throws IOException {
    try {
      // A NameNode that is not active refuses each change before it looks at the path.
      namenode.setTimes(NOTHING, AS_IT_IS, AS_IT_IS);
    } catch (FileNotFoundException e) {
      // The NameNode would have made the change: it is active.
      return;
    }
    throw new IOException(NOTHING + " exists; remove it, since nothing of hdfs-ppr makes it");
  }
}
