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
package org.hdfsppr.it.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Set;

import org.junit.jupiter.api.Test;

/** Tests the parser of fsck's output on the words of Hadoop 3.3 to 3.5. */
class TestFsck {
  private static final String REPORT = "/ec/f 3145728 bytes, erasure-coded: policy=RS-3-2-1024k, "
      + "1 block(s):  OK\n0. BP-1-127.0.0.1-1:blk_-9223372036854775792_1001 len=3145728 "
      + "Live_repl=5  [blk_-9223372036854775792:DatanodeInfoWithStorage[10.77.1.11:9866,DS-a,DISK],"
      + " blk_-9223372036854775791:DatanodeInfoWithStorage[10.77.1.12:9866,DS-b,DISK]]\n\n"
      + "Status: HEALTHY\n\nReplicated Blocks:\n Under-replicated blocks:\t0\n"
      + " Mis-replicated blocks:\t\t0\n Missing blocks:\t\t0\n Corrupt blocks:\t\t0\n"
      + " Missing replicas:\t\t0\n Blocks queued for replication:\t0\n\n"
      + "Erasure Coded Block Groups:\n Over-erasure-coded block groups:\t0 (0.0 %)\n"
      + " Under-erasure-coded block groups:\t%1$d (0.0 %%)\n"
      + " Unsatisfactory placement block groups:\t1 (0.0 %%)\n Missing block groups:\t\t0\n"
      + " Corrupt block groups:\t\t0\n Missing internal blocks:\t%1$d (0.0 %%)\n"
      + "\n\nThe filesystem under path '/' is HEALTHY\n";

  private static Fsck fsck(int lost) {
    return new Fsck(REPORT.replace("%1$d", String.valueOf(lost)).replace("%%", "%"));
  }

  @Test
  void wholeIsWhatLacksNothing() {
    assertTrue(fsck(0).isWhole(), fsck(0).toString());
    // Hadoop says HEALTHY while every file can be read, even if units are lost.
    assertFalse(fsck(1).isWhole(), fsck(1).toString());
    assertFalse(new Fsck("").isWhole());
  }

  @Test
  void namesInternalBlocks() {
    assertEquals(Set.of(Fsck.internalBlock(-9223372036854775792L, "10.77.1.11"),
        Fsck.internalBlock(-9223372036854775791L, "10.77.1.12")), fsck(0).internalBlocks());
  }
}
