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
package org.hdfsppr.client.command;

import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The names of block groups: {@code blk_-16}, {@code -16}, and both with a generation stamp. */
final class BlockName {
  private static final Logger LOG = LoggerFactory.getLogger(BlockName.class);
  private static final Pattern NAME = Pattern.compile("(?:blk_)?(-?\\d{1,19})(?:_\\d{1,19})?");
  /** The bits of a block's id that are the unit's index in its group. */
  private static final long UNIT_BITS = 0xf;

  private BlockName() {
  }

  /** Whether an argument names a block, rather than a file. */
  static boolean isBlock(String argument) {
    return argument.startsWith("blk_") || NAME.matcher(argument).matches();
  }

  /**
   * Reads the id of a group from its name, or from the name of one of its units.
   *
   * @param argument an argument that {@link #isBlock names a block}
   * @return the id; empty if the argument names no block of an erasure-coded file
   */
  static OptionalLong groupId(String argument) {
    Matcher name = NAME.matcher(argument);
    if (!name.matches()) {
      return OptionalLong.empty();
    }
    try {
      long id = Long.parseLong(name.group(1));
      // Only blocks of erasure-coded files have negative ids.
      return id < 0 ? OptionalLong.of(id & ~UNIT_BITS) : OptionalLong.empty();
    } catch (NumberFormatException e) {
      LOG.debug("'{}' is too great for an id", argument, e);
      return OptionalLong.empty();
    }
  }

  /** Returns the name of a group as the NameNode writes it. */
  static String of(long groupId) {
    return "blk_" + groupId;
  }
}
