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
package org.hdfsppr.namenode.version;

import java.io.Closeable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.service.ServiceSteps;
import org.hdfsppr.service.Services;
import org.hdfsppr.wire.PeerLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Prevents unfinished versions from keeping a starting NameNode in safe mode. While a version is
 * made, its groups have data units, but no parity units yet. A NameNode that starts at that moment
 * counts these groups. If one DataNode is down, some of them have fewer units than stock waits for.
 * In a namespace of less than two thousand blocks, two such groups are more than may be missing by
 * the default of dfs.namenode.safemode.threshold-pct. So the NameNode would stay in safe mode until
 * the DataNode is back. No path of a user leads to these groups, and the janitor deletes them after
 * safe mode.
 *
 * <p>This class looks again and again, and excludes such groups from the count of safe mode. It
 * does so only while two looks in a row find that all live DataNodes have sent their block reports,
 * because before that the units may still be reported. If units are reported later, the next look
 * no longer excludes their groups. After an error, the watch goes on with its next look.
 */
@InterfaceAudience.Private
public final class SafeModeWatch implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(SafeModeWatch.class);
  /**
   * The time between two looks, ms. In this time, a DataNode can send a heartbeat, and the block
   * report that follows it.
   */
  static final long LOOK_MS = 5_000;
  /** The time between two looks while some groups are excluded, ms. */
  private static final long SOON_MS = 1_000;
  private static final long STOP_TIMEOUT_MS = 5_000;

  private static final String THREAD = "ppr-safe-mode";
  private static final StartupSafeMode.Look UNKNOWN = new StartupSafeMode.Look(false, 0);

  private final PeerLog peerLog = new PeerLog(LOG);
  private final StartupSafeMode safeMode;
  private final long lookMs;
  private final CountDownLatch stop = new CountDownLatch(1);
  private final ServiceSteps steps;
  private final Thread thread;
  private StartupSafeMode.Look last = UNKNOWN;
  private long without;
  /**
   * Whether a call that sets the number of excluded groups has failed, so that it is not known
   * which number the NameNode uses.
   */
  private boolean isUnsure;
  private boolean isSaid;

  SafeModeWatch(StartupSafeMode safeMode, Services services, long lookMs) {
    this.safeMode = safeMode;
    this.lookMs = lookMs;
    this.steps = services.open(THREAD, this::say);
    this.thread = new Thread(this::run, THREAD);
    thread.setDaemon(true);
  }

  /**
   * Watches until the NameNode has left safe mode.
   *
   * @param safeMode the safe mode of the NameNode, which is starting
   * @param services shows, under the name of the watch's thread, whether the watch makes progress
   * @return the watch; closing it ends it before the NameNode has left safe mode
   */
  public static SafeModeWatch start(StartupSafeMode safeMode, Services services) {
    SafeModeWatch watch = new SafeModeWatch(safeMode, services, LOOK_MS);
    watch.start();
    return watch;
  }

  void start() {
    thread.start();
  }

  private void run() {
    steps.run(this::take);
    // The watch ends here. Its number of excluded groups would be wrong as soon as further units
    // are reported, so it is set to 0.
    steps.guarded(() -> {
      if ((without > 0 || isUnsure) && safeMode.isOn()) {
        waitWithout(0);
      }
    }).run();
  }

  private boolean take() throws InterruptedException {
    if (stop.getCount() == 0 || !safeMode.isOn()
        || stop.await(without > 0 ? SOON_MS : lookMs, TimeUnit.MILLISECONDS)) {
      return false;
    }
    look();
    return true;
  }

  private void say(Throwable e) {
    if (without > 0) {
      peerLog.warn("without", "Safe mode may end before {} block groups are reported, because the"
          + " watch over it has failed", without, e);
    } else {
      peerLog.warn("look", "Unfinished versions of files may hold this NameNode up in safe mode,"
          + " because the watch over it has failed", e);
    }
  }

  boolean isAlive() {
    return thread.isAlive();
  }

  /**
   * Looks once. If that fails, no group is excluded, because the old number may be wrong by now.
   */
  void look() {
    try {
      follow(safeMode.look());
    } catch (Throwable e) {
      last = UNKNOWN;
      try {
        waitWithout(0);
      } finally {
        steps.failed(e);
      }
    }
  }

  private void follow(StartupSafeMode.Look now) {
    // Only groups that two looks in a row have found are excluded. The lower of both numbers leaves
    // out groups that have come or gone in between.
    long most = now.isReported && last.isReported ? Math.min(now.groups, last.groups) : 0;
    last = now;
    waitWithout(most);
    if (without > 0 && !isSaid) {
      isSaid = true;
      LOG.info("Safe mode does not wait for {} block groups of unfinished versions of files,"
          + " which have fewer than k reported units", without);
    }
  }

  private void waitWithout(long most) {
    if (most != without || isUnsure) {
      // The call may fail after it has set the number.
      isUnsure = true;
      without = safeMode.waitWithout(most);
      isUnsure = false;
    }
  }

  @Override
  public void close() {
    stop.countDown();
    try {
      thread.join(STOP_TIMEOUT_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
