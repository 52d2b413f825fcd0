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
package org.hdfsppr.namenode.rpc;

import java.io.IOException;
import java.util.concurrent.Semaphore;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.ipc.RetriableException;

/**
 * The handlers of the RPC server that may answer one kind of callers. Heartbeats of DataNodes come
 * through the same handlers, and must not wait for other callers. So only a quarter of the
 * handlers, but at least one, answers these callers at a time; further calls are refused, and
 * callers try again. Thread-safe.
 */
@InterfaceAudience.Private
public final class HandlerShare {
  /** One handler of this number is in the share. */
  private static final int ONE_OF = 4;

  /** The answer to a call. */
  public interface Answer<T> {
    /** @return what the caller gets */
    T make() throws IOException;
  }

  private final Semaphore free;
  private final String callers;

  /**
   * @param handlers how many handlers the server has
   * @param callers what the callers are, for refusals: "users"
   */
  public HandlerShare(int handlers, String callers) {
    this.free = new Semaphore(Math.max(1, handlers / ONE_OF));
    this.callers = callers;
  }

  /**
   * Answers a call on the caller's thread.
   *
   * @throws RetriableException if all handlers of the share answer other calls
   */
  public <T> T answer(Answer<T> answer) throws IOException {
    if (!free.tryAcquire()) {
      throw new RetriableException("Other " + callers + "' calls are being answered; try again");
    }
    try {
      return answer.make();
    } finally {
      free.release();
    }
  }
}
