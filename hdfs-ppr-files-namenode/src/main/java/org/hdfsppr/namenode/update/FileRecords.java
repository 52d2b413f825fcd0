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
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.hdfsppr.namenode.record.BadRecordException;
import org.hdfsppr.namenode.update.look.UpdateNamespace;
import org.hdfsppr.namenode.update.look.UpdateTag;
import org.hdfsppr.operate.FileIdentity;

/**
 * For each updated file, keeps a record in a directory of its own: the inode of the file, or since
 * when the file is gone. A commit gives the file another inode, and changes the record and the
 * file's tag in one atomic step. Used by one thread.
 */
final class FileRecords {
  /**
   * The attribute that says since when the file is gone: ms since 1970 (UTC), 8 bytes. If a record
   * has it, the NameNode orders DataNodes to drop the file's updates.
   */
  static final String GONE_XATTR = "hdfs-ppr.gone-since";
  /**
   * The attribute with the inode that the file had when it got its tag, 8 bytes. A reader that
   * opened the file before its first update knows only this inode. By it, the reader recognizes the
   * file after commits have given it other inodes.
   */
  static final String FIRST_XATTR = "hdfs-ppr.first-inode";

  private final UpdateNamespace namespace;
  private final UpdateFolder folder;

  FileRecords(UpdateNamespace namespace, UpdateFolder folder) {
    this.namespace = namespace;
    this.folder = folder;
  }

  /**
   * Returns the inodes that a file may have: one, or two after a commit; none if the file has no
   * record.
   */
  List<Long> inodes(UUID file) throws IOException {
    OptionalLong directory = folder.find(file);
    byte[] value = !directory.isPresent() ? null
        : namespace.attribute(directory.getAsLong(), UpdateNamespace.FILE_XATTR).orElse(null);
    if (value != null && value.length != Long.BYTES && value.length != 2 * Long.BYTES) {
      throw unreadable(file, UpdateNamespace.FILE_XATTR);
    }
    List<Long> inodes = new ArrayList<>();
    for (ByteBuffer in = ByteBuffer.wrap(value == null ? new byte[0] : value);
        in.hasRemaining();) {
      inodes.add(in.getLong());
    }
    return inodes;
  }

  private static BadRecordException unreadable(UUID file, String name) {
    return new BadRecordException(BadRecordException.Why.TOO_NEW, "trusted." + name + " of "
        + UpdateNamespace.ROOT + "/" + file
        + " cannot be read; a newer hdfs-ppr may have written it");
  }

  /** Returns since when a file is gone; empty if it is not. */
  OptionalLong goneSince(UUID file) throws IOException {
    return number(file, GONE_XATTR);
  }

  private OptionalLong number(UUID file, String name) throws IOException {
    OptionalLong directory = folder.find(file);
    byte[] value = !directory.isPresent() ? null
        : namespace.attribute(directory.getAsLong(), name).orElse(null);
    if (value != null && value.length != Long.BYTES) {
      throw unreadable(file, name);
    }
    return value == null ? OptionalLong.empty()
        : OptionalLong.of(ByteBuffer.wrap(value).getLong());
  }

  /**
   * Returns the identity by which readers recognize a file, although each commit gives it another
   * inode.
   */
  FileIdentity identity(UpdateTag tag) throws IOException {
    Set<Long> inodes = new TreeSet<>(List.of(tag.inodeId));
    if (tag.committed > 0) {
      // A record that an earlier release has written lacks this attribute.
      number(tag.file, FIRST_XATTR).ifPresent(inodes::add);
    }
    return FileIdentity.of(tag.file, inodes);
  }

  private static byte[] bytes(long number) {
    return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
  }

  /** Gives a file its first tag, and a record that names its inode. */
  void tag(UpdateTag tag) throws IOException {
    long directory = folder.make(tag.file);
    TermRecord.require(namespace.change(List.of(
        new UpdateNamespace.Change(directory, UpdateNamespace.FILE_XATTR, null,
            bytes(tag.inodeId)),
        new UpdateNamespace.Change(directory, FIRST_XATTR, null, bytes(tag.inodeId)),
        new UpdateNamespace.Change(tag.inodeId, UpdateTag.XATTR, null, tag.toBytes()))));
  }

  /**
   * Removes the tag of a file whose logs have no updates, and records the file as gone, so that
   * DataNodes forget it.
   */
  void untag(UpdateTag tag, long nowMs) throws IOException {
    TermRecord.require(namespace.change(List.of(
        new UpdateNamespace.Change(tag.inodeId, UpdateTag.XATTR, tag.toBytes(), null),
        new UpdateNamespace.Change(folder.make(tag.file), GONE_XATTR, null, bytes(nowMs)))));
  }

  /** Sets the time in a record that says that a file is gone, but has 0 for the time. */
  void stamp(UUID file, long nowMs) throws IOException {
    TermRecord.require(namespace.change(List.of(new UpdateNamespace.Change(folder.make(file),
        GONE_XATTR, bytes(0), bytes(nowMs)))));
  }

  /** Records that a file is gone, because the NameNode has no inode of it any more. */
  void gone(UUID file, long nowMs) throws IOException {
    TermRecord.require(namespace.change(List.of(new UpdateNamespace.Change(folder.make(file),
        GONE_XATTR, null, bytes(nowMs)))));
  }
}
