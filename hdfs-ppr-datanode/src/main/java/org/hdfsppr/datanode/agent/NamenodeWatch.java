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
package org.hdfsppr.datanode.agent;

import java.io.IOException;
import java.net.UnknownHostException;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Adapts the heartbeats after an operator has run {@code dfsadmin -refreshNamenodes}. That command
 * makes the DataNode read its configuration again, and the watch notices the new configuration. A
 * configuration may give one host name for several NameNodes, which a name service has to resolve.
 * If the name service does not answer, the watch repeats the look-up until it succeeds. Used by one
 * thread.
 */
final class NamenodeWatch {
  private static final Logger LOG = LoggerFactory.getLogger(NamenodeWatch.class);
  /** The time between looks, ms. A look is cheap: without a change it compares two references. */
  private static final long LOOK_MS = 1_000;
  /**
   * The time until the watch looks an unknown name up again, ns. A JVM caches a failed look-up for
   * the same time.
   */
  static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** Adapts the heartbeats to a configuration. */
  @FunctionalInterface
  interface Follower {
    /**
     * @param conf the configuration that names the NameNodes
     * @throws IOException if the configuration names no NameNode, or if a NameNode's address cannot
     *     be looked up
     * @throws IllegalArgumentException if a setting has a value that is not allowed; the message
     *     names the setting
     */
    void follow(Configuration conf) throws IOException;
  }

  private final Supplier<Configuration> current;
  private final Follower follower;
  private final LongSupplier nanoClock;
  /** The last configuration to which the watch adapted the heartbeats, or tried to. */
  private Configuration seen;
  private boolean failed;
  private long retryAtNanos;

  /**
   * @param current returns the DataNode's configuration; the same object while nothing has changed
   * @param follower adapts the heartbeats
   * @param nanoClock a monotonic clock, ns
   */
  NamenodeWatch(Supplier<Configuration> current, Follower follower, LongSupplier nanoClock) {
    this.current = current;
    this.follower = follower;
    this.nanoClock = nanoClock;
  }

  /**
   * Adapts the heartbeats to the first configuration. If a host name cannot be looked up now, a
   * later look tries again.
   *
   * @throws IOException if the configuration names no NameNode
   * @throws IllegalArgumentException if a setting has a value that is not allowed; the message
   *     names the setting
   */
  void begin() throws IOException {
    seen = current.get();
    try {
      follower.follow(seen);
    } catch (UnknownHostException e) {
      failedLookUp(e);
    }
  }

  /**
   * Adapts the heartbeats if the configuration has changed since the last look. Also tries again if
   * a look-up of a host name failed at least {@link #RETRY_NANOS} ago.
   */
  void look() {
    Configuration now = current.get();
    boolean again = failed && nanoClock.getAsLong() - retryAtNanos >= 0;
    if (now == seen && !again) {
      return;
    }
    seen = now;
    boolean failedBefore = failed;
    failed = false;
    try {
      follower.follow(now);
      if (failedBefore) {
        LOG.info("This DataNode asks the repair managers of all configured NameNodes for orders"
            + " now");
      }
    } catch (UnknownHostException e) {
      failedLookUp(e);
    } catch (IOException | RuntimeException e) {
      LOG.warn("This DataNode cannot follow its new configuration, and goes on to ask the repair"
          + " managers of the old one for orders: {}. Correct the configuration, and run 'hdfs"
          + " dfsadmin -refreshNamenodes' again", e.toString());
    }
  }

  private void failedLookUp(UnknownHostException e) {
    failed = true;
    retryAtNanos = nanoClock.getAsLong() + RETRY_NANOS;
    LOG.warn("A configured NameNode cannot be looked up, so that its repair manager is not asked"
        + " for orders: {}. This DataNode looks the name up again in {} s", e.toString(),
        TimeUnit.NANOSECONDS.toSeconds(RETRY_NANOS));
  }

  /** Waits, and looks at the configuration. Always returns true, so that the next look follows. */
  boolean take() throws InterruptedException {
    Thread.sleep(LOOK_MS);
    look();
    return true;
  }
}
