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
 * Calculates what a file costs under two codes: space on disks, and bytes that are read to rebuild
 * each of its units once. Not thread-safe.
 */
final class CodeWorth {
  /** The most codes in memory: many more than a cluster has policies, whose ids go up to 127. */
  private static final int CODES_MAX = 256;

  private final CodeSource codes;
  /** Units that are read to rebuild each unit of a code once. */
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
      // The unit after the data units is the first parity unit; all parity units are as long.
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
