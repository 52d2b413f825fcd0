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
package org.hdfsppr.namenode.record;

import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Reads records in the namespace, and changes them by compare-and-set: a writer says what it has
 * read, and the NameNode compares that with what is there and writes in one hold of its lock. Of
 * two writers that have read the same record, only one succeeds. Reading and then writing through
 * the methods that serve clients are two holds: a NameNode that loses its role in between and gets
 * it back would overwrite what another one has written meanwhile.
 *
 * <p>Thread-safe. Calls have the rights of the NameNode's own user, also on a thread that answers a
 * user's call: callers check rights before.
 */
@InterfaceAudience.Private
public interface RecordStore {
  /** A change of an extended attribute in the namespace "trusted". Immutable. */
  final class Change {
    /** The inode; 0 if {@link #path} names the place */
    public final long inodeId;
    /** The path; null if {@link #inodeId} names the place */
    public final String path;
    /** The attribute's name, without "trusted." */
    public final String name;
    /**
     * The value that it has; null if it has none. Either its bytes as they are, or those of the
     * record in the form of 0.2.0, as {@link #attribute} returns them: a record that was written
     * anew in another form is the same one
     */
    public final byte[] before;
    /**
     * The value that it gets, in the form of 0.2.0; null if it goes. The store seals records that
     * are finalized
     */
    public final byte[] after;

    private Change(long inodeId, String path, String name, byte[] before, byte[] after) {
      this.inodeId = inodeId;
      this.path = path;
      this.name = Objects.requireNonNull(name, "name");
      this.before = before;
      this.after = after;
    }

    public Change(long inodeId, String name, byte[] before, byte[] after) {
      this(inodeId, null, name, before, after);
    }

    /** Changes an attribute of what is at a path when the change is made. */
    public Change(String path, String name, byte[] before, byte[] after) {
      this(0, Objects.requireNonNull(path, "path"), name, before, after);
    }
  }

  /**
   * @param inodeId an inode
   * @param name the name of an attribute, without "trusted."
   * @return its value, in the form of 0.2.0 whether it is sealed or not; empty if the inode does
   *     not have it
   * @throws java.io.FileNotFoundException if there is no such inode
   * @throws BadRecordException if it is sealed, and too old, too new or corrupt
   * @throws IOException if this NameNode is not the active one
   */
  Optional<byte[]> attribute(long inodeId, String name) throws IOException;

  /**
   * Changes attributes in one hold of the namesystem's lock, if each still has the value that the
   * caller knows. The NameNode stays active during the hold. When this returns, the edits are on
   * disk; on a thread of the NameNode's RPC server, they are when the answer goes to the client.
   *
   * @param changes the changes, in this order in the edit log. If one of them throws, those before
   *     it stay: an attribute beyond the 32 that stock allows, for instance
   * @return whether all changes were made. If not, none was: another writer was faster, and the
   *     caller has to read again before it writes
   * @throws java.io.FileNotFoundException if a place does not exist
   * @throws IllegalArgumentException if a value is longer than the NameNode takes, as stock's
   *     setXAttr
   * @throws UnsupportedOperationException if the NameNode keeps no extended attributes
   * @throws BadRecordException if a value cannot be compared, or if it is not known in which form
   *     records are written
   * @throws IOException if this NameNode is not the active one, or is in safe mode
   */
  boolean change(List<Change> changes) throws IOException;
}
