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
package org.hdfsppr.namenode.files.rpc;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.ipc.Server;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * The share of the RPC server's handler threads that may answer callers of one kind. Heartbeats of
 * DataNodes come through the same threads, and must not wait for other callers. So at most a
 * quarter of the threads, but at least one, answers these callers at the same time; further callers
 * are asked to try again. If only one thread of the share is free, it answers no user of which a
 * call is being answered already. So one user alone cannot take all of them. Thread-safe.
 */
@InterfaceAudience.Private
public final class HandlerShare {
  /** One in this many handler threads belongs to the share: with 4, a quarter. */
  private static final int ONE_OF = 4;

  /** A call, as a function that returns its answer. */
  public interface Answer<T> {
    /** @return the answer */
    T make() throws IOException;
  }

  private final String callers;
  private final Supplier<String> user;
  /** How many calls of each user are being answered. Guarded by this. */
  private final Map<String, Integer> answering = new HashMap<>();
  private int free;

  /**
   * @param handlers how many handler threads the RPC server has
   * @param callers the kind of the callers, for the text of refusals, such as "users"
   */
  public HandlerShare(int handlers, String callers) {
    this(handlers, callers, HandlerShare::caller);
  }

  /** @param user returns the user of the call that the present thread answers */
  HandlerShare(int handlers, String callers, Supplier<String> user) {
    this.free = Math.max(1, handlers / ONE_OF);
    this.callers = callers;
    this.user = user;
  }

  private static String caller() {
    UserGroupInformation remote = Server.getRemoteUser();
    return remote == null ? "" : remote.getUserName();
  }

  /**
   * Answers a call on the present thread.
   *
   * @throws RetriableException if no thread of the share is free; also if only one is free, and
   *     another call of the same user is being answered
   */
  public <T> T answer(Answer<T> answer) throws IOException {
    String caller = user.get();
    if (!take(caller)) {
      throw new RetriableException("Other " + callers + "' calls are being answered; try again");
    }
    try {
      return answer.make();
    } finally {
      give(caller);
    }
  }

  private synchronized boolean take(String caller) {
    if (free == 0 || free == 1 && answering.containsKey(caller)) {
      return false;
    }
    free--;
    answering.merge(caller, 1, Integer::sum);
    return true;
  }

  private synchronized void give(String caller) {
    free++;
    answering.computeIfPresent(caller, (name, calls) -> calls == 1 ? null : calls - 1);
  }
}
