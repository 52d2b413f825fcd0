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
 * The ways in which a request for a version can end. Users get the names in JSON, so the names must
 * not change.
 */
@InterfaceAudience.Private
public enum VersionEnd {
  /** The path has the new version. */
  PUBLISHED,
  /** The file is as it was, because a rule or a check forbids the version. */
  REFUSED,
  /**
   * The file was changed, moved or deleted while the version was made. It is as its user has left
   * it.
   */
  CHANGED,
  /** The file is as it was, because the version could not be made. */
  FAILED,
  /** The file is as it was, because its job was cancelled. */
  CANCELLED,
  /**
   * The file is as it was, because this NameNode stops, or is not the active one any more. The job
   * continues at the active NameNode.
   */
  STOPPED
}
