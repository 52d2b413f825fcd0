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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import org.hdfsppr.update.append.LogPosition;
import org.junit.jupiter.api.Test;

/** Which history goes on, by cases and by random histories of a model. */
class TestNextTerm {
  private static LogPosition whole(long term, long last) {
    return new LogPosition(term, last, 1, true);
  }

  private static LogPosition partly(long term, long last) {
    return new LogPosition(term, last, 1, false);
  }

  /** A term whose only heir is its leader, unless it is the first one. */
  private static UnitTerm term(long term, long previous, List<String> holders, String... history) {
    return new UnitTerm(0, term, previous, holders, List.of(history),
        history.length == 0 ? holders : holders.subList(0, 1), 1);
  }

  @Test
  void theHistoryOfTheLatestTermGoesOnAtAHolderThatHasAllOfIt() {
    NextTerm next = NextTerm.of(term(5, 0, List.of("a", "b")), Map.of("b", whole(5, 7)));
    assertEquals(5, next.previous);
    assertEquals(List.of("b"), next.leaders);
  }

  @Test
  void aTermThatAHolderHasNotBegunHasAcknowledgedNothing() {
    UnitTerm latest = term(6, 5, List.of("b", "c"), "b");
    NextTerm next = NextTerm.of(latest, Map.of("b", whole(5, 7)));
    assertEquals(5, next.previous);
    assertEquals(List.of("b"), next.leaders);
    assertNull(NextTerm.of(latest, Map.of("c", whole(5, 7))));
    next = NextTerm.of(latest, Map.of("b", whole(5, 7), "c", partly(6, 2)));
    assertEquals(5, next.previous);
    assertEquals(List.of("b"), next.leaders);
  }

  @Test
  void theLongestHistoryGoesOn() {
    NextTerm next = NextTerm.of(term(5, 0, List.of("a", "b")),
        Map.of("a", whole(5, 6), "b", whole(5, 7)));
    assertEquals(List.of("b"), next.leaders);
    assertEquals(List.of("b"), next.complete);
  }

  @Test
  void aVoidTermDoesNotMakeAShorterHistoryCount() {
    // The machine of a has lost power. Its term began without b, which has one update more.
    NextTerm next = NextTerm.of(term(6, 5, List.of("a", "b"), "a"),
        Map.of("a", whole(6, 6), "b", whole(5, 7)));
    assertEquals(5, next.previous);
    assertEquals(List.of("b"), next.leaders);
    next = NextTerm.of(term(6, 5, List.of("a", "b"), "a"),
        Map.of("a", whole(6, 7), "b", whole(5, 7)));
    assertEquals(6, next.previous);
    assertEquals(List.of("a"), next.leaders);
  }

  @Test
  void aNodeThatHasLostItsLogDoesNotHideTheOther() {
    NextTerm next = NextTerm.of(term(5, 0, List.of("a", "b")),
        Map.of("a", LogPosition.NOTHING, "b", whole(5, 7)));
    assertEquals(5, next.previous);
    assertEquals(List.of("b"), next.leaders);
  }

  @Test
  void aUnitThatWasNeverWrittenBeginsWithEachHolder() {
    NextTerm next = NextTerm.of(term(3, 0, List.of("a", "b")), Map.of("b", LogPosition.NOTHING));
    assertEquals(0, next.previous);
    assertEquals(List.of("b"), next.leaders);
    assertEquals(List.of("b"), next.complete);
  }

  @Test
  void withoutAHolderOfTheLatestTermNothingIsKnown() {
    assertNull(NextTerm.of(term(6, 5, List.of("c", "d"), "b"), Map.of("b", whole(5, 7))));
    assertNull(NextTerm.of(term(3, 0, List.of("a", "b")), Map.of()));
  }

  @Test
  void withoutTheHistoryNothingGoesOn() {
    assertNull(NextTerm.of(term(6, 5, List.of("b", "c"), "b"), Map.of("c", LogPosition.NOTHING)));
    assertNull(NextTerm.of(term(6, 5, List.of("b", "c"), "b"), Map.of("c", partly(6, 3))));
  }

  @Test
  void aNodeOutsideTheLatestTermDoesNotLead() {
    assertNull(NextTerm.of(term(6, 5, List.of("c", "d"), "a"),
        Map.of("a", whole(5, 7), "d", partly(6, 1))));
  }

  @Test
  void theLeaderOfATermThatHasNotBegunLeadsTheNext() {
    // The first term may still go on at a and b, until b begins the second one.
    UnitTerm second = term(2, 0, List.of("b", "c"), "b");
    assertNull(NextTerm.of(second, Map.of("c", LogPosition.NOTHING)));
    assertEquals(List.of("b"), NextTerm.of(second, Map.of("b", LogPosition.NOTHING, "c",
        LogPosition.NOTHING)).leaders);
    assertEquals(1, NextTerm.of(second, Map.of("b", whole(1, 4))).previous);
    assertEquals(List.of("c"), NextTerm.of(second, Map.of("c", whole(2, 0))).leaders);
  }

