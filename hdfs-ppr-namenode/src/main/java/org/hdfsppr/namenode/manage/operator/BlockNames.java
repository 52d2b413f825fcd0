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
package org.hdfsppr.namenode.manage.operator;

import org.apache.hadoop.classification.InterfaceAudience;

/** Reads and writes the names of block groups that operators use. */
@InterfaceAudience.Private
public final class BlockNames {
  /** The greatest length of a name. It bounds what a caller can write into the log. */
  public static final int CHARS_MAX = 300;
  private static final String PREFIX = "blk_";
  /**
   * The bits of a block's id that number the unit within its group. Blocks of striped files have
   * negative ids.
   */
  private static final long UNIT_BITS = 0xf;

  private BlockNames() {
  }

  /**
   * Reads a group's id.
   *
   * @param block the group as {@code blk_-16_1001}, {@code blk_-16} or {@code -16}, or a unit of it
   *     in the same forms
   * @return the group's id, without its generation stamp
   * @throws IllegalArgumentException if this is no name of a block of a striped file; the message
   *     is a sentence for the operator
   */
  public static long groupId(String block) {
    String number = block.startsWith(PREFIX) ? block.substring(PREFIX.length()) : block;
    int stamp = number.indexOf('_');
    try {
      long id = Long.parseLong(stamp < 0 ? number : number.substring(0, stamp));
      if (id < 0 && block.length() <= CHARS_MAX) {
        return id & ~UNIT_BITS;
      }
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(noBlock(block), e);
    }
    throw new IllegalArgumentException(noBlock(block));
  }

  private static String noBlock(String block) {
    String shown = block.length() <= CHARS_MAX ? block : block.substring(0, CHARS_MAX) + "...";
    return "'" + shown + "' is no block of an erasure-coded file: name it as the NameNode's log"
        + " does, such as blk_-9223372036854775792";
  }

  /**
   * @param groupId the group's id, without its generation stamp
   * @return its name
   */
  public static String nameOf(long groupId) {
    return PREFIX + groupId;
  }
}
