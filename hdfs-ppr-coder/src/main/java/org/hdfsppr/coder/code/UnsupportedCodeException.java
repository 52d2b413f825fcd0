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
package org.hdfsppr.coder.code;

import java.io.IOException;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * This library cannot repair files of a codec, or cannot make its code. The message names the codec
 * and the reason.
 */
@InterfaceAudience.Public
public class UnsupportedCodeException extends IOException {
  private static final long serialVersionUID = 1L;

  /** @param message the code, and the reason why it is not supported */
  public UnsupportedCodeException(String message) {
    super(message);
  }

  /**
   * @param message the code, and the reason why it is not supported
   * @param cause the exception that was caught
   */
  public UnsupportedCodeException(String message, Throwable cause) {
    super(message, cause);
  }
}
