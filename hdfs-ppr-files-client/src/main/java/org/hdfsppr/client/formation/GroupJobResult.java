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
package org.hdfsppr.client.formation;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.classification.InterfaceAudience;

/** What a {@link GroupJob} has found and submitted. Immutable. */
@InterfaceAudience.Private
public final class GroupJobResult {
  /** The counts of a result. */
  public enum Number {
    /** Directories that were listed. */
    DIRECTORIES,
    /** Directories that the user may not list, or that were gone. */
    UNLISTED,
    /** Files in them. */
    FILES,
    /** Groups that the NameNode has accepted. */
    TAKEN,
    /**
     * Groups that the job gave up submitting, because the NameNode had so many groups waiting that
     * it took no more for a long time.
     */
    LEFT
  }

  private final Map<Number, Long> numbers;
  /** How many files are in no group that was submitted, by reason */
  public final Map<String, Long> waiting;

  /**
   * @param numbers the counts; one that is missing is 0
   * @param waiting how many files are in no group, by reason
   */
  public GroupJobResult(Map<Number, Long> numbers, Map<String, Long> waiting) {
    Map<Number, Long> copy = new EnumMap<>(Number.class);
    copy.putAll(numbers);
    this.numbers = Collections.unmodifiableMap(copy);
    this.waiting = Collections.unmodifiableMap(new TreeMap<>(waiting));
  }

  /**
   * @param which a count
   * @return the value of the count
   */
  public long get(Number which) {
    return numbers.getOrDefault(which, 0L);
  }
}
