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
package org.hdfsppr.update.append;

import java.util.zip.CRC32C;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.wire.WireRules;

/** The length and the CRC32C of the data that follow a message on the connection. Immutable. */
@InterfaceAudience.Private
public final class Payload {
  /** No data. */
  public static final Payload NONE = of(new byte[0]);

  /** Bytes of data */
  public final int length;
  final int sum;

  private Payload(int length, int sum) {
    this.length = length;
    this.sum = sum;
  }

  /**
   * @param data the data
   * @return their length and checksum
   */
  public static Payload of(byte[] data) {
    CRC32C crc = new CRC32C();
    crc.update(data);
    return new Payload(data.length, (int) crc.getValue());
  }

  /**
   * Makes a payload from the length and the CRC32C that a message announces.
   *
   * @throws IllegalArgumentException if the length is negative or more than {@link
   *     UpdateBounds#DATA_BYTES_MAX}
   */
  static Payload parse(int length, int sum) {
    return WireRules.within("data_bytes", length, 0, UpdateBounds.DATA_BYTES_MAX) == 0 ? NONE
        : new Payload(length, sum);
  }

  /**
   * @param data bytes
   * @return whether they have this length and checksum
   */
  boolean isOf(byte[] data) {
    Payload other = of(data);
    return length == other.length && sum == other.sum;
  }
}
