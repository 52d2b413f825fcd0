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
package org.hdfsppr.bench.update.strategy;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.update.StripeUpdates;

/**
 * The stripes with ranges that are not parity yet, and the rule that says when they have to be
 * committed: before there would be more of them than u_s. All of them are committed together. Not
 * safe for several threads.
 */
@InterfaceAudience.Private
public final class DirtyStripes {
  private final int stripesMax;
  private final Map<Long, StripeUpdates> dirty = new TreeMap<>();

  /**
   * @param stripesMax u_s, at least 1
   * @throws IllegalArgumentException if it is less
   */
  public DirtyStripes(int stripesMax) {
    if (stripesMax < 1) {
      throw new IllegalArgumentException("At most " + stripesMax
          + " stripes may be dirty, and 1 at least has to be");
    }
    this.stripesMax = stripesMax;
  }

  /**
   * Says whether a commit has to come before a write.
   *
   * @param stripe the stripe that is written
   * @return whether this stripe is clean and no further one may become dirty
   */
  public boolean commitsBefore(long stripe) {
    return dirty.size() >= stripesMax && !dirty.containsKey(stripe);
  }

  /**
   * Adds a written range.
   *
   * @param stripe the stripe
   * @param unit the data unit
   * @param from the first byte within the unit
   * @param to the byte after the last one
   * @throws IllegalStateException if a commit has to come before
   */
  public void add(long stripe, int unit, long from, long to) {
    if (commitsBefore(stripe)) {
      throw new IllegalStateException("Stripe " + stripe + " cannot become dirty: "
          + dirty.size() + " are, and none more may be");
    }
    dirty.computeIfAbsent(stripe, none -> new StripeUpdates()).add(unit, from, to);
  }

  /** @return the dirty stripes, in ascending order, with what has changed */
  public Map<Long, StripeUpdates> stripes() {
    return Collections.unmodifiableMap(dirty);
  }

  /** Forgets all changes, after the parity has followed. */
  public void committed() {
    dirty.clear();
  }
}