  @Test
  void anHeirLeadsIfTheLeaderHasNotBegunItsTerm() {
    UnitTerm first = term(1, 0, List.of("a", "b", "c"));
    NextTerm second = NextTerm.of(first, Map.of("a", whole(1, 4), "b", whole(1, 4), "c",
        whole(1, 4)));
    List<String> holders = List.of("a", "b", "d");
    assertEquals(List.of("a", "b"), second.heirs(holders), "d does not hold the first term");
    UnitTerm latest = new UnitTerm(0, 2, 1, holders, second.complete, second.heirs(holders), 1);
    NextTerm third = NextTerm.of(latest, Map.of("b", whole(1, 4), "c", whole(1, 4), "d",
        LogPosition.NOTHING));
    assertEquals(List.of("b"), third.leaders);
    assertEquals(1, third.previous);
    // The second term may still begin, and the first one go on: d ends the second one only.
    assertEquals(List.of("b"), third.heirs(List.of("b", "c", "d")));
    assertNull(NextTerm.of(latest, Map.of("c", whole(1, 4), "d", LogPosition.NOTHING)));
    // A term that has begun has ended the one before.
    NextTerm begun = NextTerm.of(latest, Map.of("b", whole(1, 4), "d", whole(2, 4)));
    assertEquals(List.of("b", "d"), begun.heirs(List.of("d", "c", "b")).stream().sorted()
        .collect(Collectors.toList()));
  }

  /**
   * One node has more of the history than the only heir. The update may have been acknowledged, and
   * the heir's machine may have lost power since. The node cannot lead: the latest term may begin
   * at the other two while it does.
   */
  @Test
  void noHeirLeadsWithLessThanAnotherNodeHas() {
    UnitTerm latest = term(6, 5, List.of("b", "d"), "b", "c");
    assertNull(NextTerm.of(latest, Map.of("b", whole(5, 7), "c", whole(5, 8), "d",
        LogPosition.NOTHING)));
    assertNull(NextTerm.of(latest, Map.of("b", whole(6, 7), "c", whole(5, 8), "d",
        LogPosition.NOTHING)));
    // The wait ends when the latest term begins at both of its holders, when the heir has as much,
    // or when the other node is silent.
    assertEquals(List.of("b", "d"), NextTerm.of(latest, Map.of("b", whole(6, 7), "c", whole(5, 8),
        "d", whole(6, 7))).leaders);
    assertEquals(List.of("b"), NextTerm.of(latest, Map.of("b", whole(5, 8), "c", whole(5, 8), "d",
        LogPosition.NOTHING)).leaders);
    assertEquals(List.of("b"), NextTerm.of(latest, Map.of("b", whole(5, 7), "d",
        LogPosition.NOTHING)).leaders);
  }

  @Test
  void heirsAreHolders() {
    assertThrows(IllegalArgumentException.class, () ->
        new UnitTerm(0, 2, 1, List.of("a", "b"), List.of("a"), List.of("a", "c"), 1));
    assertThrows(IllegalArgumentException.class, () ->
        new UnitTerm(0, 2, 1, List.of("a", "b"), List.of("a"), List.of("b"), 1));
  }

  /**
   * Holders and terms at random: nodes take updates, are cut off, and come back, and terms are
   * begun in steps between which other things happen. Machines lose power, one at a time, and with
   * it the last updates of their log. The leader of each term that acknowledges has all updates
   * that were acknowledged before.
   */
  @Test
  void noAcknowledgedUpdateIsEverLost() {
    int powerLosses = 0;
    for (long seed = 0; seed < 6_000; seed++) {
      Model model = new Model(new Random(seed), 2 + (int) (seed % 2));
      model.run("seed " + seed);
      powerLosses += model.powerLosses;
    }
    assertTrue(powerLosses > 700, powerLosses + " machines have lost power");
  }

  /** What nodes know of one unit; an update is a number. */
  private static final class Model {
    private static final int NODES = 5;
    private static final int STEPS = 60;

    private final Random random;
    private final int replicas;
    private final Map<String, Log> logs = new HashMap<>();
    private final List<Integer> acknowledged = new ArrayList<>();
    private final List<Leader> leaders = new ArrayList<>();
    private UnitTerm latest;
    private int updates;
    private int powerLosses;
    /**
     * A node with updates that another one has lost with its power. It is not cut off until all
     * holders of a later term have them.
     */
    private String stands;
    /** The term in which they were lost. */
    private long lostIn;

    /** The log of a node. */
    private static final class Log {
      private long term;
      private int base;
      private boolean isComplete = true;
      private List<Integer> updates = new ArrayList<>();
    }

    /** A node that leads a term. */
    private static final class Leader {
      private final UnitTerm term;
      private boolean isBegun;
      private boolean isOver;

      Leader(UnitTerm term) {
        this.term = term;
      }
    }

