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

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.mapreduce.InputSplit;

/** The directories that one mapper lists. */
@InterfaceAudience.Private
final class TreeSplit extends InputSplit implements Writable {
  final List<ListedTree> trees = new ArrayList<>();

  /** Makes a split without directories. {@link #add} or {@link #readFields} adds them. */
  TreeSplit() {
  }

  void add(ListedTree tree) {
    trees.add(tree);
  }

  @Override
  public long getLength() {
    return trees.size();
  }

  @Override
  public String[] getLocations() {
    // A mapper asks the NameNode, from whichever node.
    return new String[0];
  }

  @Override
  public void write(DataOutput out) throws IOException {
    out.writeInt(trees.size());
    for (ListedTree tree : trees) {
      tree.write(out);
    }
  }

  @Override
  public void readFields(DataInput in) throws IOException {
    trees.clear();
    for (int left = in.readInt(); left > 0; left--) {
      ListedTree tree = new ListedTree();
      tree.readFields(in);
      trees.add(tree);
    }
  }

  /** Hadoop logs this. */
  @Override
  public String toString() {
    return trees.isEmpty() ? "nothing" : trees.size() + " parts, the first one " + trees.get(0);
  }
}
