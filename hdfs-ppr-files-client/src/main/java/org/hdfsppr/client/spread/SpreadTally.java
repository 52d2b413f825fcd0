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
package org.hdfsppr.client.spread;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.operate.SpreadAnswer;

/** Counts what a {@link SpreadRun} has seen and done. Used by one thread. */
@InterfaceAudience.Private
public final class SpreadTally {
  /**
   * The reason for columns whose blocks are moved already, and whose old replicas the NameNode is
   * about to delete. Nothing is left to do for them.
   */
  private static final String LEAVING = "leaving";

  private long columns;
  private long together;
  private long moved;
  private long movedBytes;
  private long failed;
  private final Map<String, Long> staying = new TreeMap<>();

  void add(SpreadAnswer answer) {
    columns += answer.columns;
    together += answer.together;
    answer.staying.forEach((reason, number) -> staying.merge(reason, number, Long::sum));
  }

  void add(MoveEnd end) {
    if (end.failure().isPresent()) {
      failed++;
    } else {
      moved++;
      movedBytes += end.move.block().getNumBytes();
    }
  }

  /** @return how many columns were looked at */
  public long columns() {
    return columns;
  }

  /** @return how many of the columns that were looked at had two blocks on one DataNode */
  public long together() {
    return together;
  }

  /** @return how many blocks were moved */
  public long moved() {
    return moved;
  }

  /** @return how many bytes the moved blocks have */
  public long movedBytes() {
    return movedBytes;
  }

  /** @return how many blocks could not be moved */
  public long failed() {
    return failed;
  }

  /**
   * @return how many columns still have two blocks on a DataNode and cannot be changed for now, by
   *     reason
   */
  public Map<String, Long> staying() {
    return Collections.unmodifiableMap(staying);
  }

  /**
   * @return whether no column has two blocks on a DataNode any more, or will have after the
   *     NameNode has deleted replicas
   */
  public boolean isDone() {
    return failed == 0 && staying.keySet().stream().allMatch(LEAVING::equals);
  }
}
