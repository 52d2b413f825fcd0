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
package org.hdfsppr.datanode.update;

import org.hdfsppr.stream.CallerShares;

/**
 * Bounds how many requests of one kind a node carries out at the same time, and how much data of
 * them it has in memory, in total and for each caller. Thread-safe.
 */
final class RequestBudget {
  private static final String ALL = "all";

  private final CallerShares requests;
  private final CallerShares requestsOfCallers;
  private final CallerShares bytes;
  private final CallerShares bytesOfCallers;

  /**
   * @param requestsMost how many requests the node carries out at the same time at most
   * @param callerRequestsMost how many of these requests one caller may have at most
   * @param bytesMost how many bytes of data of requests are in memory at most
   * @param callerBytesMost how many of these bytes one caller may have at most
   */
  RequestBudget(int requestsMost, int callerRequestsMost, long bytesMost, long callerBytesMost) {
    this.requests = new CallerShares(requestsMost);
    this.requestsOfCallers = new CallerShares(callerRequestsMost);
    this.bytes = new CallerShares(bytesMost);
    this.bytesOfCallers = new CallerShares(callerBytesMost);
  }

  /**
   * Makes a budget of which each caller may have half. Without this bound, a caller that sends its
   * data slowly could keep out all others, because its requests keep their room until the data have
   * come.
   *
   * @param requestsMost how many requests the node carries out at the same time at most
   * @param bytesMost how many bytes of data of requests are in memory at most
   */
  static RequestBudget halfForEach(int requestsMost, long bytesMost) {
    return new RequestBudget(requestsMost, Math.max(1, requestsMost / 2), bytesMost,
        bytesMost / 2);
  }

  /**
   * Takes room for a request and its data; returns false if there is none. After the request,
   * {@link #give} has to give the room back.
   */
  boolean take(String caller, long dataBytes) {
    if (!requestsOfCallers.take(caller, 1)) {
      return false;
    }
    if (!requests.take(ALL, 1)) {
      requestsOfCallers.give(caller, 1);
      return false;
    }
    if (bytes.take(ALL, dataBytes)) {
      if (bytesOfCallers.take(caller, dataBytes)) {
        return true;
      }
      bytes.give(ALL, dataBytes);
    }
    requests.give(ALL, 1);
    requestsOfCallers.give(caller, 1);
    return false;
  }

  void give(String caller, long dataBytes) {
    bytesOfCallers.give(caller, dataBytes);
    bytes.give(ALL, dataBytes);
    requests.give(ALL, 1);
    requestsOfCallers.give(caller, 1);
  }
}
