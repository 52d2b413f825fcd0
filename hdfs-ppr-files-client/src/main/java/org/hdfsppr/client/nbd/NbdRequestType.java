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
package org.hdfsppr.client.nbd;

import org.apache.hadoop.classification.InterfaceAudience;

/** The types of requests that a client may send once it has chosen an export. */
@InterfaceAudience.Private
public enum NbdRequestType {
  /** Reads bytes of the device. */
  READ(0),
  /** Writes bytes to the device, which follow the request. */
  WRITE(1),
  /** Ends the connection. */
  DISCONNECT(2),
  /** Syncs to disks all writes that were answered. */
  FLUSH(3),
  /** Names bytes that the client does not need any more; here they become zeroes. */
  TRIM(4),
  /** Makes bytes of the device zero. */
  WRITE_ZEROES(6),
  /** A type with any other number. */
  UNKNOWN(-1);

  private final int number;

  NbdRequestType(int number) {
    this.number = number;
  }

  static NbdRequestType of(int number) {
    for (NbdRequestType type : values()) {
      if (type.number == number) {
        return type;
      }
    }
    return UNKNOWN;
  }

  /** @return whether requests of this type change bytes of the device */
  public boolean isChange() {
    return this == WRITE || this == TRIM || this == WRITE_ZEROES;
  }
}
