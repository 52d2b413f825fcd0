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
package org.hdfsppr.client.verify;

import java.util.EnumMap;
import java.util.Map;
import org.apache.hadoop.classification.InterfaceAudience;

/** Counts how checks have ended, and what they have read. Thread-safe. */
@InterfaceAudience.Private
public abstract class VerdictCounts {
  private final Map<Verdict, Long> verdicts = new EnumMap<>(Verdict.class);
  private long problems;
  private long unitBytes;
  private long clientBytes;

  /** Makes counts of no check. */
  protected VerdictCounts() {
  }

  /**
   * Counts a check.
   *
   * @param verdict how it has ended
   */
  protected final synchronized void count(Verdict verdict) {
    verdicts.merge(verdict, 1L, Long::sum);
  }

  /**
   * Adds the bytes that a check has read.
   *
   * @param bytesOfUnits bytes of the units that were checked
   * @param bytesToClient bytes that came to this client
   */
  protected final synchronized void read(long bytesOfUnits, long bytesToClient) {
    unitBytes += bytesOfUnits;
    clientBytes += bytesToClient;
  }

  /** Counts a directory that could not be listed, or a file whose groups could not be asked for. */
  public final synchronized void problem() {
    problems++;
  }

  /** @return checks that have ended */
  protected final synchronized long all() {
    return verdicts.values().stream().mapToLong(Long::longValue).sum();
  }

  /**
   * @param verdict a verdict
   * @return how many checks have ended with this verdict
   */
  protected final synchronized long of(Verdict verdict) {
    return verdicts.getOrDefault(verdict, 0L);
  }

  /** @return directories that could not be listed, and files whose groups could not be asked for */
  public final synchronized long problems() {
    return problems;
  }

  /** @return bytes of the units that were checked */
  public final synchronized long unitBytes() {
    return unitBytes;
  }

  /** @return bytes that came to this client */
  public final synchronized long clientBytes() {
    return clientBytes;
  }

  /** @return whether nothing needs attention */
  public final synchronized boolean isFine() {
    return problems == 0 && verdicts.keySet().stream().allMatch(verdict -> verdict.fine);
  }
}
