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
package org.hdfsppr.it.views;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/**
 * Compares what two views showed of one number. They agree to within a time if each sample of the
 * first lies between the least and the greatest value that the second showed within that time,
 * before and after:
 *
 * <pre>
 *              asked     answered
 *   first        |--- v ---|
 *   second  a  b    c    d     e   f       agree if min(a..f) &lt;= v &lt;= max(a..f)
 *           |&lt;--&gt;|         |&lt;---&gt;|
 *          tolerance      tolerance
 * </pre>
 *
 * A sample next to which the second showed nothing is not compared. Samples from before the second
 * began to show something, or after it ended, do not count at all.
 */
final class Agreement {
  private final String number;
  private final View first;
  private final View second;
  /** A sentence for each sample of the first view that disagrees. */
  final List<String> disagreements = new ArrayList<>();
  private int compared;
  private int uncompared;

  private Agreement(String number, View first, View second) {
    this.number = number;
    this.first = first;
    this.second = second;
  }

  /**
   * Compares two views.
   *
   * @param number the name of a number that both show
   * @param toleranceMs the time, ms
   */
  static Agreement of(String number, View first, View second, long toleranceMs) {
    Agreement agreement = new Agreement(number, first, second);
    List<Glance> others = second.samples().stream().filter(other -> other.has(number))
        .collect(Collectors.toList());
    if (others.isEmpty()) {
      return agreement;
    }
    long begin = others.get(0).askedMs - toleranceMs;
    long end = others.get(others.size() - 1).answeredMs + toleranceMs;
    for (Glance sample : first.samples()) {
      if (sample.has(number) && sample.answeredMs >= begin && sample.askedMs <= end) {
        agreement.compare(sample, others, toleranceMs);
      }
    }
    return agreement;
  }

  private void compare(Glance sample, List<Glance> others, long toleranceMs) {
    double least = Double.POSITIVE_INFINITY;
    double greatest = Double.NEGATIVE_INFINITY;
    for (Glance other : others) {
      if (other.answeredMs >= sample.askedMs - toleranceMs
          && other.askedMs <= sample.answeredMs + toleranceMs) {
        least = Math.min(least, other.get(number));
        greatest = Math.max(greatest, other.get(number));
      }
    }
    double value = sample.get(number);
    if (least > greatest) {
      uncompared++;
    } else {
      compared++;
      if (value < least || value > greatest) {
        disagreements.add(first.name + " at " + sample.askedMs + " ms: " + number + " is "
            + value + ", and " + second.name + " showed " + least + " to " + greatest
            + " within " + toleranceMs + " ms");
      }
    }
  }

  /** Returns how many samples were compared. */
  int compared() {
    return compared;
  }

  /** Returns how many samples the second view showed nothing next to. */
  int uncompared() {
    return uncompared;
  }

  /**
   * Finds the least time to within which two views agree, in steps. Each sample that is compared at
   * the greatest time has to be compared at that time, too.
   *
   * @param stepMs the step, ms
   * @param mostMs the greatest time to try, ms
   * @return the time, ms; empty if they do not agree to within {@code mostMs}
   */
  static OptionalLong least(String number, View first, View second, long stepMs, long mostMs) {
    int all = of(number, first, second, mostMs).compared();
    for (long ms = 0; ms <= mostMs; ms += stepMs) {
      Agreement agreement = of(number, first, second, ms);
      if (agreement.compared() == all && agreement.disagreements.isEmpty()) {
        return OptionalLong.of(ms);
      }
    }
    return OptionalLong.empty();
  }
}
