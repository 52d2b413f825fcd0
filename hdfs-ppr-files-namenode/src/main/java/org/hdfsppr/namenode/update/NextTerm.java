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
import org.hdfsppr.update.append.LogPosition;

/**
 * Decides which history of a unit's updates goes on when the holders of its log change. That
 * history must have all acknowledged updates, and an update is acknowledged when all holders of its
 * term have it. Two rules follow from that:
 *
 * <ul>
 * <li>A holder of the latest term has to answer. If it has not begun that term, or does not have
 * all of the history with which the term began, then no update was acknowledged in the term. Such a
 * term is <em>void</em>. The leader of the new term is a holder of the void one, and refuses it
 * from then on, so that no update will be acknowledged in it either.</li>
 * <li>The history that goes on is that of the latest term of which an answering node has all of the
 * history. Nodes in a void term have the history from before it. If several nodes have the history
 * of that term, the longest one goes on, because a machine that has lost power may have lost the
 * last updates. The NameNode asks all nodes that can have the history: the holders of the latest
 * term, and those that had the history when that term was made.</li>
 * </ul>
 *
 * <p>Once a leader has begun its term, no update can be acknowledged in an earlier term: the leader
 * is a holder of the term before, and refuses that term from then on. The leader of that term ended
 * all terms before it in the same way when it began its own. But as long as no answer shows that
 * the latest term has begun, the term before it may still go on. Then only an <em>heir</em> of the
 * latest term may lead: a holder that also holds the term before it, and that is an heir of that
 * one if it has not begun either.
 *
 * <p>A node that is no heir may have a longer history than each heir that answers. The unit then
 * waits, although the last updates there may never have been acknowledged:
 *
 * <ul>
 * <li>An heir must not lead with less. No answer says whether these updates were acknowledged, and
 * whether the heir has lost them when its machine lost power.</li>
 * <li>The other node must not lead. It does not end the latest term, which its holders may still
 * begin, and in which they may then acknowledge updates. The next decision would nevertheless take
 * this node's term for the end of all earlier ones.</li>
 * </ul>
 *
 * <p>The wait ends when the latest term begins at all of its holders, or when other nodes answer a
 * later question. Immutable.
 */
final class NextTerm {
  /** The term whose history goes on; 0 if there is none. */
  final long previous;
  /** The nodes that have all of that history. */
  final List<String> complete;
  /** The nodes that may lead; all of them are holders of the latest term. */
  final List<String> leaders;
  /** The holders of the latest term that have answered. */
  final List<String> witnesses;
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
   * @param answers by UUID, the positions of those nodes that have answered, of the holders of the
   *     latest term and of the nodes with its history
   * @return what goes on; null if that is unknown until another node answers
   */
  static NextTerm of(UnitTerm latest, Map<String, LogPosition> answers) {
    List<String> witnesses = new ArrayList<>();
    for (String holder : latest.holders) {
      if (answers.containsKey(holder)) {
        witnesses.add(holder);
      }
    }
    if (witnesses.isEmpty()) {
      return null;
    }
    boolean isVoid = witnesses.stream().map(answers::get).anyMatch(position ->
        position.term != latest.term || !position.complete);
    Map<String, LogPosition> complete = new TreeMap<>(answers);
    complete.values().removeIf(position -> !position.complete);
    long term = complete.values().stream().mapToLong(position ->
        history(position, latest, isVoid)).max().orElse(-1);
    if (term < latest.previous) {
      return null;
    }
    complete.values().removeIf(position -> history(position, latest, isVoid) < term);
    long last = complete.values().stream().mapToLong(position -> position.last).max().orElse(0);
    complete.values().removeIf(position -> position.last < last);
    // The nodes left have the same history. Some may have copied it into the void term already.
    long previous = complete.values().stream().mapToLong(position -> position.term).max().orElse(0);
    complete.values().removeIf(position -> position.term < previous);
    boolean isBegun = answers.values().stream().anyMatch(position ->
        position.term >= latest.term);
    List<String> fencing = isBegun ? latest.holders : latest.heirs;
    List<String> leaders = new ArrayList<>(witnesses);
    leaders.retainAll(fencing);
    leaders.retainAll(complete.keySet());
    return leaders.isEmpty() ? null
        : new NextTerm(previous, complete.keySet(), leaders, witnesses, fencing);
  }

  /** Returns the term in which a node's history ends. */
  private static long history(LogPosition position, UnitTerm latest, boolean isVoid) {
    return isVoid && position.term == latest.term ? latest.previous : position.term;
  }

  /**
   * Returns those holders of the next term that end all earlier terms when they begin a later one.
   *
   * @param holders the holders of the next term
   */
  List<String> heirs(List<String> holders) {
    List<String> heirs = new ArrayList<>(holders);
    heirs.retainAll(fencing);
    return heirs;
  }
}
