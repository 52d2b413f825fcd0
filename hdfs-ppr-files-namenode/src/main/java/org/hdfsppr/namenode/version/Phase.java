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

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * A part of the making of a file, in steps. A step looks at what has happened, does what can be
 * done now, and returns. Where blocking code would wait in a loop, a phase returns a pause, and its
 * next step looks again. One thread at a time takes a step; the next step may have another thread.
 */
interface Phase {
  /**
   * Takes a step.
   *
   * @return {@link Progress#DONE} if the phase has ended, so that this method must not be called
   *     again
   * @throws VersionStopException if the making has to end
   * @throws IOException if the NameNode does not answer, which ends the making as well
   */
  Progress step() throws IOException, VersionStopException;

  /** What a phase does that has only one step. */
  interface Action {
    void run() throws IOException, VersionStopException;
  }

  /** Returns a phase of one step. */
  static Phase once(Action action) {
    return () -> {
      action.run();
      return Progress.DONE;
    };
  }

  /** Returns the phase that consists of these phases, one after the other. */
  static Phase inOrder(Phase... phases) {
    Deque<Phase> left = new ArrayDeque<>(List.of(phases));
    return () -> {
      Progress progress = left.element().step();
      if (!progress.isDone()) {
        return progress;
      }
      left.remove();
      return left.isEmpty() ? Progress.DONE : Progress.AT_ONCE;
    };
  }
}
