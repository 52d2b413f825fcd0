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
package org.hdfsppr.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.classification.InterfaceAudience;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests of the list of excuses. It refuses every wrong line, so that a typing error excuses
 * nothing.
 */
@InterfaceAudience.Private
class TestExpectations {
  @Test
  void entriesHoldForTheirConfigurationOnly() {
    List<String> lines = List.of("# comment", "",
        "datanode failure a.B#c  asserts a thing", "stock failure a.B#d why",
        "datanode fallbacks a.B 7 two codecs");
    Expectations datanode = Expectations.parse(lines, "datanode");
    assertEquals(Map.of("a.B#c", "asserts a thing"), datanode.failures());
    assertEquals(7, datanode.fallbacks("a.B"));
    Expectations stock = Expectations.parse(lines, "stock");
    assertEquals(Map.of("a.B#d", "why"), stock.failures());
    assertEquals(0, stock.fallbacks("a.B"));
  }

  @ParameterizedTest
  @ValueSource(strings = {
    "datanode failure a.B#c",
    "datanode failure a.B a whole class is never excused",
    "datanode fallbacks a.B 7",
    "datanode fallbacks a.B some of them",
    "datanode flaky a.B#c it happens",
    "datanode race a.B#c it happens",
    "datanode race a.B#c \"\" whatever it says",
    "datanode race a.B#c \"3 blocks timed out\"",
    "datanode race a.B \"3 blocks timed out\" in any of its tests"
  })
  void entryWithoutReasonOrMeaningIsRefused(String line) {
    assertThrows(IllegalArgumentException.class,
        () -> Expectations.parse(List.of(line), "datanode"));
    // A wrong line is refused even if it belongs to another configuration.
    assertThrows(IllegalArgumentException.class,
        () -> Expectations.parse(List.of(line), "stock"));
  }

  @Test
  void listOfThisModuleIsWellFormed() throws IOException {
    Expectations.parse(Files.readAllLines(Paths.get("expected.txt")), "datanode");
  }
}
