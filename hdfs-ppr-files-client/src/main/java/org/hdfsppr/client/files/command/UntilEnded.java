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

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.util.ShutdownHookManager;
import org.hdfsppr.client.nbd.server.NbdServer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets a server run until the process is ended, by SIGTERM or Ctrl-C, or the thread is interrupted,
 * and then stops it in order.
 */
final class UntilEnded {
  private static final Logger LOG = LoggerFactory.getLogger(UntilEnded.class);
  /** The server stops before Hadoop closes file systems. */
  private static final int PRIORITY = FileSystem.SHUTDOWN_HOOK_PRIORITY + 1;
  /** More than the server waits for requests in flight, so that the flush has time, too. */
  private static final long STOP_S = 120;

  private static final int EXIT_FAILED = 1;

  private final NbdServer server;
  private final IntConsumer halt;

  UntilEnded(NbdServer server) {
    this(server, Runtime.getRuntime()::halt);
  }

  /** @param halt ends the process at once with an exit code */
  UntilEnded(NbdServer server, IntConsumer halt) {
    this.server = server;
    this.halt = halt;
  }

  /**
   * Waits for the end.
   *
   * @throws IOException if the server could not stop in order
   */
  void run() throws IOException {
    Runnable hook = this::stopAtEnd;
    ShutdownHookManager.get().addShutdownHook(hook, PRIORITY, STOP_S, TimeUnit.SECONDS);
    try {
      server.awaitStop();
    } catch (InterruptedException e) {
      stop();
      Thread.currentThread().interrupt();
    } finally {
      if (!ShutdownHookManager.get().isShutdownInProgress()) {
        ShutdownHookManager.get().removeShutdownHook(hook);
      }
    }
  }

  private void stop() throws IOException {
    try {
      server.stop();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("The server was not stopped in order; writes may be lost", e);
    }
  }

  /** What the end of the process calls. */
  void stopAtEnd() {
    try {
      stop();
    } catch (IOException | RuntimeException e) {
      LOG.error("The block device did not end in order: {}. Writes that clients believe done may"
          + " be lost", e.getMessage(), e);
      // The code of a process that a signal ends says nothing; this one does.
      halt.accept(EXIT_FAILED);
    }
  }
}
