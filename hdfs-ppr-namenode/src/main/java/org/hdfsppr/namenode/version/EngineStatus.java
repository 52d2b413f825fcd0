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

import org.apache.hadoop.classification.InterfaceAudience;

/** What the engine is doing and has done since the NameNode's start. Immutable. */
@InterfaceAudience.Private
public final class EngineStatus {
  private final boolean active;
  private final String waits;
  private final int running;
  private final int queued;
  private final int kept;
  private final int read;
  private final int asking;
  private final long published;
  private final long notPublished;
  private final long withoutDigests;
  private final VersionBytes bytes;
  private final long lockHolds;
  private final long lockNanos;
  private final long lockNanosMax;

  /** Collects the numbers. */
  @InterfaceAudience.Private
  static final class Numbers {
    boolean active;
    String waits = "";
    int running;
    int queued;
    int kept;
    int read;
    int asking;
    long published;
    long notPublished;
    long withoutDigests;
    VersionBytes bytes = VersionBytes.NONE;
    long lockHolds;
    long lockNanos;
    long lockNanosMax;
  }

  EngineStatus(Numbers numbers) {
    active = numbers.active;
    waits = numbers.waits;
    running = numbers.running;
    queued = numbers.queued;
    kept = numbers.kept;
    read = numbers.read;
    asking = numbers.asking;
    published = numbers.published;
    notPublished = numbers.notPublished;
    withoutDigests = numbers.withoutDigests;
    bytes = numbers.bytes;
    lockHolds = numbers.lockHolds;
    lockNanos = numbers.lockNanos;
    lockNanosMax = numbers.lockNanosMax;
  }

  /** @return whether versions are made at this NameNode */
  public boolean isActive() {
    return active;
  }

  /**
   * @return why conversions and parity files wait, as a sentence without a full stop; empty if they
   *     do not wait
   */
  public String waits() {
    return waits;
  }

  /** @return versions that are being made */
  public int running() {
    return running;
  }

  /** @return requests that wait for a place */
  public int queued() {
    return queued;
  }

  /** @return old versions that are kept until their grace ends, as of the last look */
  public int kept() {
    return kept;
  }

  /** @return those of them that are kept for longer, because clients read them */
  public int read() {
    return read;
  }

  /** @return those of these that are read after all their graces, so that an operator decides */
  public int asking() {
    return asking;
  }

  /** @return versions published */
  public long published() {
    return published;
  }

  /** @return requests that ended in another way */
  public long notPublished() {
    return notPublished;
  }

  /**
   * @return groups whose units were read over the network for a full check, because DataNodes have
   *     not sent all digests for which they were asked
   */
  public long withoutDigests() {
    return withoutDigests;
  }

  /** @return what the published versions have cost */
  public VersionBytes bytes() {
    return bytes;
  }

  /** @return how often the engine's own methods have held the NameNode's write lock */
  public long lockHolds() {
    return lockHolds;
  }

  /** @return for how long altogether, ns */
  public long lockNanos() {
    return lockNanos;
  }

  /** @return for how long at the most, ns */
  public long lockNanosMax() {
    return lockNanosMax;
  }
}
