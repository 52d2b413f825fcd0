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
package org.hdfsppr.client.nbd.server;

import java.util.function.LongSupplier;

/**
 * The time until which a thread waits for a client. The thread that waits sets it. As that thread
 * may block, another thread checks whether the time is over. Thread-safe.
 */
final class ClientDeadline {
  private final LongSupplier nanoClock;
  private boolean isSet;
  private long at;

  ClientDeadline(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
  }

  synchronized void in(long nanos) {
    isSet = true;
    at = nanoClock.getAsLong() + nanos;
  }

  synchronized void clear() {
    isSet = false;
  }

  synchronized boolean isOver() {
    return isSet && nanoClock.getAsLong() - at > 0;
  }
}
