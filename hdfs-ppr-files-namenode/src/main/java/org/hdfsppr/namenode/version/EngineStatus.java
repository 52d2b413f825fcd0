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
  /** Whether versions are made at this NameNode */
  public final boolean active;
  /**
   * Why conversions and parity files wait, as a sentence without a full stop; empty if they do not
   * wait
   */
  public final String waits;
  /** Versions that are being made */
  public final int running;
  /** Requests that wait for a place */
  public final int queued;
  /** Old versions that are kept until their grace ends, as of the last look */
  public final int kept;
  /** Those of them that are kept for longer, because clients read them */
  public final int read;
  /**
   * Those of these that clients still read after all their graces, so that an operator has to
   * decide
   */
  public final int asking;
  /** Versions published */
  public final long published;
  /** Requests that ended in another way */
  public final long notPublished;
  /**
   * Groups whose units were read over the network for a full check, because DataNodes have not sent
   * all digests for which they were asked
   */
  public final long withoutDigests;
  /** What the published versions have cost */
  public final VersionBytes bytes;
  /** How often the engine's own methods have held the NameNode's write lock */
  public final long lockHolds;
  /** The sum of the times of these holds, ns */
  public final long lockNanos;
  /** The longest of these holds, ns */
  public final long lockNanosMax;

  /** Collects the numbers. */
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
}
