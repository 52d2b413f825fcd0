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
package org.hdfsppr.client.verify;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Chooses some of the groups that it is given, each with the same probability, without knowing how
 * many there are (reservoir sampling). It remembers only the chosen ones. Used by one thread.
 */
@InterfaceAudience.Private
final class Sample implements Consumer<GroupSpot> {
  private static final class Chosen {
    private final long number;
    private final GroupSpot spot;

    Chosen(long number, GroupSpot spot) {
      this.number = number;
      this.spot = spot;
    }
  }

  private final int most;
  private final SplittableRandom random;
  private final List<Chosen> chosen = new ArrayList<>();
  private long seen;

  /**
   * @param most how many groups to choose
   * @param seed the same seed chooses the same groups of the same files
   */
  Sample(int most, long seed) {
    this.most = most;
    this.random = new SplittableRandom(seed);
  }

  @Override
  public void accept(GroupSpot spot) {
    long number = seen++;
    if (chosen.size() < most) {
      chosen.add(new Chosen(number, spot));
      return;
    }
    // The next group takes one of the places with the probability most / seen.
    long place = random.nextLong(seen);
    if (place < most) {
      chosen.set((int) place, new Chosen(number, spot));
    }
  }

  /** Hands on the chosen groups, in the order in which they came. */
  void drainTo(Consumer<GroupSpot> groups) {
    chosen.sort(Comparator.comparingLong(each -> each.number));
    chosen.forEach(each -> groups.accept(each.spot));
  }

  /** How many groups there were to choose from. */
  long seen() {
    return seen;
  }
}
