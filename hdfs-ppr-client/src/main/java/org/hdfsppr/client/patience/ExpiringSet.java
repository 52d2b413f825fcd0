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
import java.util.function.LongSupplier;
import org.apache.hadoop.classification.InterfaceAudience;

/** Remembers a bounded number of things for a while: the oldest goes first. Thread-safe. */
@InterfaceAudience.Private
public final class ExpiringSet<K> {
  private final int most;
  private final long keepNanos;
  private final LongSupplier nanoClock;
  private final Map<K, Long> untilNanos = new LinkedHashMap<>();

  /**
   * Makes an empty set.
   *
   * @param most how many things at most
   * @param keepNanos for how long, nanoseconds
   * @param nanoClock of the client
   */
  public ExpiringSet(int most, long keepNanos, LongSupplier nanoClock) {
    this.most = most;
    this.keepNanos = keepNanos;
    this.nanoClock = nanoClock;
  }

  /**
   * Remembers a thing from now on.
   *
   * @param key what is remembered
   */
  public synchronized void add(K key) {
    untilNanos.remove(key);
    if (untilNanos.size() >= most) {
      Iterator<K> oldest = untilNanos.keySet().iterator();
      oldest.next();
      oldest.remove();
    }
    untilNanos.put(key, nanoClock.getAsLong() + keepNanos);
  }

  /**
   * @param key what is remembered
   * @return whether it was not there, and now is
   */
  public synchronized boolean addIfAbsent(K key) {
    if (contains(key)) {
      return false;
    }
    add(key);
    return true;
  }

  /**
   * Forgets a thing.
   *
   * @param key what is remembered
   */
  public synchronized void remove(K key) {
    untilNanos.remove(key);
  }

  /**
   * @param key what is remembered
   * @return whether it is remembered
   */
  public synchronized boolean contains(K key) {
    Long until = untilNanos.get(key);
    if (until == null) {
      return false;
    }
    if (nanoClock.getAsLong() - until > 0) {
      untilNanos.remove(key);
      return false;
    }
    return true;
  }
}
