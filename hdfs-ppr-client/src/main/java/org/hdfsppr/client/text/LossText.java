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
package org.hdfsppr.client.text;

import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Writes how many block groups have lost more units than their code can rebuild, and whether they
 * can be repaired through CORE.
 */
@InterfaceAudience.Private
public final class LossText {
  private LossText() {
  }

  /**
   * Writes a line for each number that is not zero.
   *
   * @param recoverable block groups that are repaired through columns of CORE groups
   * @param unrecoverable block groups that cannot be repaired
   * @param lines receives the lines
   */
  public static void write(long recoverable, long unrecoverable, TextLines lines) {
    if (recoverable > 0) {
      lines.fact("By CORE", Quantities.count(recoverable, "block group") + " recoverable through"
          + " CORE. fsck calls them missing: do not delete the files, they are repaired");
    }
    if (unrecoverable > 0) {
      lines.fact("Lost", Quantities.count(unrecoverable, "block group") + " not recoverable unless"
          + " DataNodes come back");
    }
  }
}
