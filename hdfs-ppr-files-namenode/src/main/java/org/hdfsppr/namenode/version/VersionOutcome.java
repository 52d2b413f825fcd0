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

import java.util.Objects;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.wire.PeerText;

/** How a request for a version has ended. Immutable. */
@InterfaceAudience.Private
public final class VersionOutcome {
  /** How the request has ended */
  public final VersionEnd end;
  /** Why the version was refused; null for most other ends */
  public final RefusalReason reason;
  /** Why the version is not published, and what helps; empty if it is published */
  public final String sentence;
  /** What the request has cost, in groups and bytes */
  public final VersionBytes bytes;
  /**
   * How long it takes until all units of the version survive a power cut of all nodes, ms; only for
   * a version that is published, or may be. 0 if the nodes have said that they do, or if it is not
   * published
   */
  public final long durableInMs;

  private VersionOutcome(VersionEnd end, RefusalReason reason, String sentence,
      VersionBytes bytes, long durableInMs) {
    this.durableInMs = durableInMs;
    this.end = end;
    this.reason = reason;
    this.sentence = Objects.requireNonNull(sentence, "sentence");
    this.bytes = Objects.requireNonNull(bytes, "bytes");
  }

  /**
   * @param bytes what the version has cost
   * @return the outcome of a version that is published
   */
  public static VersionOutcome published(VersionBytes bytes) {
    return new VersionOutcome(VersionEnd.PUBLISHED, null, "", bytes, 0);
  }

  /**
   * @param refusal why no version is made
   * @return the outcome
   */
  public static VersionOutcome refused(VersionRefusal refusal) {
    return new VersionOutcome(VersionEnd.REFUSED, refusal.reason, refusal.sentence,
        VersionBytes.NONE, 0);
  }

  /**
   * @param end how the request ends: neither published nor refused
   * @param sentence why, and what helps, without a full stop
   * @param bytes what the request has cost
   * @return the outcome
   */
  public static VersionOutcome notPublished(VersionEnd end, String sentence, VersionBytes bytes) {
    if (end == VersionEnd.PUBLISHED || end == VersionEnd.REFUSED) {
      throw new IllegalArgumentException(end + " has an outcome of its own");
    }
    return new VersionOutcome(end, null, sentence, bytes, 0);
  }

  /**
   * @param ms how long it takes until all units of the version survive a power cut, ms
   * @return the same outcome with this time
   */
  public VersionOutcome durableIn(long ms) {
    return new VersionOutcome(end, reason, sentence, bytes, ms);
  }

  /**
   * Returns the outcome of a try that has failed, and after which the version may be made anew.
   *
   * @param reason why the version is refused if no further try follows
   * @param sentence why, and what helps, without a full stop
   * @param bytes what the try has cost
   * @return the outcome
   */
  static VersionOutcome again(RefusalReason reason, String sentence, VersionBytes bytes) {
    return new VersionOutcome(VersionEnd.FAILED, Objects.requireNonNull(reason, "reason"),
        sentence, bytes, 0);
  }

  /**
   * @return the outcome of the request if this try was the last one: a failure that has a reason
   *     becomes a refusal
   */
  VersionOutcome ofLastTry() {
    return end == VersionEnd.FAILED && reason != null
        ? refused(new VersionRefusal(reason, sentence)) : this;
  }

  /** @return the outcome on one line of a log, whatever its paths contain */
  @Override
  public String toString() {
    return end + (reason == null ? "" : " (" + reason + ")")
        + (sentence.isEmpty() ? "" : ": " + PeerText.oneLine(sentence)) + "; " + bytes;
  }
}
