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

import org.junit.jupiter.api.Test;

/** {@code hdfs ppr -commit} and {@code -updates} against plugins with canned answers. */
class TestCommitCommand extends OnCannedPlugins {
  @Test
  void aCommitSaysWhatItHas() {
    assertEquals(0, tool.run("-commit", "hdfs://ns/images/disk"), tool.err());
    assertEquals("Commit 3 of /images/disk has 2 updates of 8,192 bytes in 1 block group.",
        tool.out().trim());

    assertEquals(0, tool.run("-commit", "/images/disk", "-json"), tool.err());
    assertTrue(tool.out().contains("\"PUBLISHED\""), tool.out());
    assertTrue(tool.out().contains("8192"), tool.out());
  }

  @Test
  void whatWaitsInLogsIsCounted() {
    assertEquals(0, tool.run("-updates", "/images/disk"), tool.err());
    assertTrue(tool.out().contains("/images/disk has 7 updates of 28,672 bytes in logs, which"
        + " change 24,576 bytes in 2 stripes."), tool.out());
    assertTrue(tool.out().contains("Commit 3 is in its version."), tool.out());

    assertEquals(0, tool.run("-updates", "/images/disk", "-json"), tool.err());
    assertTrue(tool.out().contains("logged_bytes"), tool.out());
  }

  @Test
  void otherArgumentsAreNotUnderstood() {
    assertEquals(2, tool.run("-commit"));
    assertEquals(2, tool.run("-updates"));
    assertEquals(2, tool.run("-commit", "/a", "/b"));
  }
}
