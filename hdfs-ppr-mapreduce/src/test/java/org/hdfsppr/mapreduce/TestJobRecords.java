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
package org.hdfsppr.mapreduce;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.io.DataInputBuffer;
import org.apache.hadoop.io.DataOutputBuffer;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.io.WritableComparator;
import org.apache.hadoop.mapreduce.InputSplit;
import org.hdfsppr.mapreduce.MapReduceGroupJob.TreeInputFormat;
import org.hdfsppr.mapreduce.MapReduceGroupJob.TreeSplit;
import org.junit.jupiter.api.Test;

/** What goes between the tasks of a job. */
class TestJobRecords {
  private static <T extends Writable> T copy(T from, T to) throws IOException {
    DataOutputBuffer out = new DataOutputBuffer();
    from.write(out);
    DataInputBuffer in = new DataInputBuffer();
    in.reset(out.getData(), out.getLength());
    to.readFields(in);
    assertEquals(out.getLength(), in.getPosition());
    return to;
  }

  @Test
  void recordsArriveAsTheyAre() throws IOException {
    LikeFiles key = new LikeFiles(5, "RS-6-3-1024k", 1 << 20, 77, 9);
    LikeFiles other = copy(key, new LikeFiles());
    assertEquals(key, other);
    assertEquals(key.hashCode(), other.hashCode());
    assertEquals(List.of(5L, 77L, 9L),
        List.of(other.directoryId(), other.length(), other.fileId()));
    assertEquals("RS-6-3-1024k", other.policy());
    FileFact fact = copy(new FileFact(1_000, 3, 5), new FileFact());
    assertEquals(List.of(1_000L, 3L, 5L), List.of(fact.modifiedMs(), (long) fact.blockGroups(),
        (long) fact.perGroup()));
    TreeSplit split = new TreeSplit();
    split.add(new ListedTree("/a/\u00e4 b", 11, true));
    split.add(new ListedTree("/c", 12, true).alone());
    TreeSplit read = copy(split, new TreeSplit());
    assertEquals("[/a/\u00e4 b/..., /c]", read.trees.toString());
    assertEquals(11, read.trees.get(0).inodeId());
  }

  @Test
  void likeFilesMeetTheLongestFirst() {
    LikeFiles first = new LikeFiles(5, "P", 100, 90, 2);
    LikeFiles tie = new LikeFiles(5, "P", 100, 90, 3);
    LikeFiles shorter = new LikeFiles(5, "P", 100, 80, 1);
    List<LikeFiles> others = List.of(new LikeFiles(6, "P", 100, 90, 2),
        new LikeFiles(5, "Q", 100, 90, 2), new LikeFiles(5, "P", 200, 90, 2));
    assertTrue(first.compareTo(tie) < 0 && tie.compareTo(shorter) < 0);
    LikeFiles.Together together = new LikeFiles.Together();
    LikeFiles.Spread spread = new LikeFiles.Spread();
    assertEquals(0, together.compare(first, shorter));
    assertEquals(spread.getPartition(first, null, 7), spread.getPartition(shorter, null, 7));
    for (LikeFiles other : others) {
      assertNotEquals(0, together.compare(first, other));
    }
    assertTrue(WritableComparator.get(LikeFiles.class).newKey() instanceof LikeFiles);
  }

  @Test
  void eachPartGoesToOneMapper() {
    List<ListedTree> trees = new ArrayList<>();
    for (int i = 0; i < 150; i++) {
      trees.add(new ListedTree("/d" + i, i, true));
    }
    List<InputSplit> splits = TreeInputFormat.split(trees);
    assertEquals(TreeInputFormat.SPLITS_MAX, splits.size());
    Set<String> seen = new HashSet<>();
    for (InputSplit split : splits) {
      assertTrue(((TreeSplit) split).trees.size() <= 3);
      ((TreeSplit) split).trees.forEach(tree -> assertTrue(seen.add(tree.path())));
    }
    assertEquals(150, seen.size());
    assertEquals(1, TreeInputFormat.split(trees.subList(0, 1)).size());
  }
}
