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

import org.apache.hadoop.classification.InterfaceAudience;

/**
 * The file no longer has the block group that the caller has named, because a commit has replaced
 * the file's version. The caller looks up the file's block groups again.
 */
@InterfaceAudience.Private
public final class GroupReplacedException extends UpdateRefusedException {
  private static final long serialVersionUID = 1L;

  /** @param message a sentence that names the block group */
  public GroupReplacedException(String message) {
    super(message);
  }
}
