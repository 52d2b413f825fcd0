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
package org.hdfsppr.it.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tests the helpers of the architecture rules on small cases. */
class TestArchitectureRules {
  @Test
  void circles() {
    assertEquals(List.of(), Circles.of(Map.of("a", Set.of("b", "a"), "b", Set.of())));
    assertEquals(List.of(Set.of("a", "b"), Set.of("c", "d", "e")), Circles.of(Map.of(
        "a", Set.of("b"), "b", Set.of("a", "c"), "c", Set.of("d"), "d", Set.of("e"),
        "e", Set.of("c", "f"), "f", Set.of("elsewhere"))));
  }

  @Test
  void whatHasNoExceptionIsWrong() {
    KnownExceptions exceptions = new KnownExceptions(List.of("# rule | subject | reason", "",
        "too-long | A | split soon"));
    assertEquals(List.of(), exceptions.judge("too-long", List.of("A")));
    assertEquals(List.of("too-long: B"), exceptions.judge("too-long", List.of("A", "B")));
    assertEquals(List.of("other: A"), exceptions.judge("other", List.of("A")));
    assertEquals(Set.of("too-long"), exceptions.rules());
  }

  @Test
  void anExceptionThatIsNotNeededIsWrong() {
    KnownExceptions exceptions = new KnownExceptions(List.of("too-long | A B | split soon"));
    assertEquals(List.of("no exception is needed any more for A, take it out of:"
        + " too-long | A B | split soon"), exceptions.judge("too-long", List.of("B")));
  }

  /** A known circle may break up into smaller circles, but it must not grow. */
  @Test
  void anExceptionCoversTheCirclesWithinIt() {
    KnownExceptions exceptions = new KnownExceptions(List.of("class-circle | a b c d | so far"));
    assertEquals(List.of(),
        exceptions.judgeSets("class-circle", List.of(Set.of("a", "b"), Set.of("c", "d"))));
    assertEquals(2, exceptions.judgeSets("class-circle",
        List.of(Set.of("a", "b", "c", "d", "e"))).size(), "a circle that grew, a line in vain");
    assertEquals(List.of("no exception is needed any more for c d, take it out of:"
        + " class-circle | a b c d | so far"),
        exceptions.judgeSets("class-circle", List.of(Set.of("a", "b"))));
  }

  @Test
  void anExceptionHasAReason() {
    assertThrows(IllegalArgumentException.class,
        () -> new KnownExceptions(List.of("too-long | A |  ")));
  }
}
