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
package org.hdfsppr.client.patience;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Remembers a bounded number of keys and their values, each for a limited time. If the map is full,
 * a new key replaces the key that was put longest ago. Not thread-safe.
 */
final class ExpiringMap<K, V> {
  private final int most;
  private final long keepNanos;
  private final LongSupplier nanoClock;
  private final Map<K, Kept<V>> entries = new LinkedHashMap<>();

  private static final class Kept<V> {
    private final V value;
    private final long untilNanos;

    Kept(V value, long untilNanos) {
      this.value = value;
      this.untilNanos = untilNanos;
    }
  }

  /**
   * @param most how many keys are remembered at most
   * @param keepNanos for how long each key is remembered, nanoseconds
   * @param nanoClock the client's clock, nanoseconds
   */
  ExpiringMap(int most, long keepNanos, LongSupplier nanoClock) {
    this.most = most;
    this.keepNanos = keepNanos;
    this.nanoClock = nanoClock;
  }

  /**
   * Remembers a key. If the key is remembered already, the new value replaces the old one, and the
   * key's time begins anew.
   */
  void put(K key, V value) {
    entries.remove(key);
    if (entries.size() >= most) {
      Iterator<K> oldest = entries.keySet().iterator();
      oldest.next();
      oldest.remove();
    }
    entries.put(key, new Kept<>(value, nanoClock.getAsLong() + keepNanos));
  }

  void remove(K key) {
    entries.remove(key);
  }

  /** Returns the value of a key; empty if the key is not remembered, or no longer. */
  Optional<V> get(K key) {
    Kept<V> kept = entries.get(key);
    if (kept == null) {
      return Optional.empty();
    }
    if (nanoClock.getAsLong() - kept.untilNanos > 0) {
      entries.remove(key);
      return Optional.empty();
    }
    return Optional.of(kept.value);
  }
}
