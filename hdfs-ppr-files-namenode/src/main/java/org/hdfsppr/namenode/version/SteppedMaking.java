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
package org.hdfsppr.namenode.version;

/**
 * Makes a file in steps, from the request to the outcome. One thread at a time calls the methods.
 *
 * @param <T> the outcome
 */
interface SteppedMaking<T> {
  /** Takes a step, see {@link Phase#step}. If it throws, there are no further steps. */
  Progress step();

  /** Returns the outcome, after the last step. */
  T outcome();

  /** Returns the outcome of a making in which something has thrown an exception. */
  T failed(Throwable e);

  /**
   * Gives back all that the making still has: its orders, its claim, and the groups that repairs
   * leave to it. The engine calls this at the end of each making, also after an error.
   */
  void release();
}
