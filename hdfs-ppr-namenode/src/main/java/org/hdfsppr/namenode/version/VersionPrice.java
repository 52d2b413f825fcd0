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

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.util.StripedBlockUtil;
import org.hdfsppr.coder.convert.Conversion;
import org.hdfsppr.namenode.model.GroupPolicy;
import org.hdfsppr.plan.Holder;
import org.hdfsppr.plan.NoPlanException;
import org.hdfsppr.plan.NodeRef;

/** Says what a version costs if all nodes are as they should be. Pure. */
@InterfaceAudience.Private
final class VersionPrice {
  private VersionPrice() {
  }

  static VersionBytes of(List<FileGroup> groups, ConversionBook codes, GroupPolicy from,
      GroupPolicy to) {
    Conversion conversion = codes.conversion(from, to);
    double unitsMoved = groups.isEmpty() ? 0 : unitsMoved(codes, from, to);
    VersionBytes all = VersionBytes.NONE;
    for (FileGroup group : groups) {
      long linked = 0;
      long made = 0;
      for (int unit = 0; unit < conversion.to().units(); unit++) {
        long length = length(group.bytes, to, unit);
        if (conversion.linkedFrom(unit) == Conversion.NONE) {
          made += length;
        } else {
          linked += length;
        }
      }
      all = all.plus(new VersionBytes(1, linked, 0, made,
          Math.round(unitsMoved * length(group.bytes, to, to.dataUnits))));
    }
    return all;
  }

  private static long length(long groupBytes, GroupPolicy code, int unit) {
    return StripedBlockUtil.getInternalBlockLength(groupBytes, code.cellBytes,
        code.dataUnits, unit);
  }

  /** Plans a whole group on nodes that are all alike. */
  private static double unitsMoved(ConversionBook codes, GroupPolicy from, GroupPolicy to) {
    List<Holder> live = new ArrayList<>();
    List<NodeRef> spare = new ArrayList<>();
    int units = from.dataUnits + from.parityUnits;
    for (int i = 0; i < units + to.parityUnits; i++) {
      NodeRef node = new NodeRef("n" + i, "", "", 1, 1, "");
      if (i < units) {
        live.add(new Holder(i, node));
      } else {
        spare.add(node);
      }
    }
    long bytes = (long) from.dataUnits * from.cellBytes;
    try {
      return codes.plan(from, to, new OldGroup(bytes, from.cellBytes, live), spare, null,
          List.of()).unitsMoved();
    } catch (NoPlanException e) {
      throw new IllegalStateException("no plan although nothing is lost", e);
    }
  }
}
