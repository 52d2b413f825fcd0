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
  /** Whether this NameNode makes versions now */
  public final boolean active;
  /**
   * Why conversions and parity files wait, as a sentence without a full stop; empty if they do not
   * wait
   */
  public final String waits;
  /** Versions that are being made */
  public final int running;
  /** Requests that the engine has taken, and that wait for the end of others */
  public final int queued;
  /** Old versions that are kept until their grace ends, as the janitor found at its last look */
  public final int kept;
  /** Those of {@link #kept} that are kept beyond their grace, because clients read them */
  public final int read;
  /**
   * Those of {@link #read} that clients still read after the last of all graces, so that an
   * operator has to decide
   */
  public final int asking;
  /** Versions published */
  public final long published;
  /** Requests that ended without a published version */
  public final long notPublished;
  /**
   * Groups whose units were read over the network for a full check, because DataNodes have not sent
   * all digests for which they were asked
   */
  public final long withoutDigests;
  /** What the published versions have cost, in groups and bytes */
  public final VersionBytes bytes;
  /** How often the extension's own methods for versions have held the NameNode's write lock */
  public final long lockHolds;
  /** For how long these methods have held the write lock in all, ns */
  public final long lockNanos;
  /** The longest time for which one of these methods has held the write lock at once, ns */
  public final long lockNanosMax;

  /** Collects the values of an {@link EngineStatus}. */
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
