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
package org.hdfsppr.datanode.update;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.datanode.update.log.DiskLog;
import org.hdfsppr.datanode.update.log.LogLimits;
import org.hdfsppr.datanode.update.log.UpdateLog;
import org.hdfsppr.update.append.LogPosition;
import org.hdfsppr.update.append.UpdateStatus;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests how the logs of a DataNode are opened. */
@InterfaceAudience.Private
@Timeout(120)
class TestUpdateLogs {
  private static final LogLimits LIMITS = LogLimits.of(LogLimits.BYTES_MIN);
  private static final String POOL = "BP-1";
  private static final long WAIT_MS = 60_000;

  @TempDir
  Path directory;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch goOn = new CountDownLatch(1);

  @AfterEach
  void stop() {
    threads.shutdownNow();
  }

  /** Returns logs that wait for {@link #goOn} when that of {@link #POOL} is opened. */
  private UpdateLogs slow() {
    return new UpdateLogs(directory, LIMITS, (folder, limits) -> {
      if (folder.endsWith(POOL)) {
        begun.countDown();
        try {
          assertTrue(goOn.await(WAIT_MS, TimeUnit.MILLISECONDS));
        } catch (InterruptedException e) {
          throw new InterruptedIOException();
        }
      }
      return DiskLog.open(folder, limits);
    });
  }

  @Test
  void requestsDoNotWaitForALogThatIsBeingOpened() throws Exception {
    UpdateLogs logs = slow();
    Future<UpdateLog> first = threads.submit(() -> logs.log(POOL));
    assertTrue(begun.await(WAIT_MS, TimeUnit.MILLISECONDS));
    LogNotOpenYetException e = assertThrows(LogNotOpenYetException.class, () -> logs.log(POOL));
    assertEquals(UpdateStatus.OVERLOADED,
        LogRefusals.of(e, "this", LogPosition.NOTHING).status);
    UpdateLog other = logs.log("BP-2");
    assertSame(other, logs.log("BP-2"));
    assertFalse(first.isDone());
    goOn.countDown();
    assertSame(first.get(WAIT_MS, TimeUnit.MILLISECONDS), logs.log(POOL));
    logs.close();
    assertThrows(IOException.class, () -> logs.log(POOL));
  }

  @Test
  void stopDoesNotWaitForALogThatIsBeingOpened() throws Exception {
    UpdateLogs logs = slow();
    Future<UpdateLog> first = threads.submit(() -> logs.log(POOL));
    assertTrue(begun.await(WAIT_MS, TimeUnit.MILLISECONDS));
    logs.close();
    assertFalse(first.isDone());
    goOn.countDown();
    assertTrue(assertThrows(ExecutionException.class,
        () -> first.get(WAIT_MS, TimeUnit.MILLISECONDS)).getCause() instanceof IOException);
    DiskLog.open(directory.resolve(POOL), LIMITS).close();
  }

  @Test
  void failureStays() {
    AtomicInteger opened = new AtomicInteger();
    UpdateLogs logs = new UpdateLogs(directory, LIMITS, (folder, limits) -> {
      opened.incrementAndGet();
      if (folder.endsWith(POOL)) {
        throw new IOException("injected");
      }
      throw new IllegalStateException("injected");
    });
    for (String pool : new String[] {POOL, "BP-2"}) {
      opened.set(0);
      for (int i = 0; i < 3; i++) {
        assertTrue(assertThrows(IOException.class, () -> logs.log(pool)).getMessage()
            .contains("injected"));
      }
      assertEquals(1, opened.get(), pool);
    }
    logs.close();
  }

  @Test
  void otherNamesAreNoFolders() {
    UpdateLogs logs = new UpdateLogs(directory, LIMITS);
    for (String name : new String[] {"", "..", ".", "/a", "a/b", new UUID(1, 2) + "\n"}) {
      assertThrows(IOException.class, () -> logs.log(name), name);
    }
    assertEquals(0, directory.toFile().list().length);
    logs.close();
  }
}
