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

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.namenode.update.look.UpdateNamespace;
import org.hdfsppr.namenode.update.look.UpdateTag;

/**
 * The numbers of a file's commits: which one is next, and up to which one all logs are trimmed. The
 * record is an attribute of the directory of the file's terms, and not of the file itself: a commit
 * gives the file another inode, and a caller that still sees the old inode must not get a term with
 * an earlier epoch. Immutable.
 */
@InterfaceAudience.Private
public final class CommitRecord {
  /** The name of the attribute, without "trusted.". The directory of a file's terms has it. */
  public static final String XATTR = "hdfs-ppr.commits";
  private static final byte FORMAT = 1;
  private static final int BYTES = 1 + 2 * Long.BYTES;

  /** The epoch of terms that begin now: their updates belong to this commit or to a later one */
  public final long next;
  /** The last commit whose updates all holders have dropped from their logs; 0 if there is none */
  public final long trimmed;

  CommitRecord(long next, long trimmed) {
    if (next < 1 || trimmed < 0 || trimmed >= next) {
      throw new IllegalArgumentException("next commit " + next + ", trimmed " + trimmed);
    }
    this.next = next;
    this.trimmed = trimmed;
  }

  /** Reads the record of a file from the namespace; returns {@link #none} if there is no record. */
  static CommitRecord read(TicketParts parts, UpdateTag tag) throws IOException {
    OptionalLong directory = parts.folder.find(tag.file);
    Optional<byte[]> bytes = directory.isPresent()
        ? parts.namespace.attribute(directory.getAsLong(), XATTR) : Optional.empty();
    return bytes.isPresent() ? parse(bytes.get()) : none();
  }

  /** Returns the record of a file that was never committed. */
  static CommitRecord none() {
    return new CommitRecord(1, 0);
  }

  byte[] toBytes() {
    return ByteBuffer.allocate(BYTES).put(FORMAT).putLong(next).putLong(trimmed).array();
  }

  /**
   * Parses the value of the attribute.
   *
   * @throws IOException if a newer hdfs-ppr has written it, or if its numbers contradict each other
   */
  static CommitRecord parse(byte[] bytes) throws IOException {
    if (bytes.length != BYTES || bytes[0] != FORMAT) {
      throw new IOException("The extended attribute trusted." + XATTR + " in "
          + UpdateNamespace.ROOT + " cannot be read; a newer hdfs-ppr may have written it");
    }
    ByteBuffer in = ByteBuffer.wrap(bytes, 1, BYTES - 1);
    try {
      return new CommitRecord(in.getLong(), in.getLong());
    } catch (IllegalArgumentException e) {
      throw new IOException("The record of commits contradicts itself: " + e.getMessage(), e);
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof CommitRecord && next == ((CommitRecord) other).next
        && trimmed == ((CommitRecord) other).trimmed;
  }

  @Override
  public int hashCode() {
    return Objects.hash(next, trimmed);
  }

  @Override
  public String toString() {
    return "next commit " + next + ", trimmed to " + trimmed;
  }
}
