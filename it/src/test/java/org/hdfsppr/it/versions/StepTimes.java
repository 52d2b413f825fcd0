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
package org.hdfsppr.it.versions;

/** Measures the parts of a step, one after the other. */
final class StepTimes {
  private final StringBuilder words = new StringBuilder();
  private long startNs = System.nanoTime();

  /** Ends a part. The next one begins. */
  void end(String part) {
    long now = System.nanoTime();
    words.append(words.length() == 0 ? "" : ", ").append(part).append(' ')
        .append(Math.round((now - startNs) / 1e9)).append(" s");
    startNs = now;
  }

  @Override
  public String toString() {
    return words.toString();
  }
}
