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
package org.hdfsppr.namenode.update.look;

import java.nio.ByteBuffer;
import java.util.UUID;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.namenode.record.BadRecordException;
import org.hdfsppr.namenode.record.SealedKind;
import org.hdfsppr.namenode.record.SealedRecord;
import org.hdfsppr.operate.UpdateRefusedException;

/**
 * The extended attribute of an updated file: the UUID by which logs know the file, and the last
 * commit that its version has. A rename keeps the attribute. A copy of the file may get it, too, if
 * attributes are copied. Because the tag also names the file's inode, the copy is recognized, and
 * does not show the updates of the original. Immutable.
 */
@InterfaceAudience.Private
public final class UpdateTag {
  /** The name of the attribute in the namespace "trusted", which only superusers can change. */
  public static final String XATTR = "hdfs-ppr.update";
  private static final byte FORMAT = 1;
  private static final int BYTES = 1 + 4 * Long.BYTES;

  /** The UUID by which logs know the file */
  public final UUID file;
  /** The file's inode */
  public final long inodeId;
  /** The last commit whose updates the file's version has; 0 if there was none */
  public final long committed;

  /**
   * @param file the UUID by which logs know the file
   * @param inodeId the file's inode
   * @param committed the last commit whose updates the file's version has; 0 if there was none
   */
  public UpdateTag(UUID file, long inodeId, long committed) {
    this.file = file;
    this.inodeId = inodeId;
    this.committed = committed;
  }

  /**
   * @param tag a file's attribute; null if it has none
   * @param inodeId the file's inode
   * @return whether logs may have updates of this file; false if the tag is that of another file,
   *     whose attributes were copied
   */
  public static boolean mayBeOf(byte[] tag, long inodeId) {
    if (tag == null) {
      return false;
    }
    try {
      return parse(tag, "").inodeId == inodeId;
    } catch (UpdateRefusedException e) {
      // A later release may have written this tag, so logs may have updates.
      return true;
    }
  }

  /** @return the first commit to which new updates may belong */
  public long epoch() {
    return committed + 1;
  }

  /**
   * @param madeInodeId the inode of the new version, which a commit has made
   * @param commit the number of the commit
   * @return the tag of the new version
   */
  public UpdateTag committed(long madeInodeId, long commit) {
    return new UpdateTag(file, madeInodeId, commit);
  }

  /** @return the bytes of the attribute */
  public byte[] toBytes() {
    return ByteBuffer.allocate(BYTES).put(FORMAT).putLong(file.getMostSignificantBits())
        .putLong(file.getLeastSignificantBits()).putLong(inodeId).putLong(committed).array();
  }

  /**
   * Parses the value of the attribute.
   *
   * @param bytes the value, sealed or not
   * @param path path of the file, for messages
   * @return the tag
   * @throws UpdateRefusedException if another version of this software wrote it
   */
  public static UpdateTag parse(byte[] bytes, String path) throws UpdateRefusedException {
    byte[] tag;
    try {
      tag = SealedRecord.open(SealedKind.UPDATE_TAG, bytes);
    } catch (BadRecordException e) {
      throw new UpdateRefusedException(path + ": " + e.getMessage());
    }
    if (tag.length != BYTES || tag[0] != FORMAT) {
      throw new UpdateRefusedException("The extended attribute trusted." + XATTR + " of " + path
          + " cannot be read; a newer hdfs-ppr may have written it");
    }
    ByteBuffer in = ByteBuffer.wrap(tag, 1, BYTES - 1);
    return new UpdateTag(new UUID(in.getLong(), in.getLong()), in.getLong(), in.getLong());
  }
}
