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
package org.hdfsppr.namenode.manage.launch;

import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.coder.code.CrossedCode;
import org.hdfsppr.namenode.model.GroupPolicy;

/**
 * The indices of a row's units and a column's blocks in the command of a repair by that column, see
 * {@link CrossedCode}. Only the destination makes the code itself.
 */
@InterfaceAudience.Private
final class Crossing {
  private final GroupPolicy policy;
  private final int unit;
  private final int others;

  Crossing(GroupPolicy policy, int unit, int others) {
    this.policy = policy;
    this.unit = unit;
    this.others = others;
  }

  /** Returns the name of the crossed code. */
  String codec() {
    return CrossedCode.name(policy.codec + "-" + policy.dataUnits + "-"
        + policy.parityUnits, unit, others);
  }

  int dataUnits() {
    return policy.dataUnits + others - 1;
  }

  int units() {
    return policy.dataUnits + policy.parityUnits + others;
  }

  int ofRow(int rowUnit) {
    return CrossedCode.ofRow(policy.dataUnits, others, rowUnit);
  }

  int ofColumn(int block) {
    return CrossedCode.ofColumn(policy.dataUnits, policy.parityUnits, others, block);
  }
}
