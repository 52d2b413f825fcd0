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
package org.hdfsppr.client.files.call;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.reflect.UndeclaredThrowableException;
import java.net.URI;
import java.security.PrivilegedExceptionAction;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.util.Time;
import org.hdfsppr.operate.CommitProtocol;
import org.hdfsppr.operate.CommitStatus;
import org.hdfsppr.operate.TicketRequest;
import org.hdfsppr.operate.UnitGrant;
import org.hdfsppr.operate.UpdateProtocol;
import org.hdfsppr.operate.WaitingUpdates;

/**
 * Asks the plugin of the active NameNode about updates. During a failover, it asks again for a
 * while. Thread-safe.
 */
@InterfaceAudience.Private
public final class PluginUpdates implements UpdateProtocol, CommitProtocol {
  /**
   * The pause before the NameNodes are asked again, ms. It is short, because readers and writers
   * wait for the answer, but not zero, because the plugin has few threads for users.
   */
  private static final long PAUSE_MS = 50;

  private final PluginCalls calls;
  private final UserGroupInformation user;
  private final RecentSilence silence = new RecentSilence(System::nanoTime);

  /**
   * @param configuration the client's configuration
   * @param fileSystem the URI of the file system
   * @param user the user that has opened the file system; a stream may be used by threads of other
   *     users
   * @throws IOException if the file system is not an HDFS
   */
  public PluginUpdates(Configuration configuration, URI fileSystem, UserGroupInformation user)
      throws IOException {
    Configuration conf = new Configuration(configuration);
    FileSystem.setDefaultUri(conf, fileSystem);
    this.calls = PluginCalls.patient(conf, PluginUpdates::pause, Time::monotonicNow);
    this.user = user;
  }

  @Override
  public boolean setUpdatable(String directory, boolean isUpdatable, String strategy)
      throws IOException {
    return ask(plugin -> plugin.setUpdatable(directory, isUpdatable, strategy));
  }

  /**
   * Fails at once if no plugin has answered this question shortly before. Without this, each open
   * of a file would wait for as long as a failover may take, because each open asks this.
   */
  @Override
  public boolean isUpdatable(String file) throws IOException {
    silence.check();
    try {
      boolean is = ask(plugin -> plugin.isUpdatable(file));
      silence.ends();
      return is;
    } catch (SilentPluginsException e) {
      silence.begins(e);
      throw e;
    }
  }

  @Override
  public List<UnitGrant> tickets(TicketRequest request) throws IOException {
    return ask(plugin -> plugin.tickets(request));
  }

  @Override
  public CommitStatus commit(String path, String id) throws IOException {
    return ask(plugin -> plugin.commit(path, id));
  }

  @Override
  public WaitingUpdates pendingUpdates(String path) throws IOException {
    return ask(plugin -> plugin.pendingUpdates(path));
  }

  private <T> T ask(PluginCalls.Call<T> question) throws IOException {
    try {
      return user.doAs((PrivilegedExceptionAction<T>) () -> calls.call(question));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("The caller does not wait for the NameNode any more");
    } catch (UndeclaredThrowableException e) {
      throw new IOException(e.getCause());
    }
  }

  private static boolean pause(long seconds) {
    try {
      TimeUnit.MILLISECONDS.sleep(PAUSE_MS);
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /**
   * Remembers for a while that no plugin has answered. Without this, each of many callers would
   * wait for as long as a failover may take. Thread-safe.
   */
  static final class RecentSilence {
    /**
     * For how long callers fail at once, ns. The next call after that asks again, because a plugin
     * may have started meanwhile.
     */
    static final long KEPT_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final LongSupplier nanoClock;
    private SilentPluginsException failure;
    private long until;

    /** @param nanoClock a monotonic clock, ns */
    RecentSilence(LongSupplier nanoClock) {
      this.nanoClock = nanoClock;
    }

    /**
     * @throws SilentPluginsException if it is less than {@link #KEPT_NANOS} ago that no plugin has
     *     answered
     */
    synchronized void check() throws SilentPluginsException {
      if (failure != null && nanoClock.getAsLong() - until < 0) {
        throw new SilentPluginsException(failure.getMessage() + " (a moment ago)", failure);
      }
    }

    synchronized void begins(SilentPluginsException why) {
      failure = why;
      until = nanoClock.getAsLong() + KEPT_NANOS;
    }

    synchronized void ends() {
      failure = null;
    }
  }
}
