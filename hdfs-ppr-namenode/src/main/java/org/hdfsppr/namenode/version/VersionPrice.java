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

import java.util.List;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.util.StripedBlockUtil;
import org.hdfsppr.coder.convert.Conversion;
import org.hdfsppr.namenode.model.GroupPolicy;

/** Says what a version costs if all nodes are as they should be. Pure. */
@InterfaceAudience.Private
final class VersionPrice {
  private VersionPrice() {
  }

  static VersionBytes of(List<FileGroup> groups, Conversion conversion, GroupPolicy code) {
    VersionBytes all = VersionBytes.NONE;
    for (FileGroup group : groups) {
      long linked = 0;
      long made = 0;
      for (int unit = 0; unit < conversion.to().units(); unit++) {
        long length = StripedBlockUtil.getInternalBlockLength(group.bytes(), code.cellBytes(),
            code.dataUnits(), unit);
        if (conversion.linkedFrom(unit) == Conversion.NONE) {
          made += length;
        } else {
          linked += length;
        }
      }
      all = all.plus(new VersionBytes(1, linked, 0, made, moved(group, conversion, code)));
    }
    return all;
  }

  /**
   * Each unit by its cheapest equation, with the old parity of the same index at hand; or all in
   * one reading of the data units, of which the first maker reads all and sends the others on.
   */
  private static long moved(FileGroup group, Conversion conversion, GroupPolicy code) {
    long length = StripedBlockUtil.getInternalBlockLength(group.bytes(), code.cellBytes(),
        code.dataUnits(), code.dataUnits());
    double single = 0;
    for (int unit : conversion.made()) {
      int held = unit < conversion.from().units() && conversion.oldUnit(unit) != Conversion.NONE
          ? unit : Conversion.NONE;
      single += conversion.unitsMoved(unit, held);
    }
    double together = conversion.made().isEmpty() ? 0
        : conversion.to().dataUnits() + conversion.made().size() - 1;
    return Math.round(length * Math.min(single, together));
  }
}
