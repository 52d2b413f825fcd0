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
package org.hdfsppr.client.files.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.apache.hadoop.security.AccessControlException;
import org.hdfsppr.client.command.ToolRun;
import org.hdfsppr.operate.Leftovers;
import org.hdfsppr.operate.Leftovers.Item;
import org.hdfsppr.operate.Leftovers.Kind;
import org.hdfsppr.operate.Leftovers.State;
import org.junit.jupiter.api.Test;

/** Tests {@code hdfs ppr -clear} with NameNodes that a test controls. */
class TestClearCommand extends OnCannedPlugins {
  private static Leftovers some() {
    Leftovers.Builder some = new Leftovers.Builder();
    some.cleared = 3;
    return some.count(Kind.CONVERSION, State.HELD, 1)
        .count(Kind.CONVERSION, State.GRACE, 2).count(Kind.CORE_PARITY, State.USED, 7)
        .name(new Item(Kind.CONVERSION, State.HELD, "/.hdfs-ppr/versions/17", "/d/a b",
            "delete the snapshot", 0, List.of("/d/.snapshot/s1")))
        .name(new Item(Kind.CONVERSION, State.GRACE, "/.hdfs-ppr/conversions/11/4369", "/d/c", "",
            ToolRun.NOW.toEpochMilli() + 3_600_000, List.of()))
        .build();
  }

  @Test
  void whatIsLeftIsNamedWithWhatItWaitsFor() {
    plugins.leftovers = some();
    assertEquals(1, tool.run("-clear"), tool.err());
    for (String part : List.of("3 versions deleted", "2 in grace, 1 held by snapshots", "7 in use",
        "/.hdfs-ppr/versions/17 of /d/a b", "(/d/.snapshot/s1)", "ends in 1 h",
        "'What may be deleted by hand' in docs/command.md")) {
      assertTrue(tool.out().replaceAll("\\s+", " ").contains(part), part + " in " + tool.out());
    }
    assertEquals(1, tool.run("-clear", "-go", "-json"), tool.err());
    for (String part : List.of("\"left\":10", "\"cleared\":3",
        "\"conversion\":{\"grace\":2,\"held\":1}", "\"snapshots\":[\"/d/.snapshot/s1\"]",
        "\"until\":\"2026-01-31T13:05:00Z\"")) {
      assertTrue(tool.out().contains(part), part + " in " + tool.out());
    }
    assertEquals(List.of("leftovers", "leftovers clear"), plugins.actions);
  }

  @Test
  void nothingIsLeft() {
    assertEquals(0, tool.run("-clear", "-go"), tool.err());
    assertTrue(tool.out().contains("Nothing is left"), tool.out());
    Leftovers.Builder some = new Leftovers.Builder();
    some.unfinished = "there is too much";
    plugins.leftovers = some.build();
    assertEquals(1, tool.run("-clear"), tool.err());
    assertTrue(tool.out().contains("Not all was looked at: there is too much."), tool.out());
  }

  @Test
  void othersAreRefused() {
    plugins.failures.add(new AccessControlException("User bob may not do this"));
    assertEquals(1, tool.run("-clear"));
    assertTrue(tool.err().contains("User bob may not do this"), tool.err());
  }
}
