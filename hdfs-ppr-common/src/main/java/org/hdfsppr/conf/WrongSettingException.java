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
package org.hdfsppr.conf;

import org.apache.hadoop.classification.InterfaceAudience;

/**
 * A setting has a value that is not allowed. The message is a sentence for operators: the key, the
 * value and what to set. A stack trace would tell an operator nothing more, so that logs show only
 * the message.
 */
@InterfaceAudience.Private
public final class WrongSettingException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  /** @param message the key, the value, and the values that are allowed */
  public WrongSettingException(String message) {
    super(message);
  }

  /**
   * @param message the key, the value, and the values that are allowed
   * @param cause the exception of the parser that refused the value
   */
  public WrongSettingException(String message, Throwable cause) {
    super(message, cause);
  }
}
