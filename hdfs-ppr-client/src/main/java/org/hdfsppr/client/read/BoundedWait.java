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
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Waits for the result of another thread's read, always with a bound. */
final class BoundedWait {
  private BoundedWait() {
  }

  /**
   * Returns the result of a read, or throws its failure. If the other thread has thrown an error,
   * this method throws an IOException with the error as its cause, so that the waiting thread
   * learns of it.
   *
   * @param nanos the bound, nanoseconds; this method does not wait if the bound is negative
   * @throws InterruptedIOException if the current thread is interrupted while it waits
   * @throws TimeoutException if the read has not ended within the bound
   */
  static <T> T get(Future<T> future, long nanos) throws IOException, TimeoutException {
    try {
      return future.get(Math.max(0, nanos), TimeUnit.NANOSECONDS);
    } catch (ExecutionException e) {
      throw IoFailures.of(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (IOException) new InterruptedIOException("The read was interrupted").initCause(e);
    }
  }
}
