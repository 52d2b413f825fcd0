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
package org.hdfsppr.namenode.convert;

import org.apache.hadoop.classification.InterfaceAudience;

/** How many files and bytes are at or below a path. Immutable. */
@InterfaceAudience.Private
public final class PathTotals {
  static final PathTotals NONE = new PathTotals(0, 0);

  final long files;
  final long bytes;

  public PathTotals(long files, long bytes) {
    this.files = files;
    this.bytes = bytes;
  }

  PathTotals plus(PathTotals other) {
    return new PathTotals(files + other.files, bytes + other.bytes);
  }
}
