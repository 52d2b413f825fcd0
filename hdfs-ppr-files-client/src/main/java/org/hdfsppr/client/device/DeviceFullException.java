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
package org.hdfsppr.client.device;

import java.io.IOException;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * A device takes no writes at the moment, because an update log of one of its units has no room.
 */
@InterfaceAudience.Private
public final class DeviceFullException extends IOException {
  private static final long serialVersionUID = 1L;

  /**
   * @param message what is full
   * @param cause the failure that shows this
   */
  public DeviceFullException(String message, Throwable cause) {
    super(message, cause);
  }
}
