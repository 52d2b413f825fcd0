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

import org.apache.hadoop.classification.InterfaceAudience;

/**
 * How far a version has got, as its record says.
 *
 * <pre>
 *   MAKING ---> PUBLISHING ---> (the record is deleted)
 *      |
 *      +----------------------> (the record is deleted)
 * </pre>
 */
@InterfaceAudience.Private
public enum VersionStep {
  /** Units are being linked and made; nothing of the file has changed. */
  MAKING,
  /**
   * The renames may follow. The record gets this step while the write lock is held for the renames,
   * by an edit before theirs. If the edit log has no room for the renames for too long, they do not
   * follow.
   */
  PUBLISHING;

  /**
   * @param next the step that is to follow
   * @return whether it may follow
   */
  public boolean canBecome(VersionStep next) {
    return this == MAKING && next == PUBLISHING;
  }
}
