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
package org.hdfsppr.it.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that the start of a repair is the first command after the loss, to the millisecond. */
class TestCommandLogs {
  private static final String COMMAND =
      " INFO  DataNode - DatanodeCommand action: DNA_ERASURE_CODING_RECOVERY\n";

  @TempDir
  private Path folder;

  private Path log(int node) {
    return folder.resolve(node + ".log");
  }

  @Test
  void countsFromWhereItBegan() throws Exception {
    Files.writeString(log(1), "1970-01-01 00:00:01,000" + COMMAND);
    CommandLogs logs = CommandLogs.from(List.of(log(1), log(2)));
    assertEquals(OptionalLong.empty(), logs.firstRepairCommandMs());
    Files.writeString(log(2), "1970-01-01 00:00:04,321 INFO  DataNode - something else\n"
        + "1970-01-01 00:00:07,000" + COMMAND + "1970-01-01 00:00:08,000" + COMMAND);
    assertEquals(OptionalLong.of(7000), logs.firstRepairCommandMs());
    Files.writeString(log(1), "1970-01-01 00:00:01,000" + COMMAND
        + "1970-01-01 00:00:06,789" + COMMAND);
    assertEquals(OptionalLong.of(6789), logs.firstRepairCommandMs());
  }
}
