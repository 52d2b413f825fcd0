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
 * Lets a server run until the process gets SIGTERM or Ctrl-C, or the thread is interrupted. Then it
 * stops the server such that no finished write is lost.
 */
final class UntilEnded {
  private static final Logger LOG = LoggerFactory.getLogger(UntilEnded.class);
  /**
   * The priority of the shutdown hook: the server stops before Hadoop's own hook closes file
   * systems.
   */
  private static final int PRIORITY = FileSystem.SHUTDOWN_HOOK_PRIORITY + 1;
  /**
   * How long the stop may take, s: longer than the server waits for requests under way, so that
   * there is time for the flush.
   */
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
   * Waits until the server has stopped.
   *
   * @throws IOException if the stop has failed, so that writes may be lost
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

  /**
   * Stops the server at the end of the process. If that fails, ends the process with an exit code
   * that says so.
   */
  void stopAtEnd() {
    try {
      stop();
    } catch (IOException | RuntimeException e) {
      LOG.error("The block device did not end in order: {}. Writes that clients believe done may"
          + " be lost", e.getMessage(), e);
      // After a signal, Java's own exit code would be the same whether the stop has failed or not.
      halt.accept(EXIT_FAILED);
    }
  }
}
