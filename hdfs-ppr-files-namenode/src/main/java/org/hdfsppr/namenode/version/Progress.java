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

/** What follows a step of a making: nothing, or another step after a pause. Immutable. */
final class Progress {
  /** There is nothing left to do. */
  static final Progress DONE = new Progress(0);
  /** There is more to do at once. The files that are due already have their steps before. */
  static final Progress AT_ONCE = new Progress(0);

  /** After how long the next step comes if no news comes before, ms. */
  final long pauseMs;

  private Progress(long pauseMs) {
    this.pauseMs = pauseMs;
  }

  static Progress in(long pauseMs) {
    return new Progress(pauseMs);
  }

  boolean isDone() {
    return this == DONE;
  }
}
