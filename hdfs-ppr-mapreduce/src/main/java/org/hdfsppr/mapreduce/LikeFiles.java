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
import java.util.Comparator;
import java.util.Objects;
import org.apache.hadoop.io.WritableComparable;
import org.apache.hadoop.io.WritableComparator;
import org.apache.hadoop.mapreduce.Partitioner;

/**
 * The key of a file. All files of one directory, policy and block size come to one call of {@code
 * reduce}, sorted by their length, the longest first. The planner of CORE groups needs them in this
 * order. So a reducer can plan a part of these files at a time, and holds only this part in memory.
 */
final class LikeFiles implements WritableComparable<LikeFiles> {
  private static final Comparator<LikeFiles> TOGETHER =
      Comparator.<LikeFiles>comparingLong(key -> key.directoryId)
          .thenComparing(key -> key.policy)
          .thenComparingLong(key -> key.blockBytes);
  private static final Comparator<LikeFiles> IN_ORDER =
      TOGETHER.thenComparing(Comparator.<LikeFiles>comparingLong(key -> key.length).reversed())
          .thenComparingLong(key -> key.fileId);

  private long directoryId;
  private String policy = "";
  private long blockBytes;
  private long length;
  private long fileId;

  /** Makes an empty key, which {@link #readFields} fills. */
  LikeFiles() {
  }

  LikeFiles(long directoryId, String policy, long blockBytes, long length, long fileId) {
    this.directoryId = directoryId;
    this.policy = policy;
    this.blockBytes = blockBytes;
    this.length = length;
    this.fileId = fileId;
  }

  long directoryId() {
    return directoryId;
  }

  String policy() {
    return policy;
  }

  long length() {
    return length;
  }

  long fileId() {
    return fileId;
  }

  @Override
  public void write(DataOutput out) throws IOException {
    out.writeLong(directoryId);
    out.writeUTF(policy);
    out.writeLong(blockBytes);
    out.writeLong(length);
    out.writeLong(fileId);
  }

  @Override
  public void readFields(DataInput in) throws IOException {
    directoryId = in.readLong();
    policy = in.readUTF();
    blockBytes = in.readLong();
    length = in.readLong();
    fileId = in.readLong();
  }

  @Override
  public int compareTo(LikeFiles other) {
    return IN_ORDER.compare(this, other);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof LikeFiles && compareTo((LikeFiles) other) == 0;
  }

  @Override
  public int hashCode() {
    return Objects.hash(directoryId, policy, blockBytes, length, fileId);
  }

  /**
   * The order by which Hadoop decides which files come to one call of {@code reduce}: all files
   * whose directory, policy and block size are equal.
   */
  static final class Together extends WritableComparator {
    Together() {
      super(LikeFiles.class, true);
    }

    @Override
    @SuppressWarnings("rawtypes") // Hadoop's method has them.
    public int compare(WritableComparable one, WritableComparable other) {
      return TOGETHER.compare((LikeFiles) one, (LikeFiles) other);
    }
  }

  /** Sends all files whose directory, policy and block size are equal to the same reducer. */
  static final class Spread extends Partitioner<LikeFiles, FileFact> {
    @Override
    public int getPartition(LikeFiles key, FileFact fact, int partitions) {
      return Math.floorMod(Objects.hash(key.directoryId, key.policy, key.blockBytes), partitions);
    }
  }
}
