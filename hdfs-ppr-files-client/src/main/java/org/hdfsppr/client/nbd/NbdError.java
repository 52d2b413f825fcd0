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

/**
 * The errors by which the server answers a failed request, with their numbers in the NBD protocol.
 */
@InterfaceAudience.Private
public enum NbdError {
  /** EPERM: the device is read-only, or the user lacks a right in HDFS. */
  NOT_PERMITTED(1),
  /** EIO: the device has failed. */
  IO(5),
  /** EINVAL: the type, a flag, the length or the range of the request is not valid. */
  INVALID(22),
  /** ENOSPC: a write goes past the end of the device, or an update log has no room. */
  NO_SPACE(28),
  /** EOVERFLOW: the client wants a read in one chunk, and it is too long for that. */
  OVERFLOW(75),
  /**
   * ENOTSUP: the client wants zeroes only if that is faster than a write of zeroes, which it is not
   * here.
   */
  NOT_SUPPORTED(95),
  /** ESHUTDOWN: the server is about to end. */
  SHUT_DOWN(108);

  /** The number that the client sees */
  public final int number;

  NbdError(int number) {
    this.number = number;
  }
}
