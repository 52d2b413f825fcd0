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
package org.hdfsppr.client.plugin;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Remembers for a while that no plugin has answered, so that not each of many callers waits as long
 * as a failover may take. Thread-safe.
 */
@InterfaceAudience.Private
final class RecentSilence {
  /** How long callers fail at once, ns. A plugin that has started meanwhile is asked after that. */
  static final long KEPT_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final LongSupplier nanoClock;
  private SilentPluginsException failure;
  private long until;

  /** @param nanoClock a monotonic clock, ns */
  RecentSilence(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
  }

  /** @throws SilentPluginsException if no plugin has answered a moment ago */
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
