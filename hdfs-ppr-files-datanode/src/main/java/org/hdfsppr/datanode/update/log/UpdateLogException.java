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
package org.hdfsppr.datanode.update.log;

import java.io.IOException;
import org.apache.hadoop.classification.InterfaceAudience;

/** An update log could not carry out a request. */
@InterfaceAudience.Private
public class UpdateLogException extends IOException {
  private static final long serialVersionUID = 1L;

  /** @param message what was not done, and why */
  public UpdateLogException(String message) {
    super(message);
  }

  /**
   * @param message what was not done, and why
   * @param cause the exception of the disk
   */
  public UpdateLogException(String message, Throwable cause) {
    super(message, cause);
  }
}
