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

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.protocol.UnresolvedPathException;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.ipc.StandbyException;
import org.apache.hadoop.security.AccessControlException;
import org.hdfsppr.client.read.LocatedGroup;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks up the block groups of a file for a writer that needs them because a commit has replaced
 * them. If the NameNode does not answer, because it restarts, this class tries again for some time.
 * The stock HDFS client does so only if there are two NameNodes; with one, the update would fail.
 */
@InterfaceAudience.Private
public final class RetryingGroupLookup implements LogFileUpdater.GroupLook {
  private static final Logger LOG = LoggerFactory.getLogger(RetryingGroupLookup.class);
  /** How long to try at most, ns: as long as a request to the NameNode's plugin is tried. */
  private static final long WAIT_NANOS_MOST = TimeUnit.SECONDS.toNanos(60);
  /** The pause before the next try, ms. Each try makes a new connection. */
  private static final long PAUSE_MS = 200;
  /** The exceptions by which a NameNode says that it cannot answer yet. */
  private static final Set<String> NOT_YET = Set.of(RetriableException.class.getName(),
      StandbyException.class.getName(),
      "org.apache.hadoop.hdfs.server.namenode.SafeModeException");

  /** Waits between two tries. */
  interface Pause {
    void await(long ms) throws InterruptedException;
  }

  private final LogFileUpdater.GroupLook look;
  private final BooleanSupplier isOpen;
  private final LongSupplier nanoClock;
  private final Pause pause;

  /**
   * @param look asks the NameNode once
   * @param isOpen returns whether the client is still open; if not, no further try is made
   */
  public RetryingGroupLookup(LogFileUpdater.GroupLook look, BooleanSupplier isOpen) {
    this(look, isOpen, System::nanoTime, TimeUnit.MILLISECONDS::sleep);
  }

  RetryingGroupLookup(LogFileUpdater.GroupLook look, BooleanSupplier isOpen, LongSupplier nanoClock,
      Pause pause) {
    this.look = look;
    this.isOpen = isOpen;
    this.nanoClock = nanoClock;
    this.pause = pause;
  }

  @Override
  public List<LocatedGroup> groups() throws IOException {
    long began = nanoClock.getAsLong();
    while (true) {
      try {
        return look.groups();
      } catch (IOException e) {
        if (!mayAnswerLater(e) || nanoClock.getAsLong() - began >= WAIT_NANOS_MOST) {
          throw e;
        }
        LOG.debug("The NameNode does not answer yet", e);
      }
      try {
        pause.await(PAUSE_MS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("The caller does not wait for the NameNode any more");
      }
    }
  }

  /**
   * Returns whether a later try may succeed. Some systems and JVMs report a broken connection as a
   * plain IOException. So this method knows which exceptions are answers of the NameNode, and takes
   * all others for a broken connection.
   */
  private boolean mayAnswerLater(IOException e) {
    if (e instanceof RemoteException) {
      return NOT_YET.contains(((RemoteException) e).getClassName());
    }
    boolean isAnswer = e instanceof FileNotFoundException || e instanceof AccessControlException
        || e instanceof UnresolvedPathException;
    boolean isInterrupt = e instanceof InterruptedIOException
        && !(e instanceof SocketTimeoutException);
    return !isAnswer && !isInterrupt && isOpen.getAsBoolean();
  }
}
