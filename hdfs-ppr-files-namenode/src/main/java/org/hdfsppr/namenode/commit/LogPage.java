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
package org.hdfsppr.namenode.commit;

import java.util.List;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.update.append.NumberedUpdate;

/**
 * A page of the list of updates in a log: some updates in the order of their numbers, without their
 * data. Immutable.
 */
@InterfaceAudience.Private
public final class LogPage {
  /** The updates */
  final List<NumberedUpdate> updates;
  /** Whether this was the last page: the log had no later update when it was asked */
  final boolean isLast;

  /**
   * @param updates the updates
   * @param last the number of the last update that the log had when it was asked; 0 for none
   */
  LogPage(List<NumberedUpdate> updates, long last) {
    this.updates = List.copyOf(updates);
    this.isLast = updates.isEmpty() || updates.get(updates.size() - 1).sequence >= last;
  }
}
