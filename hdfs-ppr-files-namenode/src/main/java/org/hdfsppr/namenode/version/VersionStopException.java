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

/** Ends the making of a version that is not published. */
final class VersionStopException extends Exception {
  private static final long serialVersionUID = 1L;

  private final transient VersionEnd end;
  private final transient VersionRefusal refusal;
  /** Whether another try is of no use. */
  final boolean isForGood;

  VersionStopException(VersionEnd end, String sentence) {
    this(end, sentence, false);
  }

  private VersionStopException(VersionEnd end, String sentence, boolean isForGood) {
    super(sentence);
    this.end = end;
    this.refusal = null;
    this.isForGood = isForGood;
  }

  /** Returns an exception for a version that would fail again, or must not be tried again. */
  static VersionStopException forGood(String sentence) {
    return new VersionStopException(VersionEnd.FAILED, sentence, true);
  }

  VersionStopException(RefusalReason reason, String sentence) {
    this(new VersionRefusal(reason, sentence));
  }

  VersionStopException(VersionRefusal refusal) {
    super(refusal.sentence);
    this.end = VersionEnd.REFUSED;
    this.refusal = refusal;
    this.isForGood = true;
  }

  VersionOutcome outcome(VersionBytes spent) {
    return refusal != null ? VersionOutcome.refused(refusal)
        : VersionOutcome.notPublished(end, getMessage(), spent);
  }
}
