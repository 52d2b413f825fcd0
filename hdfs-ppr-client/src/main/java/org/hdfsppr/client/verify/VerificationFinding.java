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

import java.util.Objects;
import org.apache.hadoop.classification.InterfaceAudience;

/** What a check has found, in words for people. Immutable. */
@InterfaceAudience.Private
public abstract class VerificationFinding {
  /** How the check ended */
  public final Verdict verdict;
  /** What was found, in a sentence; empty if there is nothing to say */
  public final String text;
  /** What to do next, in a sentence; empty if there is nothing to do */
  public final String next;

  /**
   * @param verdict how the check ended
   * @param text what was found, in a sentence; empty if there is nothing to say
   * @param next what to do next, in a sentence; empty if there is nothing to do
   */
  protected VerificationFinding(Verdict verdict, String text, String next) {
    this.verdict = Objects.requireNonNull(verdict, "verdict");
    this.text = Objects.requireNonNull(text, "text");
    this.next = Objects.requireNonNull(next, "next");
  }
}
