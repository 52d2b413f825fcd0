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
package org.hdfsppr.namenode.spread;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * The plan for the columns at one index of a CORE group: which blocks move, and how many columns
 * stay as they are. Immutable.
 */
@InterfaceAudience.Private
public final class SpreadPlan {
  /** The moves to make */
  public final List<BlockMove> moves;
  /** How many columns have two blocks on one DataNode */
  public final int together;
  /** How many of these columns stay so for now, by reason */
  public final Map<SpreadWait, Integer> staying;

  SpreadPlan(List<BlockMove> moves, int together, Map<SpreadWait, Integer> staying) {
    this.moves = Collections.unmodifiableList(new ArrayList<>(moves));
    this.together = together;
    Map<SpreadWait, Integer> copy = new EnumMap<>(SpreadWait.class);
    copy.putAll(staying);
    this.staying = Collections.unmodifiableMap(copy);
  }
}
