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
package org.hdfsppr.coder.code;

import org.apache.hadoop.classification.InterfaceAudience;

/** Finds out which parity units change when a data unit changes. */
@InterfaceAudience.Private
public final class UnitDependence {
  private UnitDependence() {
  }

  /**
   * @param code a code
   * @param parity a parity unit
   * @param data a data unit
   * @return whether any byte of the parity unit depends on a byte of the data unit; a local parity
   *     of an LRC depends only on the data units of its group
   */
  public static boolean of(LinearCode code, int parity, int data) {
    int s = code.subChunks();
    for (int row = 0; row < s; row++) {
      for (int column = 0; column < s; column++) {
        if (code.generator().get(parity * s + row, data * s + column) != 0) {
          return true;
        }
      }
    }
    return code.remainderCode().map(rest -> rest.generator().get(parity, data) != 0)
        .orElse(false);
  }
}
