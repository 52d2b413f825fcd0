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

/** The operations that a superuser may ask for. The manager's thread carries them out. */
@InterfaceAudience.Private
public interface SuperuserOperations {
  /**
   * The value of {@code ms} for a pause, or for a time of stock, that lasts until {@link #resume}.
   */
  long UNTIL_RESUMED = Long.MAX_VALUE;

  /**
   * Ends the doubt about a group.
   *
   * @param groupId the group's id
   * @return done if the group was doubted, suspected or held back
   */
  Outcome undoubt(long groupId);

  /** The value of {@code wrongUnit} for a contradiction in which any unit may be wrong. */
  int ANY_UNIT = -1;

  /**
   * Begins the doubt about a group, because a check outside a repair has found that its units
   * contradict each other. The check must have excluded that a node has calculated wrongly and that
   * the group has changed meanwhile.
   *
   * @param groupId the group's id
   * @param wrongUnit index of the wrong unit, or {@link #ANY_UNIT}
   * @return done if the group is doubted now, even if it was doubted before
   */
  Outcome doubt(long groupId, int wrongUnit);

  /**
   * Lets a node that was kept out take part in repairs again.
   *
   * @param name the node's UUID, or its address or host name with its transfer port
   * @return done if the node was kept out
   */
  Outcome readmit(String name);

  /**
   * Lets no repair begin. Repairs under way go on.
   *
   * @param ms how long, ms, or {@link #UNTIL_RESUMED}; a pause that is on gets this end
   * @return done
   */
  Outcome pause(long ms);

  /**
   * Leaves all repairs to stock. Repairs under way go on; doubted groups stay kept from stock.
   *
   * @param ms how long, ms, or {@link #UNTIL_RESUMED}; a time that has begun gets this end
   * @return done
   */
  Outcome leaveToStock(long ms);

  /**
   * Ends the pause, or the time for which all repairs are left to stock.
   *
   * @return done if there was one
   */
  Outcome resume();

  /** The value of {@code percent} that changes nothing and only asks for the present pressure. */
  int AS_IT_IS = 0;

  /**
   * Sets how much repairs press where users are busy.
   *
   * @param percent see {@link org.hdfsppr.conf.Pressure}; {@link #AS_IT_IS} changes nothing
   * @return done; the sentence has the pressure
   */
  Outcome press(int percent);

  /**
   * Puts a waiting group before all others, and ends its present wait.
   *
   * @param groupId the group's id
   * @return done if the group waits for a repair
   */
  Outcome prioritize(long groupId);
}
