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
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import org.hdfsppr.manage.version.PatchCommand;
import org.hdfsppr.namenode.model.GroupPolicy;
import org.hdfsppr.namenode.update.UpdateRpcHandler.UpdateRules;
import org.hdfsppr.namenode.update.look.UpdatableFile;
import org.junit.jupiter.api.Test;

/** Which files may be updated. */
class TestUpdateRules {
  private static Optional<String> whyNot(int dataUnits, boolean isWrite) {
    return UpdateRules.whyNot(new UpdatableFile.Builder("/f", 7).updatable(true)
        .policy(new GroupPolicy("rs", dataUnits, 1, 1024)).build(), isWrite);
  }

  @Test
  void noWriterGetsTicketsOfAFileThatCannotBeCommitted() {
    int most = PatchCommand.DATA_UNITS_MAX;
    assertEquals(Optional.empty(), whyNot(most, true));
    assertTrue(whyNot(most + 1, true).orElseThrow().contains("at most " + most));
    assertEquals(Optional.empty(), whyNot(most + 1, false));
  }
}
