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
package org.hdfsppr.client.read;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import org.apache.hadoop.classification.InterfaceAudience;

/** Converts and classifies failures of reads. */
@InterfaceAudience.Private
public final class IoFailures {
  private IoFailures() {
  }

  /**
   * Returns the failure itself if it is an IOException, otherwise an IOException with the failure
   * as its cause.
   */
  static IOException of(Throwable failure) {
    return failure instanceof IOException ? (IOException) failure
        : new IOException(failure.toString(), failure);
  }

  /**
   * @param failure what was thrown
   * @return true if the failure says that a read was interrupted, and if the current thread's
   *     interrupt flag is set
   */
  public static boolean isOwnInterrupt(Exception failure) {
    return failure instanceof InterruptedIOException && Thread.currentThread().isInterrupted();
  }

  /**
   * @param failure what was thrown
   * @return true if the failure says that a thread was interrupted; this method ignores the
   *     interrupt flag, which Hadoop may have cleared
   */
  public static boolean isInterrupt(Exception failure) {
    return failure instanceof InterruptedIOException
        && !(failure instanceof SocketTimeoutException);
  }
}
