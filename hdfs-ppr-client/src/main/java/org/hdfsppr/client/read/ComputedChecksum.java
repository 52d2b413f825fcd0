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
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.zip.Checksum;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.fs.CompositeCrcFileChecksum;
import org.apache.hadoop.fs.FileChecksum;
import org.apache.hadoop.fs.MD5MD5CRC32CastagnoliFileChecksum;
import org.apache.hadoop.fs.MD5MD5CRC32GzipFileChecksum;
import org.apache.hadoop.fs.Options.ChecksumCombineMode;
import org.apache.hadoop.io.DataOutputBuffer;
import org.apache.hadoop.io.MD5Hash;
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

  /**
   * Computes the checksum of a striped file from its bytes. Hadoop computes the same checksum from
   * the CRCs that DataNodes hold (FileChecksumHelper, BlockChecksumHelper), but Hadoop's way fails
   * while units are lost. Used by one thread.
   */
  public static final class StripedChecksum {
    private final DataChecksum.Type type;
    private final int bytesPerChecksum;
    private final int dataUnits;
    private final int cellBytes;
    private final Checksum all;
    private final DataOutputBuffer groups = new DataOutputBuffer();
    private Unit[] units;
    private long groupBytes;
    private long crcsPerUnit = -1;
    private int groupsSeen;

    /**
     * @param checksum the type and chunk size of the replicas' checksums
     * @param dataUnits k
     * @param cellBytes bytes of a cell
     * @throws IOException if the replicas' checksums are neither CRC32 nor CRC32C
     */
    public StripedChecksum(DataChecksum checksum, int dataUnits, int cellBytes)
        throws IOException {
      this.type = checksum.getChecksumType();
      this.bytesPerChecksum = checksum.getBytesPerChecksum();
      this.dataUnits = dataUnits;
      this.cellBytes = cellBytes;
      this.all = newCrc();
    }

    private DataChecksum newCrc() throws IOException {
      if (type != DataChecksum.Type.CRC32 && type != DataChecksum.Type.CRC32C) {
        throw new IOException("Replicas with checksums of type " + type
            + " have no file checksum");
      }
      return DataChecksum.newDataChecksum(type, bytesPerChecksum);
    }

    /**
     * Makes a new digest. Hadoop's shared MD5 digest exists once per thread, but this class needs
     * one for each data unit at the same time.
     */
    private static MessageDigest newMd5() throws IOException {
      try {
        return MessageDigest.getInstance("MD5");
      } catch (NoSuchAlgorithmException e) {
        throw new IOException("This JVM has no MD5", e);
      }
    }

    /** Computes the CRCs of one unit's chunks, and the MD5 of these CRCs. */
    private final class Unit {
      private final MessageDigest digest = newMd5();
      private final DataChecksum crc = newCrc();
      private int inChunk;
      private long crcs;

      Unit() throws IOException {
        // The constructor is declared because the initialisers of the fields may throw an
        // IOException.
      }

      void update(byte[] bytes, int offset, int length) {
        int done = 0;
        while (done < length) {
          int some = Math.min(length - done, bytesPerChecksum - inChunk);
          crc.update(bytes, offset + done, some);
          done += some;
          inChunk += some;
          if (inChunk == bytesPerChecksum) {
            endChunk();
          }
        }
      }

      private void endChunk() {
        int value = (int) crc.getValue();
        digest.update(new byte[] {(byte) (value >>> 24), (byte) (value >>> 16),
            (byte) (value >>> 8), (byte) value});
        crc.reset();
        inChunk = 0;
        crcs++;
      }

      byte[] end() {
        if (inChunk > 0) {
          endChunk();
        }
        return digest.digest();
      }
    }

    /**
     * Adds the next bytes of the current group.
     *
     * @param bytes in the order of the file
     * @param length how many bytes
     * @throws IOException if this JVM has no MD5
     */
    public void update(byte[] bytes, int length) throws IOException {
      all.update(bytes, 0, length);
      if (units == null) {
        units = new Unit[dataUnits];
        for (int i = 0; i < dataUnits; i++) {
          units[i] = new Unit();
        }
      }
      int done = 0;
      while (done < length) {
        int unit = (int) (groupBytes / cellBytes % dataUnits);
        int some = (int) Math.min(length - done, cellBytes - groupBytes % cellBytes);
        units[unit].update(bytes, done, some);
        done += some;
        groupBytes += some;
      }
    }

    /**
     * Finishes the current group. The caller must have added all bytes of the group that belong to
     * the checksum.
     *
     * @throws IOException if this JVM has no MD5
     */
    public void endGroup() throws IOException {
      DataOutputBuffer digests = new DataOutputBuffer();
      for (int i = 0; i < dataUnits && (long) i * cellBytes < groupBytes; i++) {
        new MD5Hash(units[i].end()).write(digests);
        if (crcsPerUnit < 0) {
          crcsPerUnit = units[i].crcs;
        }
      }
      // Hadoop hashes the whole array of the buffer, which is longer than the buffer's content and
      // has zeros behind it. This class has to hash the same bytes.
      MD5Hash.digest(digests.getData()).write(groups);
      units = null;
      groupBytes = 0;
      groupsSeen++;
    }

    /** @return the MD5 of MD5s of CRCs, which is Hadoop's default checksum */
    public FileChecksum md5() {
      MD5Hash md5 = MD5Hash.digest(groups.getData());
      long crcs = groupsSeen > 1 ? crcsPerUnit : 0;
      return type == DataChecksum.Type.CRC32
          ? new MD5MD5CRC32GzipFileChecksum(bytesPerChecksum, crcs, md5)
          : new MD5MD5CRC32CastagnoliFileChecksum(bytesPerChecksum, crcs, md5);
    }

    /** @return the CRC of all bytes */
    public FileChecksum composite() {
      return new CompositeCrcFileChecksum((int) all.getValue(), type, bytesPerChecksum);
    }
  }
}
