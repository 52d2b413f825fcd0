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
package org.hdfsppr.operate;

import java.util.Locale;
import org.apache.hadoop.classification.InterfaceAudience;

/** What a user may do with a conversion job that has not ended. */
@InterfaceAudience.Private
public enum ConversionAction {
  /** Pause the job. It begins no more files, and finishes those that it has begun. */
  PAUSE(1),
  /** Go on with a paused job. */
  RESUME(2),
  /**
   * End the job. Files that it has begun but not finished keep their old versions; converted files
   * stay converted.
   */
  CANCEL(3);

  /** The number of the action in messages */
  public final int number;

  ConversionAction(int number) {
    this.number = number;
  }

  /** @return the name of the action in lower case, for messages to people */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * @param number the number of an action in a message
   * @return the action
   * @throws IllegalArgumentException if there is no such action
   */
  public static ConversionAction ofNumber(int number) {
    for (ConversionAction action : values()) {
      if (action.number == number) {
        return action;
      }
    }
    throw new IllegalArgumentException("action " + number + " is unknown");
  }
}
