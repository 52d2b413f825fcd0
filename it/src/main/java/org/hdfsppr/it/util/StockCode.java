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
package org.hdfsppr.it.util;

import java.util.Arrays;

import org.apache.hadoop.classification.InterfaceAudience;

/** The codes that stock Hadoop has built in and that a repair can be compared on. */
@InterfaceAudience.Private
public enum StockCode {
  RS_6_3("rs-6-3", "RS-6-3-1024k", 6, 3),
  RS_10_4("rs-10-4", "RS-10-4-1024k", 10, 4);

  private final String label;
  private final String policy;
  private final int dataUnits;
  private final int parityUnits;

  StockCode(String label, String policy, int dataUnits, int parityUnits) {
    this.label = label;
    this.policy = policy;
    this.dataUnits = dataUnits;
    this.parityUnits = parityUnits;
  }

  /** Finds a code by its label, as in {@code rs-6-3}. */
  public static StockCode parse(String label) {
    return Arrays.stream(values()).filter(code -> code.label.equals(label)).findFirst()
        .orElseThrow(() -> new IllegalArgumentException(
            "'" + label + "' is not a code here; there are rs-6-3 and rs-10-4"));
  }

  public String label() {
    return label;
  }

  /** Name of Hadoop's erasure coding policy. */
  public String policy() {
    return policy;
  }

  public int dataUnits() {
    return dataUnits;
  }

  public int units() {
    return dataUnits + parityUnits;
  }

  public int parityUnits() {
    return parityUnits;
  }
}
