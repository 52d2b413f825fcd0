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

/** What the engine is doing now, and how often it had no digests. Immutable. */
@InterfaceAudience.Private
public final class EngineStatus {
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
  /**
   * Groups whose units were read over the network for a full check, because DataNodes have not sent
   * all digests for which they were asked
   */
  public final long withoutDigests;

  /** Collects the values of an {@link EngineStatus}. */
  static final class Numbers {
    String waits = "";
    int running;
    int queued;
    int kept;
    int read;
    int asking;
    long withoutDigests;
  }

  EngineStatus(Numbers numbers) {
    waits = numbers.waits;
    running = numbers.running;
    queued = numbers.queued;
    kept = numbers.kept;
    read = numbers.read;
    asking = numbers.asking;
    withoutDigests = numbers.withoutDigests;
  }
}
