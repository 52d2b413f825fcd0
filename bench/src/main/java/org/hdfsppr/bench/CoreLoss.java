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
package org.hdfsppr.bench;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;


/** What is lost of a CORE group: for each file, bits of the lost units. */
enum CoreLoss {
  /** One unit of one file. */
  ONE("one", 0b1),
  /** Two units of one file. */
  TWO("two", 0b11),
  /** CORE's step: a unit of one file, and that and the next one of another. */
  STEP("step", 0b01, 0b11),
  /** CORE's plus: a unit, its neighbours of the same file, and those of other files. */
  PLUS("plus", 0b010, 0b111, 0b010);

  final String label;
  /** The lost units of files 0, 1, ... as bits. */
  final List<Integer> lost;

  CoreLoss(String label, Integer... lost) {
    this.label = label;
    this.lost = List.of(lost);
  }

  static CoreLoss parse(String label) {
    return Arrays.stream(values()).filter(loss -> loss.label.equals(label)).findFirst()
        .orElseThrow(() -> new IllegalArgumentException("'" + label + "' is no loss; there are "
            + Arrays.stream(values()).map(loss -> loss.label).collect(Collectors.joining(", "))));
  }

  /** Returns how many units a single file loses at the most. */
  int mostOfAFile() {
    return lost.stream().mapToInt(Integer::bitCount).max().getAsInt();
  }

  /** Returns whether several files lose units, so that repairs have an order. */
  boolean isOfSeveralFiles() {
    return lost.size() > 1;
  }
}
