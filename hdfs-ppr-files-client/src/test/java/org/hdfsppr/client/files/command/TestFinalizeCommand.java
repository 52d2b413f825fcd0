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
import org.hdfsppr.operate.ConversionRefusedException;
import org.hdfsppr.operate.FinalizedRecords;
import org.junit.jupiter.api.Test;

/** Tests {@code hdfs ppr -finalize} with NameNodes that a test controls. */
class TestFinalizeCommand extends OnCannedPlugins {
  private static final long SINCE_MS = 1_767_225_600_000L;

  private void assertSays(String words) {
    assertTrue(tool.out().replaceAll("\\s+", " ").contains(words), words + " in " + tool.out());
  }

  @Test
  void theStateIsTold() {
    plugins.finalized = new FinalizedRecords(SINCE_MS, true, "");
    assertEquals(0, tool.run("-finalize"), tool.err());
    assertSays("Records are finalized now. Those that are written are sealed");
    plugins.finalized = new FinalizedRecords(SINCE_MS, false, "");
    assertEquals(0, tool.run("-finalize"), tool.err());
    assertSays("Records are finalized since 2026-01-01T00:00:00Z.");
    assertEquals(0, tool.run("-finalize", "-status", "-json"), tool.err());
    assertSays("{\"finalized\":true,\"since\":\"2026-01-01T00:00:00Z\",\"changed\":false}");
    assertEquals(List.of("finalize go", "finalize go", "finalize"), plugins.actions);
  }

  @Test
  void whatHindersIsNamed() {
    plugins.finalized = new FinalizedRecords(FinalizedRecords.NEVER, false, "nn2 is older");
    assertEquals(1, tool.run("-finalize", "-status"), tool.err());
    assertSays("Records are not finalized: they are written as 0.2.0 writes them");
    assertSays("They cannot be finalized now: nn2 is older.");
    assertEquals(1, tool.run("-finalize", "-status", "-json"), tool.err());
    assertSays("{\"finalized\":false,\"obstacle\":\"nn2 is older\"}");
    plugins.failures.add(new ConversionRefusedException("Records are not finalized: nn2"));
    assertEquals(1, tool.run("-finalize"));
    assertTrue(tool.err().contains("Records are not finalized: nn2"), tool.err());
    plugins.failures.add(new AccessControlException("User bob may not do this"));
    assertEquals(1, tool.run("-finalize"));
    assertTrue(tool.err().contains("User bob may not do this"), tool.err());
  }
}
