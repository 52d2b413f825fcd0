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
package org.hdfsppr.client.device;

import java.io.IOException;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;

/** Opens the files of a device. */
@InterfaceAudience.Private
public interface UpdatableFiles {
  /**
   * Takes note of the state of a file when the device is opened; the file itself may be opened
   * later.
   *
   * @param file the status of the file
   */
  default void found(FileStatus file) {
    // Only files that are opened for reading need to be compared with an earlier state.
  }

  /**
   * Opens a file.
   *
   * @param file a closed file
   * @return the open file; the caller closes it
   * @throws IOException if this user may not open the file, or if it cannot be changed in place
   */
  UpdatableBytes open(Path file) throws IOException;
}
