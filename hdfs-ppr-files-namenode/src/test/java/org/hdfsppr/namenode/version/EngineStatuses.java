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

/** Makes what engines of tests say of themselves. */
public final class EngineStatuses {
  private EngineStatuses() {
  }

  /** Returns the status of an engine that waits for this reason. */
  public static EngineStatus waiting(String why) {
    EngineStatus.Numbers numbers = new EngineStatus.Numbers();
    numbers.waits = why;
    return new EngineStatus(numbers);
  }

  /** @return an engine that has done, and does, something of everything */
  public static EngineStatus full() {
    EngineStatus.Numbers numbers = new EngineStatus.Numbers();
    numbers.waits = "it waits for a journal";
    numbers.running = 3;
    numbers.queued = 5;
    numbers.kept = 7;
    numbers.read = 4;
    numbers.asking = 2;
    numbers.withoutDigests = 13;
    return new EngineStatus(numbers);
  }
}
