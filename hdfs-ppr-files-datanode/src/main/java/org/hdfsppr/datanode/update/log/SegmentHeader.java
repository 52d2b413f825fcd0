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
package org.hdfsppr.datanode.update.log;

/** The header at the beginning of a segment; {@link LogFormat} encodes it. Immutable. */
final class SegmentHeader {
  final long number;
  final long boot;
  final long salt;
  final long floor;

  /**
   * @param number the number of the segment; numbers are consecutive
   * @param boot identifies the last boot of the machine before the segment was made, see
   *     {@link MachineBoot}
   * @param salt a random number. The checksums of records include it, so that users, which do not
   *     know it, cannot write data that look like a record
   * @param floor the greatest term of all units that the log had forgotten by then, see
   *     {@link LogBook}
   */
  SegmentHeader(long number, long boot, long salt, long floor) {
    this.number = number;
    this.boot = boot;
    this.salt = salt;
    this.floor = floor;
  }
}
