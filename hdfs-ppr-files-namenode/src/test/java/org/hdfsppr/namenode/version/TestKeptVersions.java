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
package org.hdfsppr.namenode.version;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What the janitor remembers, beside a map that does the same. */
class TestKeptVersions {
  private static final long SEED = 47;
  private static final int STEPS = 200_000;
  /** Few ids near each other, as inode ids are, so that each is put and removed again. */
  private static final int IDS = 3_000;

  private static Set<Long> due(KeptVersions kept, VersionHome home, long nowMs) {
    Set<Long> due = new HashSet<>();
    for (long one : kept.due(home, nowMs, Integer.MAX_VALUE)) {
      assertTrue(due.add(one));
    }
    return due;
  }

  @Test
  void itRemembersWhatAMapDoes() {
    System.out.println("seed " + SEED);
    Random random = new Random(SEED);
    KeptVersions kept = new KeptVersions();
    Map<VersionHome, Map<Long, Long>> model = new HashMap<>();
    for (int step = 0; step < STEPS; step++) {
      VersionHome home = VersionHome.values()[random.nextInt(3)];
      Map<Long, Long> map = model.computeIfAbsent(home, any -> new HashMap<>());
      long id = 16_386 + (random.nextInt(4) == 0 ? 1_000_000L * random.nextInt(IDS)
          : random.nextInt(IDS));
      // It grows for a while, and shrinks then.
      if (random.nextInt(8) < (step < STEPS / 2 ? 5 : 3)) {
        assertTrue(kept.put(home, id, id + 1, step));
        map.put(id, (long) step);
      } else {
        kept.remove(home, id);
        map.remove(id);
      }
      assertEquals(map.containsKey(id), kept.untilMs(home, id).isPresent());
      if (step % 5_000 == 0) {
        assertSame(kept, model, step - 10_000);
      }
    }
    assertSame(kept, model, STEPS);
  }

  private static void assertSame(KeptVersions kept, Map<VersionHome, Map<Long, Long>> model,
      long nowMs) {
    long next = Long.MAX_VALUE;
    int size = 0;
    for (Map.Entry<VersionHome, Map<Long, Long>> entry : model.entrySet()) {
      Set<Long> expected = new HashSet<>();
      Set<Long> all = new HashSet<>();
      for (Map.Entry<Long, Long> one : entry.getValue().entrySet()) {
        assertEquals(one.getValue(), kept.untilMs(entry.getKey(), one.getKey()).getAsLong());
        next = Math.min(next, one.getValue());
        all.add(one.getKey());
        if (one.getValue() <= nowMs) {
          expected.add(one.getKey());
        }
      }
      size += all.size();
      assertEquals(all.size(), kept.size(entry.getKey()));
      assertEquals(expected, due(kept, entry.getKey(), nowMs));
      Set<Long> pieces = new HashSet<>();
      int from = 0;
      do {
        KeptVersions.Piece piece = kept.piece(entry.getKey(), from, 100);
        for (int i = 0; i < piece.olds.length; i++) {
          assertEquals(piece.olds[i] + 1, piece.news[i]);
          assertTrue(pieces.add(piece.olds[i]));
        }
        from = piece.next;
      } while (from > 0);
      assertEquals(all, pieces);
    }
    assertEquals(size, kept.size());
    assertEquals(next, kept.nextMs());
  }

  @Test
  void whatIsTooMuchIsRefusedAndWhatIsThereIsChanged() {
    KeptVersions kept = new KeptVersions(2);
    assertTrue(kept.put(VersionHome.FLAT, 1, 0, 10));
    assertTrue(kept.put(VersionHome.COMMITS, 1, 0, 20));
    assertFalse(kept.put(VersionHome.FLAT, 2, 0, 30));
    assertTrue(kept.put(VersionHome.FLAT, 1, 0, 40));
    kept.remove(VersionHome.COMMITS, 1);
    assertTrue(kept.put(VersionHome.FLAT, 2, 0, 30));
    assertEquals(2, kept.size());
  }

  @Test
  void aVersionIsFollowedThroughThoseThatSupersedeIt() {
    KeptVersions kept = new KeptVersions();
    assertEquals(0, kept.made(VersionHome.FLAT, 1));
    kept.follow(VersionHome.FLAT, 1, 11);
    assertEquals(0, kept.untilMs(VersionHome.FLAT, 1).getAsLong(), "it is to be looked at");
    kept.put(VersionHome.FLAT, 1, 11, 70);
    kept.follow(VersionHome.COMMITS, 2, 12);
    kept.supersede(11, 21);
    kept.supersede(21, 31);
    for (int i = 0; i < 2 * KeptVersions.HEIRS_MAX; i++) {
      assertEquals(31, kept.made(VersionHome.FLAT, 1));
      assertEquals(12, kept.made(VersionHome.COMMITS, 2));
      assertEquals(31, kept.piece(VersionHome.FLAT, 0, 10).news[0]);
      kept.supersede(1_000 + i, 100_000 + i);
    }
    assertEquals(70, kept.untilMs(VersionHome.FLAT, 1).getAsLong());
    kept.look(VersionHome.FLAT, 1, 80);
    kept.look(VersionHome.FLAT, 3, 80);
    assertEquals(80, kept.untilMs(VersionHome.FLAT, 1).getAsLong());
    assertEquals(2, kept.size());
    kept.supersede(31, 0);
    kept.clear();
    assertEquals(0, kept.size());
    kept.follow(VersionHome.FLAT, 1, 31);
    assertEquals(31, kept.made(VersionHome.FLAT, 1));
    kept.supersede(31, 0);
    assertEquals(0, kept.made(VersionHome.FLAT, 1), "what has superseded it is not known");
    assertEquals(0, kept.piece(VersionHome.FLAT, 0, 10).olds.length);
  }

  /** Such a record does not come from here. */
  @Test
  void versionsThatSupersedeEachOtherLeadIntoNoCircle() {
    KeptVersions kept = new KeptVersions();
    kept.follow(VersionHome.FLAT, 1, 11);
    kept.supersede(11, 12);
    kept.supersede(12, 11);
    assertEquals(0, kept.made(VersionHome.FLAT, 1));
    kept.supersede(12, 12);
    assertEquals(0, kept.made(VersionHome.FLAT, 1));
  }

  /** A version of which the new one is not known cannot be found by it. */
  @Test
  void piecesLeaveOutWhatIsNotKnown() {
    KeptVersions kept = new KeptVersions();
    kept.put(VersionHome.FLAT, 1, 0, 10);
    assertEquals(0, kept.piece(VersionHome.FLAT, 0, 10).olds.length);
    assertEquals(0, kept.piece(VersionHome.FLAT, 0, 10).next);
  }
}
