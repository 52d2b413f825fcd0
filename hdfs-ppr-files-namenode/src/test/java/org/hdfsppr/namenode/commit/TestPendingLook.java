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
package org.hdfsppr.namenode.commit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyBoolean;
import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.ArgumentMatchers.eq;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.hdfsppr.namenode.update.LogNodes;
import org.hdfsppr.namenode.update.LogQuestions;
import org.hdfsppr.namenode.update.TicketKeeper;
import org.hdfsppr.namenode.update.TicketParts;
import org.hdfsppr.namenode.update.TicketSettings;
import org.hdfsppr.namenode.update.UpdateFolder;
import org.hdfsppr.namenode.update.look.UpdatableFile;
import org.hdfsppr.namenode.update.look.UpdateNamespace;
import org.hdfsppr.namenode.update.look.UpdateTag;
import org.hdfsppr.namenode.version.FileGroup;
import org.hdfsppr.namenode.version.VersionHook;
import org.hdfsppr.operate.WaitingUpdates;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.service.Services;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A user's look at the updates of a file with many block groups, for which others wait. */
@InterfaceAudience.Private
@Timeout(60)
class TestPendingLook {
  private static final String PATH = "/dir/file";
  private static final long FILE = 77;
  private static final int GROUPS = 1_000;

  private final AtomicLong nowMs = new AtomicLong(1_000_000);
  private final UpdateNamespace namespace = mock(UpdateNamespace.class);
  private final UpdateFolder folder = mock(UpdateFolder.class);

  @Test
  void lookEndsInTimeAndFindsGroupsByTheirNumbers() throws IOException {
    UpdatableFile facts = new UpdatableFile.Builder(PATH, FILE)
        .tag(new UpdateTag(new UUID(5, 1), FILE, 0).toBytes()).build();
    when(namespace.file(PATH, null, false)).thenReturn(facts);
    when(namespace.file(eq(FILE), anyInt())).thenAnswer(call -> {
      nowMs.addAndGet(25_000);
      return facts;
    });
    when(folder.find(any())).thenReturn(OptionalLong.empty());
    List<FileGroup> groups = new ArrayList<>();
    for (int i = 0; i < GROUPS; i++) {
      groups.add(new FileGroup(new GroupId("BP", -16L * (i + 1), 1), 10, 0));
    }
    TicketKeeper keeper = new TicketKeeper(new TicketParts(
        TicketSettings.of(new Configuration(false)), namespace, folder,
        mock(LogNodes.class), mock(LogQuestions.class), nowMs::get),
        UUID::randomUUID, nowMs::get);
    keeper.start(new Services(System::nanoTime));
    try (UpdateCollector collector = new UpdateCollector(keeper, namespace,
        mock(CommitLogs.class), VersionHook.NONE, nowMs::get)) {
      WaitingUpdates pending = collector.pending(PATH, groups);
      // After 75 s no further group is looked at, and the others count as silent.
      verify(namespace, times(3)).file(anyLong(), anyInt());
      assertEquals(GROUPS - 3, pending.silentUnits);
      assertEquals(GROUPS - 3, pending.units);
      verify(namespace, never()).file(any(), any(GroupId.class), anyBoolean());
    } finally {
      keeper.close();
    }
  }
}
