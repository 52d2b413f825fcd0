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
package org.hdfsppr.client.spread;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.hdfsppr.client.spread.SpreadRun.MoveQueue;
import org.hdfsppr.operate.SpreadAnswer;
import org.hdfsppr.operate.SpreadMove;
import org.hdfsppr.operate.SpreadPlace;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests that all moves are made, and not too many at a time. */
@Timeout(60)
class TestSpreadRun {
  private final List<SpreadPlace> asked = new ArrayList<>();
  private final List<MoveEnd> ends = new ArrayList<>();
  private int pauses;

  private static SpreadAnswer answer(SpreadPlace next, Map<String, Long> staying,
      SpreadMove... moves) {
    return new SpreadAnswer(List.of(moves), 10, 2, staying, next);
  }

  @Test
  void noNodeHasTooManyMoves() {
    List<SpreadMove> moves = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      moves.add(SpreadMoves.of(i, "a", "b" + i));
    }
    moves.add(SpreadMoves.of(20, "c", "d"));
    MoveQueue queue = new MoveQueue(moves);
    List<SpreadMove> running = new ArrayList<>();
    for (Optional<SpreadMove> next = queue.next(); next.isPresent(); next = queue.next()) {
      running.add(next.get());
    }
    assertEquals(MoveQueue.ON_A_NODE_MAX + 1, running.size());
    assertEquals("d", running.get(MoveQueue.ON_A_NODE_MAX).to().getDatanodeUuid());
    queue.ended(running.get(MoveQueue.ON_A_NODE_MAX));
    assertTrue(queue.next().isEmpty());
    queue.ended(running.get(0));
    assertTrue(queue.next().isPresent());
    assertTrue(queue.next().isEmpty());
  }

  /** A node takes part in no more moves than the bound allows, as source and as target together. */
  @Test
  void randomMovesKeepBothBoundsAndAllEnd() {
    long seed = 20261126;
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    List<SpreadMove> moves = new ArrayList<>();
    for (int i = 0; i < 2_000; i++) {
      int from = random.nextInt(40);
      moves.add(SpreadMoves.of(i, "n" + from, "n" + (from + 1 + random.nextInt(38)) % 40));
    }
    MoveQueue queue = new MoveQueue(moves);
    List<SpreadMove> running = new ArrayList<>();
    int most = 0;
    int done = 0;
    while (done < moves.size()) {
      queue.next().ifPresent(running::add);
      most = Math.max(most, running.size());
      Map<String, Integer> onNode = new HashMap<>();
      running.forEach(move -> {
        onNode.merge(move.from().getDatanodeUuid(), 1, Integer::sum);
        onNode.merge(move.to().getDatanodeUuid(), 1, Integer::sum);
      });
      onNode.values().forEach(moving -> assertTrue(moving <= MoveQueue.ON_A_NODE_MAX));
      if (random.nextInt(10) < 4 || running.size() == MoveQueue.RUNNING_MAX) {
        queue.ended(running.remove(random.nextInt(running.size())));
        done++;
      }
      assertEquals(!running.isEmpty(), queue.isRunning());
    }
    assertTrue(queue.next().isEmpty());
    assertTrue(most > MoveQueue.RUNNING_MAX / 2 && most <= MoveQueue.RUNNING_MAX, "" + most);
  }

  private SpreadTally run(List<SpreadAnswer> answers, BlockMover mover) throws IOException {
    try (SpreadRun run = new SpreadRun(from -> {
      asked.add(from);
      return answers.get(asked.size() - 1);
    }, mover, () -> pauses++, (end, tally) -> ends.add(end))) {
      return run.run();
    }
  }

  @Test
  void allAnswersAreCarriedOutAndCounted() throws Exception {
    SpreadPlace second = new SpreadPlace(20, 0);
    SpreadPlace third = new SpreadPlace(20, 5);
    SpreadTally tally = run(List.of(
        answer(second, Map.of("leaving", 1L), SpreadMoves.of(1, "a", "b"),
            SpreadMoves.of(2, "a", "c")),
        answer(third, Map.of()),
        answer(null, Map.of("leaving", 1L), SpreadMoves.of(3, "d", "b"))), move -> { });
    assertEquals(List.of(SpreadPlace.START, second, third), asked);
    assertEquals(2, pauses);
    assertEquals(3, ends.size());
    assertEquals(30, tally.columns());
    assertEquals(6, tally.together());
    assertEquals(3, tally.moved());
    assertEquals(300, tally.movedBytes());
    assertEquals(Map.of("leaving", 2L), tally.staying());
    assertTrue(tally.isDone());
  }

  @Test
  void whatFailsIsCountedAndTheOthersGoOn() throws Exception {
    List<SpreadAnswer> answers = List.of(answer(new SpreadPlace(20, 0), Map.of(),
        SpreadMoves.of(1, "a", "b"), SpreadMoves.of(2, "a", "c"), SpreadMoves.of(3, "a", "d")),
        answer(null, Map.of(), SpreadMoves.of(4, "a", "b")));
    SpreadTally tally = run(answers, move -> {
      if (move.block().getBlockId() == -998) {
        throw new IOException("c is full");
      }
      if (move.block().getBlockId() == -997) {
        throw new IllegalStateException("a fault");
      }
    });
    assertEquals(2, tally.moved());
    assertEquals(2, tally.failed());
    assertFalse(tally.isDone());
    List<String> failures = new ArrayList<>();
    ends.forEach(end -> end.failure().ifPresent(failure -> failures.add(failure.getMessage())));
    Collections.sort(failures);
    assertEquals(List.of("c is full", "java.lang.IllegalStateException: a fault"), failures);
    assertFalse(new SpreadTallies().staying("no_node").isDone());
    assertTrue(new SpreadTallies().staying("leaving").isDone());
  }

  /** Makes tallies without moves. */
  private static final class SpreadTallies {
    SpreadTally staying(String reason) {
      SpreadTally tally = new SpreadTally();
      tally.add(answer(null, Map.of(reason, 1L)));
      return tally;
    }
  }

  /** The NameNode would not know of moves under way. */
  @Test
  void movesOfAnAnswerRunTogetherAndEndBeforeTheNextQuestion() throws Exception {
    int together = MoveQueue.ON_A_NODE_MAX;
    CyclicBarrier barrier = new CyclicBarrier(together);
    SpreadMove[] moves = new SpreadMove[2 * together];
    for (int i = 0; i < moves.length; i++) {
      moves[i] = SpreadMoves.of(i, "a", "b" + i);
    }
    run(List.of(answer(new SpreadPlace(20, 0), Map.of(), moves),
        answer(null, Map.of(), SpreadMoves.of(99, "a", "b"))), move -> {
          if (move.index == 99) {
            assertEquals(moves.length, ends.size());
            return;
          }
          try {
            barrier.await(30, TimeUnit.SECONDS);
          } catch (Exception e) {
            throw new IOException(e);
          }
        });
    assertEquals(moves.length + 1, ends.size());
    assertTrue(ends.stream().allMatch(end -> end.failure().isEmpty()));
  }

  @Test
  void aRefusalEndsTheRun() {
    try (SpreadRun run = new SpreadRun(from -> {
      throw new IOException("only superusers");
    }, move -> { }, () -> { }, (end, tally) -> { })) {
      assertEquals("only superusers",
          assertThrows(IOException.class, run::run).getMessage());
    }
  }
}
