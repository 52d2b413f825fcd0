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

import java.util.Locale;


/** What has happened to the device before it is measured. */
enum DeviceState {
  /** It was made, which writes zeroes into all blocks, and no byte was updated yet. */
  PRISTINE,
  /** All of its bytes were then written once through the device, and committed. */
  OVERWRITTEN;

  static DeviceState parse(String word) {
    for (DeviceState state : values()) {
      if (state.label().equals(word)) {
        return state;
      }
    }
    throw new IllegalArgumentException("--state has '" + word
        + "'; there are pristine and overwritten");
  }

  String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
