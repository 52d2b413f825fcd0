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
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import org.apache.hadoop.ipc.RetriableException;
import org.hdfsppr.namenode.update.look.UpdateNamespace;

/**
 * The terms of one block group as they are in the namespace, and the new terms that one call gives.
 * {@link #write} writes the new ones only if those in the namespace have not changed since they
 * were read. The numbers of terms grow over the whole block pool: no two units ever have the same
 * one. Used by one thread.
 */
final class TermRecord {
  /** The attribute with the terms of a group; the group's directory has it. */
  static final String TERMS_XATTR = "hdfs-ppr.terms";
  /**
   * The attribute with the latest term of the block pool, 8 bytes; the root directory of all
   * records has it.
   */
  static final String LATEST_XATTR = "hdfs-ppr.latest-term";

  private final UpdateNamespace namespace;
  private final UpdateFolder folder;
  private final UUID file;
  private final int ordinal;
  private final byte[] before;
  private final GroupTerms known;
  final List<UnitTerm> changed = new ArrayList<>();
  private long latest = -1;

  private TermRecord(UpdateNamespace namespace, UpdateFolder folder, UUID file, int ordinal,
      byte[] before) throws IOException {
    this.namespace = namespace;
    this.folder = folder;
    this.file = file;
    this.ordinal = ordinal;
    this.before = before;
    this.known = before == null ? GroupTerms.NONE : GroupTerms.parse(before);
  }

  /**
   * Reads the record of a group.
   *
   * @param file the UUID of the file
   * @param ordinal the index of the group within the file
   * @throws IOException if the record cannot be read
   */
  static TermRecord read(UpdateNamespace namespace, UpdateFolder folder, UUID file, int ordinal)
      throws IOException {
    OptionalLong record = folder.find(file, ordinal);
    return new TermRecord(namespace, folder, file, ordinal, record.isPresent()
        ? namespace.attribute(record.getAsLong(), TERMS_XATTR).orElse(null) : null);
  }

  /** Returns the terms that the namespace had before this call. */
  GroupTerms terms() {
    return known;
  }

  /**
   * Returns the next unused term of the block pool. If {@link #write} is not called, it stays
   * unused.
   */
  long nextTerm() throws IOException {
    if (latest < 0) {
      latest = latest(namespace.attribute(folder.root(), LATEST_XATTR));
    }
    return ++latest;
  }

  /** Gives a unit a new term, whose number {@link #nextTerm} has returned. */
  void change(UnitTerm term) {
    changed.add(term);
  }

  /**
   * Writes the new terms, if there are any. They are on disk when this method returns.
   *
   * @param blockGroup the id of the block group now
   * @throws RetriableException if another NameNode has changed the terms since they were read
   */
  void write(long blockGroup) throws IOException {
    if (changed.isEmpty()) {
      return;
    }
    long root = folder.root();
    // The first new term has to be the one after the latest term that the namespace has now.
    Optional<byte[]> now = namespace.attribute(root, LATEST_XATTR);
    if (latest(now) != latest - changed.size()) {
      throw new RetriableException("Another NameNode gives terms; try again");
    }
    require(namespace.change(List.of(
        new UpdateNamespace.Change(root, LATEST_XATTR, now.orElse(null),
            ByteBuffer.allocate(Long.BYTES).putLong(latest).array()),
        new UpdateNamespace.Change(folder.make(file, ordinal), TERMS_XATTR, before,
            known.with(blockGroup, changed).toBytes()))));
  }

  private static long latest(Optional<byte[]> bytes) throws IOException {
    if (bytes.isPresent() && bytes.get().length != Long.BYTES) {
      throw new IOException("trusted." + LATEST_XATTR + " of " + UpdateNamespace.ROOT
          + " cannot be read; a newer hdfs-ppr may have written it");
    }
    return bytes.map(value -> ByteBuffer.wrap(value).getLong()).orElse(0L);
  }

  static void require(boolean isChanged) throws RetriableException {
    if (!isChanged) {
      throw new RetriableException("The records of updates have changed meanwhile; try again");
    }
  }
}
