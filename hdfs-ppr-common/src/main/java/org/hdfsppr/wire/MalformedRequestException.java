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
package org.hdfsppr.wire;

import java.io.IOException;
import org.apache.hadoop.classification.InterfaceAudience;

/** A peer sent bytes that are no valid message. The receiver closes the connection to this peer. */
@InterfaceAudience.Private
public class MalformedRequestException extends IOException {
  private static final long serialVersionUID = 1L;

  /** @param message the field that is wrong, its value and the allowed values */
  public MalformedRequestException(String message) {
    super(message);
  }

  /**
   * @param message the field that is wrong, its value and the allowed values
   * @param cause the exception of the check that failed
   */
  public MalformedRequestException(String message, Throwable cause) {
    super(message, cause);
  }
}
