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
package org.hdfsppr.client.read;

import java.io.IOException;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.fs.FileChecksum;
import org.apache.hadoop.fs.Options.ChecksumCombineMode;
import org.apache.hadoop.util.DataChecksum;

/** Reads a striped file from its beginning and computes its checksum. Used by one thread. */
@InterfaceAudience.Private
public final class ComputedChecksum {
  /** The file whose checksum is computed. */
  public interface ChecksummedFile {
    /**
     * @param position offset in the file, bytes
     * @return the block group that contains the position
     * @throws IOException if the group cannot be found
     */
    LocatedGroup groupAt(long position) throws IOException;

    /**
     * Reads bytes of the file.
     *
     * @param position offset in the file, bytes
     * @param buffer filled from its beginning
     * @param length how many bytes
     * @throws IOException if the bytes cannot be read
     */
    void readFully(long position, byte[] buffer, int length) throws IOException;

    /**
     * @param group the block group
     * @param unit index in the group; the unit has a holder
     * @return the type and chunk size of the checksums of the unit's replica
     * @throws IOException if the replica cannot be opened
     */
    DataChecksum replicaChecksum(LocatedGroup group, int unit) throws IOException;
  }

  private final ChecksummedFile file;
  private final String name;
  private final int dataUnits;
  private final int cellBytes;
  private final byte[] buffer;

  /**
   * @param file the file that is read
   * @param name the file's name, for error messages
   * @param dataUnits k
   * @param cellBytes bytes of a cell
   * @param bufferBytes how many bytes are read at a time
   */
  public ComputedChecksum(ChecksummedFile file, String name, int dataUnits, int cellBytes,
      int bufferBytes) {
    this.file = file;
    this.name = name;
    this.dataUnits = dataUnits;
    this.cellBytes = cellBytes;
    this.buffer = new byte[bufferBytes];
  }

  /**
   * @param length how many bytes, at most the file's length
   * @param mode how the checksums of groups are combined
   * @return the checksum of the file's first bytes, computed from the bytes themselves
   * @throws IOException if the file cannot be read, or has no checksum of this kind
   */
  public FileChecksum of(long length, ChecksumCombineMode mode) throws IOException {
    DataChecksum first = replicaChecksum(file.groupAt(0));
    StripedChecksum checksum = new StripedChecksum(first, dataUnits, cellBytes);
    long done = 0;
    while (done < length) {
      LocatedGroup group = file.groupAt(done);
      if (done > 0 && done == group.start()) {
        requireSame(first, replicaChecksum(group), group);
      }
      int some = (int) Math.min(buffer.length,
          Math.min(length, group.start() + group.bytes()) - done);
      file.readFully(done, buffer, some);
      checksum.update(buffer, some);
      done += some;
      if (done == length || done == group.start() + group.bytes()) {
        checksum.endGroup();
      }
    }
    return mode == ChecksumCombineMode.COMPOSITE_CRC ? checksum.composite() : checksum.md5();
  }

  private void requireSame(DataChecksum first, DataChecksum checksum, LocatedGroup group)
      throws IOException {
    if (checksum.getBytesPerChecksum() != first.getBytesPerChecksum()
        || checksum.getChecksumType() != first.getChecksumType()) {
      throw new IOException("Group " + group.id() + " of " + name + " has " + checksum
          + ", and the first one " + first + ": the file as a whole has no such checksum");
    }
  }

  /**
   * Returns the type and chunk size of the checksums of a group's replicas. This method asks the
   * units one after the other, until a replica can be opened.
   */
  private DataChecksum replicaChecksum(LocatedGroup group) throws IOException {
    IOException last = new IOException("No unit of group " + group.id() + " can be read");
    for (int unit = 0; unit < group.units(); unit++) {
      if (group.unit(unit) == null || group.unitBytes(unit) == 0) {
        continue;
      }
      try {
        return file.replicaChecksum(group, unit);
      } catch (IOException e) {
        last.addSuppressed(e);
      }
    }
    throw last;
  }
}
