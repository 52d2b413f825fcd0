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

import java.io.IOException;
import org.apache.hadoop.classification.InterfaceAudience;

/** The NameNode refuses a call about conversions. The message says why and what helps. */
@InterfaceAudience.Private
public class ConversionRefusedException extends IOException {
  private static final long serialVersionUID = 1L;

  /** @param message why, and what helps */
  public ConversionRefusedException(String message) {
    super(message);
  }

  /**
   * @param message why, and what helps
   * @param cause the exception because of which the NameNode refuses
   */
  public ConversionRefusedException(String message, Throwable cause) {
    super(message, cause);
  }
}
