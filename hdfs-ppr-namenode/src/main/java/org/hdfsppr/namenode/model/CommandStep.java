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
package org.hdfsppr.namenode.model;

import java.util.Objects;
import java.util.Set;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * What one command of an assignment orders, and which commands have to have reported before it is
 * ordered. Immutable.
 */
@InterfaceAudience.Private
public final class CommandStep {
  private final Assignment part;
  private final Set<Integer> after;

  /**
   * @param part the helpers, targets and topology of this command; a helper may be a target of a
   *     step that this one comes after
   * @param after indices of the steps before this one that it waits for, because it reads what they
   *     rebuild
   */
  public CommandStep(Assignment part, Set<Integer> after) {
    this.part = Objects.requireNonNull(part, "part");
    this.after = Set.copyOf(after);
  }

  public Assignment part() {
    return part;
  }

  public Set<Integer> after() {
    return after;
  }

  @Override
  public String toString() {
    return part + (after.isEmpty() ? "" : " after " + after);
  }
}
