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

import java.util.Map;

/** What one view showed at one time, in numbers by their names. Immutable. */
final class Glance {
  final long askedMs;
  final long answeredMs;
  private final Map<String, Double> numbers;

  /**
   * @param askedMs when the view was asked, ms
   * @param answeredMs when the view had answered, ms
   * @param numbers what it showed
   */
  Glance(long askedMs, long answeredMs, Map<String, Double> numbers) {
    if (answeredMs < askedMs) {
      throw new IllegalArgumentException("answered at " + answeredMs + ", asked at " + askedMs);
    }
    this.askedMs = askedMs;
    this.answeredMs = answeredMs;
    this.numbers = Map.copyOf(numbers);
  }

  /** Returns whether the view shows this number at all. */
  boolean has(String name) {
    return numbers.containsKey(name);
  }

  double get(String name) {
    return numbers.get(name);
  }

  /** Returns the same numbers, shown at another time. */
  Glance later(long ms) {
    return new Glance(askedMs + ms, answeredMs + ms, numbers);
  }

  @Override
  public String toString() {
    return askedMs + " to " + answeredMs + " ms: " + numbers;
  }
}
