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
package org.hdfsppr.client.files.update;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.ipc.RemoteException;
import org.hdfsppr.client.read.LocatedGroup;
import org.junit.jupiter.api.Test;

/** Tests how long a writer waits for a NameNode that starts anew. */
class TestRetryingGroupLookup {
  private static final List<LocatedGroup> GROUPS = List.of();

  private final Deque<IOException> failures = new ArrayDeque<>();
  private long nowMs;
  private int looks;
  private boolean isOpen = true;
  private final RetryingGroupLookup look = new RetryingGroupLookup(this::look, () -> isOpen,
      () -> TimeUnit.MILLISECONDS.toNanos(nowMs), ms -> nowMs += ms);

  private List<LocatedGroup> look() throws IOException {
    looks++;
    if (!failures.isEmpty()) {
      throw failures.poll();
    }
    return GROUPS;
  }

  @Test
  void aNameNodeThatStartsIsWaitedFor() throws IOException {
    failures.addAll(List.of(new EOFException("End of File Exception"),
        new ConnectException("Connection refused"), new SocketTimeoutException("20000 millis"),
        new IOException("Broken pipe"),
        new RemoteException("org.apache.hadoop.ipc.RetriableException",
            "NameNode still not started"),
        new RemoteException("org.apache.hadoop.hdfs.server.namenode.SafeModeException",
            "Zero blocklocations for /f. Name node is in safe mode.")));
    assertSame(GROUPS, look.groups());
    assertEquals(7, looks);
  }

  @Test
  void oneThatStaysAwayIsNotWaitedForWithoutEnd() {
    ConnectException refused = new ConnectException("Connection refused");
    RetryingGroupLookup patient = new RetryingGroupLookup(() -> {
      throw refused;
    }, () -> true, () -> TimeUnit.MILLISECONDS.toNanos(nowMs), ms -> nowMs += ms);
    assertSame(refused, assertThrows(ConnectException.class, patient::groups));
    assertEquals(60_000, nowMs);
  }

  @Test
  void itsAnswerCountsAtOnce() {
    failures.add(new FileNotFoundException("/f does not exist"));
    assertThrows(FileNotFoundException.class, look::groups);
    failures.add(new RemoteException("org.apache.hadoop.security.AccessControlException", "no"));
    assertThrows(RemoteException.class, look::groups);
    isOpen = false;
    failures.add(new IOException("Filesystem closed"));
    assertThrows(IOException.class, look::groups);
    assertEquals(3, looks);
    assertEquals(0, nowMs);
  }

  @Test
  void anInterruptEndsTheWait() {
    failures.add(new ConnectException("Connection refused"));
    RetryingGroupLookup patient = new RetryingGroupLookup(this::look, () -> true, () -> 0, ms -> {
      throw new InterruptedException();
    });
    assertThrows(InterruptedIOException.class, patient::groups);
    assertTrue(Thread.interrupted());
    assertEquals(1, looks);
  }
}
