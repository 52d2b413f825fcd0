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
package org.hdfsppr.namenode.track;

import java.util.Objects;
import java.util.Optional;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.wire.FailureCause;
import org.hdfsppr.wire.PeerText;

/** A repair of a group that failed, in words for an operator. Immutable. */
@InterfaceAudience.Private
public final class FailedTry {
  /** The greatest length of {@link #text}. It bounds the memory of all texts. */
  static final int CHARS_MAX = 300;

  /** When the try ended, monotonic, ms */
  public final long endedMs;
  private final String node;
  private final FailureCause cause;
  /** What happened, one line */
  public final String text;

  /**
   * @param endedMs when the try ended, monotonic, ms
   * @param node UUID of the node that the failure names, or null
   * @param cause the cause that the destination reports, or null
   * @param text what happened, one sentence; its beginning is kept
   */
  public FailedTry(long endedMs, String node, FailureCause cause, String text) {
    this.endedMs = endedMs;
    this.node = node;
    this.cause = cause;
    String line = PeerText.oneLine(Objects.requireNonNull(text, "text"));
    this.text = line.length() <= CHARS_MAX ? line : line.substring(0, CHARS_MAX) + "...";
  }

  /** @return UUID of the node that the failure names; empty if it names none */
  public Optional<String> node() {
    return Optional.ofNullable(node);
  }

  /** @return the cause that the destination reports; empty if it reports none */
  public Optional<FailureCause> cause() {
    return Optional.ofNullable(cause);
  }

  @Override
  public String toString() {
    return text;
  }
}
