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
import org.apache.hadoop.io.DataOutputBuffer;
import org.apache.hadoop.io.MD5Hash;
import org.apache.hadoop.util.DataChecksum;

/**
 * Computes the checksum of a striped file from its bytes. Hadoop computes the same checksum from
 * the CRCs that DataNodes hold (FileChecksumHelper, BlockChecksumHelper), but Hadoop's way fails
 * while units are lost. Used by one thread.
 */
@InterfaceAudience.Private
public final class StripedChecksum {
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
   * Makes a new digest. Hadoop's shared digest exists once per thread, but this class needs several
   * at a time.
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
    // Hadoop digests the whole buffer, including the zeros behind the digests, so this class has to
    // do the same.
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
