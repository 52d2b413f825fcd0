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
package org.hdfsppr.namenode.convert;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.hdfs.util.StripedBlockUtil;
import org.hdfsppr.coder.code.LinearCode;
import org.hdfsppr.coder.cost.RepairCost;
import org.hdfsppr.namenode.model.GroupPolicy;
import org.hdfsppr.namenode.schedule.CodeSource;
import org.hdfsppr.namenode.version.FileFacts;
import org.hdfsppr.namenode.version.FileGroup;
import org.hdfsppr.operate.ConversionCounts;
import org.hdfsppr.operate.ConversionCounts.Number;

/**
 * Calculates what a file costs under its present code and under another one: the space on disks,
 * and how many bytes are read if each of its units is rebuilt once. Not thread-safe.
 */
final class CodeWorth {
  /**
   * For how many codes the result is kept. A cluster has fewer policies, because their ids go up to
   * 127.
   */
  private static final int CODES_MAX = 256;

  private final CodeSource codes;
  /** By code, how many units are read if each unit of a group is rebuilt once. */
  private final Map<GroupPolicy, Double> reads = new HashMap<>();

  CodeWorth(CodeSource codes) {
    this.codes = codes;
  }

  ConversionCounts of(FileFacts facts, GroupPolicy to) throws IOException {
    GroupPolicy from = facts.policy.code;
    return ConversionCounts.NONE
        .plus(Number.SPACE_BEFORE, space(facts, from))
        .plus(Number.SPACE_AFTER, space(facts, to))
        .plus(Number.REPAIR_BEFORE, repair(facts, from))
        .plus(Number.REPAIR_AFTER, repair(facts, to));
  }

  private static long space(FileFacts facts, GroupPolicy code) {
    long bytes = 0;
    for (FileGroup group : facts.groups) {
      // The index after the last data unit is that of the first parity unit; all parity units have
      // this length.
      bytes += group.bytes + code.parityUnits * StripedBlockUtil.getInternalBlockLength(
          group.bytes, code.cellBytes, code.dataUnits, code.dataUnits);
    }
    return bytes;
  }

  private long repair(FileFacts facts, GroupPolicy code) throws IOException {
    return Math.round(facts.bytes() / (double) code.dataUnits * reads(code));
  }

  private double reads(GroupPolicy code) throws IOException {
    Double known = reads.get(code);
    if (known == null) {
      LinearCode linear = codes.code(code);
      double units = 0;
      for (int unit = 0; unit < code.dataUnits + code.parityUnits; unit++) {
        units += RepairCost.of(linear, unit).unitsRead();
      }
      if (reads.size() >= CODES_MAX) {
        reads.clear();
      }
      known = units;
      reads.put(code, known);
    }
    return known;
  }
}
