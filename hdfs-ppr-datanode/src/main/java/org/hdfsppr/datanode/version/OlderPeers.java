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
package org.hdfsppr.datanode.version;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Remembers for some time that a DataNode has an older version, which refuses requests for slices
 * that are not contiguous. Otherwise, during a rolling upgrade, the first tree of each command
 * would be refused. Thread-safe.
 */
@InterfaceAudience.Private
final class OlderPeers {
  /** How long a refusal counts, ns. After that the node may have a newer version. */
  private static final long KEPT_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final LongSupplier nanoClock;
  /** The time of the last refusal; null if there was none. */
  private final AtomicReference<Long> refusedNanos = new AtomicReference<>();

  OlderPeers(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
  }

  void noteRefusal() {
    refusedNanos.set(nanoClock.getAsLong());
  }

  /** Returns whether a DataNode has refused within this time. */
  boolean areThere() {
    Long refused = refusedNanos.get();
    return refused != null && nanoClock.getAsLong() - refused <= KEPT_NANOS;
  }
}
