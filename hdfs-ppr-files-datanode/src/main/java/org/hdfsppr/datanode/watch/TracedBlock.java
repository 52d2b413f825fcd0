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
package org.hdfsppr.datanode.watch;

import java.util.Optional;

/**
 * A block as stock names it in logs and thread names:
 * {@code BP-1-127.0.0.1-2:blk_-9223372036854775792_1001}. The generation stamp is left out.
 */
final class TracedBlock {
  private static final String BEFORE_ID = ":blk_";

  final String pool;
  final long id;

  private TracedBlock(String pool, long id) {
    this.pool = pool;
    this.id = id;
  }

  /**
   * Reads a block's name.
   *
   * @param text a text that has the name from {@code begin} to {@code end}
   * @return the block; empty if there is no such name
   */
  static Optional<TracedBlock> parse(String text, int begin, int end) {
    int colon = text.indexOf(BEFORE_ID, begin);
    int stamp = text.lastIndexOf('_', end - 1);
    int idBegin = colon + BEFORE_ID.length();
    if (colon < 0 || stamp <= idBegin || end > text.length()) {
      return Optional.empty();
    }
    try {
      return Optional.of(new TracedBlock(text.substring(begin, colon),
          Long.parseLong(text, idBegin, stamp, 10)));
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }
}
