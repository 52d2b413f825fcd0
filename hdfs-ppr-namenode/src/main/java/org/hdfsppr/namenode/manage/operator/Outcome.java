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
package org.hdfsppr.namenode.manage.operator;

import java.util.Objects;
import org.apache.hadoop.classification.InterfaceAudience;

/** What became of a superuser's command. Immutable. */
@InterfaceAudience.Private
public final class Outcome {
  /** Whether the command is done */
  public final boolean done;
  /** What has changed, or why nothing has, one line */
  public final String sentence;

  private Outcome(boolean done, String sentence) {
    this.done = done;
    this.sentence = Objects.requireNonNull(sentence, "sentence");
  }

  /**
   * @param sentence what has changed, one line
   * @return the outcome of a command that is done, and goes into the audit log
   */
  public static Outcome done(String sentence) {
    return new Outcome(true, sentence);
  }

  /**
   * @param sentence why nothing has changed, one line
   * @return the outcome of a command that is not done
   */
  public static Outcome refused(String sentence) {
    return new Outcome(false, sentence);
  }

  @Override
  public String toString() {
    return (done ? "done: " : "refused: ") + sentence;
  }
}
