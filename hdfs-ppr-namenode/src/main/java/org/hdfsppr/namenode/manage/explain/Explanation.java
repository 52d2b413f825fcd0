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
package org.hdfsppr.namenode.manage.explain;

import java.util.List;
import java.util.Objects;
import org.apache.hadoop.classification.InterfaceAudience;

/** Why a group is not repaired yet, what was tried, and what happens next, in words. Immutable. */
@InterfaceAudience.Private
public final class Explanation {
  /** The group, as {@code blk_-16} */
  public final String group;
  /** What the group does: waiting, suspected, doubted, repairing, with_stock, whole or unknown */
  public final String state;
  /** Why it is not repaired yet */
  public final GroupCause cause;
  /** Why it is not repaired yet, in words */
  public final String text;
  /** The last failed tries, one sentence each, the oldest first */
  public final List<String> tried;
  /** What happens next, and when */
  public final String next;
  /** Commands that an operator may want now, ready to be copied; may be empty */
  public final List<String> commands;

  /**
   * @param group the group, as {@code blk_-16}
   * @param state what the group does
   * @param cause why it is not repaired yet
   * @param text the same in words
   * @param tried the last failed tries, the oldest first
   * @param next what happens next, and when
   * @param commands commands that an operator may want now
   */
  public Explanation(String group, String state, GroupCause cause, String text, List<String> tried,
      String next, List<String> commands) {
    this.group = Objects.requireNonNull(group, "group");
    this.state = Objects.requireNonNull(state, "state");
    this.cause = Objects.requireNonNull(cause, "cause");
    this.text = Objects.requireNonNull(text, "text");
    this.tried = List.copyOf(tried);
    this.next = Objects.requireNonNull(next, "next");
    this.commands = List.copyOf(commands);
  }

  @Override
  public String toString() {
    return group + " " + state + ", " + cause.code() + ": " + text;
  }
}
