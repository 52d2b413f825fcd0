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
import org.apache.hadoop.hdfs.util.StripedBlockUtil;
import org.hdfsppr.namenode.model.GroupPolicy;

/** What all groups of a version have in common. Immutable. */
@InterfaceAudience.Private
final class VersionContext {
  final EngineParts parts;
  final VersionRequest request;
  final TargetFile file;
  final GroupPolicy code;
  final long term;
  final VersionNews news;

  /**
   * @param code the new code
   * @param term the term of the repair manager
   * @param news wakes the thread of the version
   */
  VersionContext(EngineParts parts, VersionRequest request, TargetFile file, GroupPolicy code,
      long term, VersionNews news) {
    this.parts = parts;
    this.request = request;
    this.file = file;
    this.code = code;
    this.term = term;
    this.news = news;
  }

  /** Returns the length of a unit of the old or the new code, bytes. */
  long unitBytes(FileGroup group, int unit) {
    return StripedBlockUtil.getInternalBlockLength(group.bytes(), code.cellBytes(),
        code.dataUnits(), unit);
  }
}
