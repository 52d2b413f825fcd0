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
 * The terms of one block group as the namespace has them, and the new terms that one call gives.
 * {@link #write} stores the new terms only if the namespace still has the same ones. Terms grow
 * over the whole block pool. Used by one thread.
 */
final class TermRecord {
  /** The attribute of a group's directory. */
  static final String TERMS_XATTR = "hdfs-ppr.terms";
  /** The attribute of the root of all records: the latest term of the block pool, 8 bytes. */
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
   * @param ordinal the number of the group within the file
   * @throws IOException if the record cannot be read
   */
  static TermRecord read(UpdateNamespace namespace, UpdateFolder folder, UUID file, int ordinal)
      throws IOException {
    OptionalLong record = folder.find(file, ordinal);
    return new TermRecord(namespace, folder, file, ordinal, record.isPresent()
        ? namespace.attribute(record.getAsLong(), TERMS_XATTR).orElse(null) : null);
  }

  /** Returns the terms before this call. */
  GroupTerms terms() {
    return known;
  }

  /** Returns the next term of the block pool. No term is used up before {@link #write}. */
  long nextTerm() throws IOException {
    if (latest < 0) {
      latest = latest(namespace.attribute(folder.root(), LATEST_XATTR));
    }
    return ++latest;
  }

  /** Gives a unit a term of {@link #nextTerm}. */
  void change(UnitTerm term) {
    changed.add(term);
  }

  /**
   * Writes the changes, if there are any. They are on disk when this returns.
   *
   * @param blockGroup the id of the block group now
   * @throws RetriableException if another NameNode has changed the records meanwhile
   */
  void write(long blockGroup) throws IOException {
    if (changed.isEmpty()) {
      return;
    }
    long root = folder.root();
    // The new terms have to follow the latest term that the namespace has now.
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
