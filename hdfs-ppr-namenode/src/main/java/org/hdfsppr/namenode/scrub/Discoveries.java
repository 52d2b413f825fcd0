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
package org.hdfsppr.namenode.scrub;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import org.apache.hadoop.classification.InterfaceAudience;

/** The latest findings, for the page. Not thread-safe; what {@link #all} returns is immutable. */
@InterfaceAudience.Private
final class Discoveries {
  /** The most contradictions in the list. More are counted; people begin with some of them. */
  static final int CONTRADICTIONS_MAX = 100;
  /** The most other findings, so that a bad disk does not push contradictions out of the list. */
  static final int OTHERS_MAX = 50;

  private final Deque<Discovery> contradictions = new ArrayDeque<>();
  private final Deque<Discovery> others = new ArrayDeque<>();
  private long total;
  private List<Discovery> all = Collections.emptyList();

  void add(Discovery finding) {
    Deque<Discovery> list = finding.isContradiction() ? contradictions : others;
    list.addFirst(finding);
    if (list.size() > (finding.isContradiction() ? CONTRADICTIONS_MAX : OTHERS_MAX)) {
      list.removeLast();
    }
    total++;
    List<Discovery> joined = new ArrayList<>(contradictions);
    joined.addAll(others);
    all = Collections.unmodifiableList(joined);
  }

  /** Returns contradictions first, each kind from the latest to the oldest. */
  List<Discovery> all() {
    return all;
  }

  /** Returns how many findings there were, also those that are not in the list any more. */
  long total() {
    return total;
  }
}