    /** @param replicas how many nodes hold the log */
    Model(Random random, int replicas) {
      this.random = random;
      this.replicas = replicas;
      for (int i = 0; i < NODES; i++) {
        logs.put("n" + i, new Log());
      }
      latest = term(1, 0, List.of("n0", "n1", "n2").subList(0, replicas));
      leaders.add(new Leader(latest));
    }

    void run(String seed) {
      for (int i = 0; i < STEPS; i++) {
        Leader leader = leaders.get(random.nextInt(leaders.size()));
        if (random.nextInt(4) == 0) {
          renew();
        } else if (!leader.isOver && !leader.isBegun) {
          begin(leader);
        } else if (!leader.isOver) {
          append(leader, seed);
        }
      }
    }

    private boolean isReached(String node) {
      return random.nextInt(3) > 0 || node.equals(stands);
    }

    /**
     * Lets the machine of a node lose power. Another node that answers has all that it loses. A
     * node is spared that is to lead a term which it has not begun: it begins without being asked
     * again what it has.
     */
    private void losePower(List<String> reached) {
      for (String node : reached) {
        Log log = logs.get(node);
        boolean isToLead = leaders.stream().anyMatch(leader -> !leader.isBegun
            && leader.term.holders.get(0).equals(node));
        int left = log.base + random.nextInt(3);
        if (stands != null || isToLead || !log.isComplete || left >= log.updates.size()) {
          continue;
        }
        for (String other : reached) {
          Log same = logs.get(other);
          if (!other.equals(node) && same.isComplete && same.term == log.term
              && same.updates.containsAll(log.updates)) {
            stands = other;
          }
        }
        if (stands != null) {
          lostIn = log.term;
          log.updates.subList(left, log.updates.size()).clear();
          // A node that starts again does not know how far it has led.
          leaders.stream().filter(leader -> leader.term.holders.get(0).equals(node))
              .forEach(leader -> leader.isOver = true);
          powerLosses++;
        }
      }
    }

    private void renew() {
      Map<String, LogPosition> answers = new HashMap<>();
      List<String> asked = new ArrayList<>(latest.holders);
      asked.addAll(latest.history);
      asked.removeIf(node -> !isReached(node));
      if (random.nextBoolean()) {
        losePower(asked);
      }
      for (String node : asked) {
        Log log = logs.get(node);
        answers.put(node, new LogPosition(log.term, log.updates.size(), 1, log.isComplete));
      }
      NextTerm next = NextTerm.of(latest, answers);
      if (next == null) {
        return;
      }
      String leads = next.leaders.get(random.nextInt(next.leaders.size()));
      List<String> holders = new ArrayList<>(List.of(leads));
      while (holders.size() < replicas) {
        String node = "n" + random.nextInt(NODES);
        if (!holders.contains(node)) {
          holders.add(node);
        }
      }
      latest = new UnitTerm(0, latest.term + 1, next.previous, holders, next.complete,
          next.heirs(holders), 1);
      leaders.add(new Leader(latest));
    }

    /** Begins a term as a UnitLead and a LogHolder do. */
    private void begin(Leader leader) {
      Log own = logs.get(leader.term.holders.get(0));
      long previous = leader.term.previous;
      boolean mayLead = own.term < leader.term.term && (previous > 0
          ? own.term == previous && own.isComplete : own.updates.isEmpty());
      leader.isBegun = true;
      leader.isOver = !mayLead;
      if (!mayLead) {
        return;
      }
      own.term = leader.term.term;
      own.isComplete = true;
      own.base = own.updates.size();
      for (String follower : leader.term.holders.subList(1, leader.term.holders.size())) {
        Log log = logs.get(follower);
        boolean isLater = log.term > leader.term.term
            || log.isComplete && (log.term > previous && log.updates.size() > log.base
                || log.term == previous && log.updates.size() > own.updates.size());
        if (!isReached(follower) || isLater) {
          leader.isOver = true;
          return;
        }
        log.term = leader.term.term;
        log.isComplete = isReached(follower);
        log.updates = log.isComplete ? new ArrayList<>(own.updates) : new ArrayList<>();
        log.base = own.updates.size();
        leader.isOver |= !log.isComplete;
      }
    }

    private void append(Leader leader, String seed) {
      int update = ++updates;
      boolean isDone = true;
      int has = logs.get(leader.term.holders.get(0)).updates.size();
      for (String holder : leader.term.holders) {
        Log log = logs.get(holder);
        boolean takes = log.term == leader.term.term && log.isComplete
            && log.updates.size() == has
            && (holder.equals(leader.term.holders.get(0)) || isReached(holder));
        if (takes) {
          log.updates.add(update);
        }
        isDone &= takes;
      }
      leader.isOver = !isDone;
      if (isDone) {
        acknowledged.add(update);
        List<Integer> all = logs.get(leader.term.holders.get(0)).updates;
        assertTrue(all.containsAll(acknowledged), seed + ": " + acknowledged + " in " + all);
        if (leader.term.term > lostIn) {
          stands = null;
        }
      }
    }
  }
}
