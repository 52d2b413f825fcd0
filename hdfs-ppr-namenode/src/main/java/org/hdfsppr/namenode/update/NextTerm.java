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
package org.hdfsppr.namenode.update;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.update.append.LogPosition;

/**
 * Decides which history goes on when the holders of a unit's log change. An update is acknowledged
 * when all holders of its term have it. So two things together make sure that a new term has all of
 * them:
 *
 * <ul>
 * <li>A holder of the latest term answers. If it has not begun that term, or does not have all of
 * its history, nothing was acknowledged in it, and the term is void. This holder is in the new
 * term, too, and refuses the old one from then on, so that nothing will be.</li>
 * <li>The history is that of the latest term which an answering node has completely. A node in a
 * void term has the history from before. Of several such nodes it is the longest history, because
 * the machines of the others may have lost power. All nodes that can have it are asked: the holders
 * of the latest term, and those that had the history when that term was made.</li>
 * </ul>
 *
 * <p>And when a leader begins its term, no earlier one can acknowledge anything more. It is a
 * holder of the term before, and refuses that one from then on; the leader of that term had ended
 * the terms before it in the same way. As long as no answer shows that a term has begun, its
 * predecessor may still go on. The next leader is then one of the <em>heirs</em> of the term: the
 * holders that hold its predecessor, too, and if that has not begun either, are heirs of it.
 *
 * Immutable.
 */
@InterfaceAudience.Private
final class NextTerm {
  private final long previous;
  private final List<String> complete;
  private final List<String> leaders;
  private final List<String> witnesses;
  private final List<String> fencing;

  private NextTerm(long previous, Collection<String> complete, List<String> leaders,
      List<String> witnesses, List<String> fencing) {
    this.fencing = List.copyOf(fencing);
    this.leaders = List.copyOf(leaders);
    this.previous = previous;
    this.complete = List.copyOf(complete);
    this.witnesses = List.copyOf(witnesses);
  }

  /**
   * @param latest the latest term
   * @param answers by UUID, how far those of its holders and of the nodes with its history are that
   *     have answered
   * @return what goes on; null if that cannot be known before another node answers
   */
  static NextTerm of(UnitTerm latest, Map<String, LogPosition> answers) {
    List<String> witnesses = new ArrayList<>();
    for (String holder : latest.holders()) {
      if (answers.containsKey(holder)) {
        witnesses.add(holder);
      }
    }
    if (witnesses.isEmpty()) {
      return null;
    }
    boolean isVoid = witnesses.stream().map(answers::get).anyMatch(position ->
        position.term() != latest.term() || !position.isComplete());
    Map<String, LogPosition> complete = new TreeMap<>(answers);
    complete.values().removeIf(position -> !position.isComplete());
    long term = complete.values().stream().mapToLong(position ->
        history(position, latest, isVoid)).max().orElse(-1);
    if (term < latest.previous()) {
      return null;
    }
    complete.values().removeIf(position -> history(position, latest, isVoid) < term);
    long last = complete.values().stream().mapToLong(LogPosition::last).max().orElse(0);
    complete.values().removeIf(position -> position.last() < last);
    // These have the same history, and may have it in the void term and in the one before.
    long previous = complete.values().stream().mapToLong(LogPosition::term).max().orElse(0);
    complete.values().removeIf(position -> position.term() < previous);
    boolean isBegun = answers.values().stream().anyMatch(position ->
        position.term() >= latest.term());
    List<String> fencing = isBegun ? latest.holders() : latest.heirs();
    List<String> leaders = new ArrayList<>(witnesses);
    leaders.retainAll(fencing);
    leaders.retainAll(complete.keySet());
    return leaders.isEmpty() ? null
        : new NextTerm(previous, complete.keySet(), leaders, witnesses, fencing);
  }

  /** Returns the term in which a node's history ends. */
  private static long history(LogPosition position, UnitTerm latest, boolean isVoid) {
    return isVoid && position.term() == latest.term() ? latest.previous() : position.term();
  }

  /** Returns the term whose history goes on; 0 if there is none. */
  long previous() {
    return previous;
  }

  /** Returns the nodes that have all of that history. */
  List<String> complete() {
    return complete;
  }

  /** Returns the holders of the latest term that have answered. */
  List<String> witnesses() {
    return witnesses;
  }

  /** Returns the nodes that may lead; all of them are holders of the latest term. */
  List<String> leaders() {
    return leaders;
  }

  /**
   * Returns those holders of the next term that end all earlier ones when they begin a later one.
   *
   * @param holders the holders of the next term
   */
  List<String> heirs(List<String> holders) {
    List<String> heirs = new ArrayList<>(holders);
    heirs.retainAll(fencing);
    return heirs;
  }
}
