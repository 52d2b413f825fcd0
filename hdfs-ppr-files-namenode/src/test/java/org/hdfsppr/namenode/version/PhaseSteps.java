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

/** Takes the steps of a phase on the thread of a test. */
final class PhaseSteps {
  private PhaseSteps() {
  }

  /** Takes all steps, without pauses between them. */
  static void takeAll(Phase phase) throws Exception {
    boolean isDone = false;
    while (!isDone) {
      isDone = phase.step().isDone();
    }
  }

  /** Takes all steps, with the pauses that they ask for. */
  static void takeAllWithPauses(Phase phase) throws Exception {
    for (Progress next = phase.step(); !next.isDone(); next = phase.step()) {
      Thread.sleep(next.pauseMs);
    }
  }
}
