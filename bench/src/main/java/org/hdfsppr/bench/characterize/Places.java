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
package org.hdfsppr.bench.characterize;

/** Where on the device requests lie. In both cases no byte is asked twice. */
enum Places {
  /** Each request follows the one before. */
  SEQUENTIAL("seq"),
  /** Each request is at a random place that no request was at before. */
  RANDOM("random");

  final String label;

  Places(String label) {
    this.label = label;
  }

  static Places parse(String word) {
    for (Places places : values()) {
      if (places.label.equals(word)) {
        return places;
      }
    }
    throw new IllegalArgumentException("--pattern has '" + word + "'; there are seq and random");
  }
}
