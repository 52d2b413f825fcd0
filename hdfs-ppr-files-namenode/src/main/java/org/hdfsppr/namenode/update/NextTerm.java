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
 * When a unit's log gets a new term, decides which holder's history of updates the new term
 * continues. Holders may have different histories. The one that is continued must have all
 * acknowledged updates. An update is acknowledged when all holders of its term have it, and two
 * rules follow from that:
 *
 * <ul>
 * <li>At least one holder of the latest term has to answer. If one that answers has not begun that
 * term, or does not have all of the history with which the term began, then no update was
 * acknowledged in the term. Such a term is <em>void</em>. The leader of the new term is a holder of
 * the void one. From then on it refuses requests of the void term, so that no update will be
 * acknowledged in that term later either.</li>
 * <li>Of the complete histories of the nodes that answer, the new term continues the one that ends
 * in the latest term. For a node in a void term, this is the term before the void one. If several
 * nodes have a history of that term, the longest one is continued, because a machine that has lost
 * power may have lost the last updates. The NameNode asks all nodes that can have the history: the
 * holders of the latest term, and those that had the complete history when that term was made.</li>
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
 * gets no new term, although the last updates of this history may never have been acknowledged:
 *
 * <ul>
 * <li>An heir must not lead with its shorter history. No answer says whether these updates were
 * acknowledged, and whether the heir has lost them when its machine lost power.</li>
 * <li>The node with the longer history must not lead. If it did, the holders of the latest term
 * might still begin that term, and acknowledge updates in it. The next decision would nevertheless
 * assume that no earlier term acknowledges updates any more, because this node's term has
 * begun.</li>
 * </ul>
 *
 * <p>The unit gets a new term when the latest one has begun at all of its holders, or when other
 * nodes answer when they are asked again. Immutable.
 */
final class NextTerm {
  /** The term whose history the new term continues; 0 if there is no history. */
  final long previous;
  /** The UUIDs of the nodes that have all of that history. */
  final List<String> complete;
  /**
   * The UUIDs of the nodes that may lead the new term; all of them are holders of the latest one.
   */
  final List<String> leaders;
  /** The UUIDs of the holders of the latest term that have answered. */
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
   * Decides which history the new term continues.
   *
   * @param latest the latest term
   * @param answers the positions of the nodes that have answered, by UUID. All holders of the
   *     latest term were asked, and all nodes in its {@code history}
   * @return the decision; null if there can be none until other nodes answer
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
    // All nodes that are left have the same history. A node that has already copied it into the
    // void term says so by a later term.
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

  /** Returns the term to which the last update of a node's history may belong. */
  private static long history(LogPosition position, UnitTerm latest, boolean isVoid) {
    return isVoid && position.term == latest.term ? latest.previous : position.term;
  }

  /**
   * Returns the heirs of the new term: the holders that end all earlier terms when they begin a
   * later one.
   *
   * @param holders UUIDs of the holders of the new term
   */
  List<String> heirs(List<String> holders) {
    List<String> heirs = new ArrayList<>(holders);
    heirs.retainAll(fencing);
    return heirs;
  }
}
