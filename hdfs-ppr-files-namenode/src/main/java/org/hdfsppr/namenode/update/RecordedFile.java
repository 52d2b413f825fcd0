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
package org.hdfsppr.namenode.update;

import java.nio.ByteBuffer;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.namenode.update.look.UpdateNamespace;

/**
 * The attribute by which the record of an updated file names the file's inode, and the value that
 * it has now. Immutable.
 */
@InterfaceAudience.Private
public final class RecordedFile {
  /** The name of the attribute, without "trusted.". */
  public static final String XATTR = UpdateNamespace.FILE_XATTR;

  /** The inode of the directory that has the attribute: that of the file's record */
  public final long directory;
  private final byte[] before;

  RecordedFile(long directory, byte[] before) {
    this.directory = directory;
    this.before = before.clone();
  }

  /** @return the value that the attribute has now */
  public byte[] before() {
    return before.clone();
  }

  /**
   * Returns the value for when a new version gets the file's path. It names both versions, because
   * after a crash either of them may be at the path; the other one is then deleted.
   *
   * @param made the inode of the new version
   * @param old the inode of the old version
   * @return the value
   */
  public static byte[] of(long made, long old) {
    return ByteBuffer.allocate(2 * Long.BYTES).putLong(made).putLong(old).array();
  }
}
