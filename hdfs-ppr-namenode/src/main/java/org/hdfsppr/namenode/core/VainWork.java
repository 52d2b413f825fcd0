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
package org.hdfsppr.namenode.core;

import java.io.IOException;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.wire.PeerLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Deletes parity files that were made in vain. Used by one thread. */
@InterfaceAudience.Private
final class VainWork {
  private static final Logger LOG = LoggerFactory.getLogger(VainWork.class);

  private final PeerLog peerLog = new PeerLog(LOG);
  private final CoreFolder folder;

  VainWork(CoreFolder folder) {
    this.folder = folder;
  }

  /**
   * Deletes a work file. If the NameNode does not do that, the file stays until
   * {@link Forming#clearUp} finds it.
   *
   * @param work the name of the work file
   */
  void delete(String work) {
    try {
      folder.deleteWork(work);
    } catch (IOException e) {
      peerLog.warn("work", "The parity file {} that was made in vain is left for later: {}", work,
          e.toString());
    }
  }
}
