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
import org.apache.hadoop.io.Writable;

/** A directory that a mapper lists, alone or with all directories below it. */
final class ListedTree implements Writable {
  private String path = "";
  private long inodeId;
  private boolean deep;

  /** Makes an empty object, which {@link #readFields} fills. */
  ListedTree() {
  }

  /** @param deep whether all directories below it are listed, too */
  ListedTree(String path, long inodeId, boolean deep) {
    this.path = path;
    this.inodeId = inodeId;
    this.deep = deep;
  }

  String path() {
    return path;
  }

  long inodeId() {
    return inodeId;
  }

  boolean isDeep() {
    return deep;
  }

  /** Returns the same directory without those below it. */
  ListedTree alone() {
    return new ListedTree(path, inodeId, false);
  }

  @Override
  public void write(DataOutput out) throws IOException {
    out.writeUTF(path);
    out.writeLong(inodeId);
    out.writeBoolean(deep);
  }

  @Override
  public void readFields(DataInput in) throws IOException {
    path = in.readUTF();
    inodeId = in.readLong();
    deep = in.readBoolean();
  }

  @Override
  public String toString() {
    return path + (deep ? "/..." : "");
  }
}
