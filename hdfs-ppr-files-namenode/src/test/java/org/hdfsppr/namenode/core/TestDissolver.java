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
package org.hdfsppr.namenode.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.Mockito.clearInvocations;
import static org.mockito.Mockito.doNothing;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.verifyNoMoreInteractions;

import java.io.IOException;
import java.util.Collections;
import java.util.Map;
import org.hdfsppr.namenode.core.look.CoreNamespace;
import org.junit.jupiter.api.Test;

/** Parity files that cannot be deleted at once are deleted later, some in each step. */
class TestDissolver {
  private static final int RETRIES_MOST = 1_000;
  private static final int GROUPS = RETRIES_MOST + 500;

  private final CoreFolder folder = mock(CoreFolder.class);
  private final Dissolver dissolver = new Dissolver(folder,
      mock(CoreNamespace.class),
      new CoreGroupRegistry(new CoreGroupIndex(ids -> Collections.nCopies(ids.size(), null))),
      CoreTally.NONE);

  @Test
  void whatCannotBeDeletedIsTriedInTurnsUntilItIs() throws IOException {
    doThrow(new IOException("in safe mode")).when(folder).delete(anyLong());
    for (long id = 1; id <= GROUPS; id++) {
      dissolver.dissolve(id, DissolutionReason.MEMBER_GONE);
    }
    assertEquals(Map.of("member_gone", (long) GROUPS), dissolver.counts);
    clearInvocations(folder);
    dissolver.retry();
    verify(folder, times(RETRIES_MOST)).delete(anyLong());
    verify(folder).delete(RETRIES_MOST);
    // The others come before those that have failed again.
    clearInvocations(folder);
    dissolver.retry();
    verify(folder, times(RETRIES_MOST)).delete(anyLong());
    verify(folder).delete(GROUPS);
    doNothing().when(folder).delete(anyLong());
    dissolver.retry();
    dissolver.retry();
    clearInvocations(folder);
    dissolver.retry();
    verify(folder).works();
    verifyNoMoreInteractions(folder);
    assertEquals(Map.of("member_gone", (long) GROUPS), dissolver.counts);
  }
}
