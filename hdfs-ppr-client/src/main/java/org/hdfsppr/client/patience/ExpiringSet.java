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

import java.util.function.LongSupplier;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Remembers a bounded number of keys, each for a limited time. If the set is full, a new key
 * replaces the key that was added longest ago. Thread-safe.
 */
@InterfaceAudience.Private
public final class ExpiringSet<K> {
  private final ExpiringMap<K, Boolean> keys;

  /**
   * Makes an empty set.
   *
   * @param most how many keys the set remembers at most
   * @param keepNanos for how long each key is remembered, nanoseconds
   * @param nanoClock the client's clock, nanoseconds
   */
  public ExpiringSet(int most, long keepNanos, LongSupplier nanoClock) {
    keys = new ExpiringMap<>(most, keepNanos, nanoClock);
  }

  /**
   * Remembers a key. If the key is remembered already, its time begins anew.
   *
   * @param key the key
   */
  public synchronized void add(K key) {
    keys.put(key, true);
  }

  /**
   * @param key the key
   * @return true if this call has added the key; false if the key was remembered already
   */
  public synchronized boolean addIfAbsent(K key) {
    if (contains(key)) {
      return false;
    }
    add(key);
    return true;
  }

  /**
   * Forgets a key.
   *
   * @param key the key
   */
  public synchronized void remove(K key) {
    keys.remove(key);
  }

  /**
   * @param key the key
   * @return whether the key is remembered
   */
  public synchronized boolean contains(K key) {
    return keys.get(key).isPresent();
  }
}
