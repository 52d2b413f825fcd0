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
package org.apache.hadoop.hdfs.server.namenode;

import java.io.IOException;
import org.apache.hadoop.classification.InterfaceAudience;

/** A standby NameNode whose edits are read when a test says so. */
@InterfaceAudience.Private
public final class StandbyTail {
  private final FSNamesystem namesystem;

  /** @param namesystem is in standby, and reads no edits by itself */
  public StandbyTail(FSNamesystem namesystem) {
    this.namesystem = namesystem;
  }

  /** Reads the next portion of edits; returns how many edits there were. */
  public long read() throws IOException {
    try {
      return namesystem.getEditLogTailer().doTailEdits();
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  /** Returns whether readers of this NameNode, such as those of an Observer, find a file now. */
  public boolean has(String path) throws IOException {
    namesystem.readLock();
    try {
      return namesystem.getFSDirectory().getINode(path, FSDirectory.DirOp.READ) != null;
    } finally {
      namesystem.readUnlock("test");
    }
  }
}
