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
package org.apache.hadoop.hdfs.server.namenode;

import java.io.IOException;
import java.util.Arrays;
import org.hdfsppr.namenode.record.BadRecordException;
import org.hdfsppr.namenode.record.FinalizedMark;
import org.hdfsppr.namenode.record.RecordStore;
import org.hdfsppr.namenode.record.SealedKind;
import org.hdfsppr.namenode.record.SealedRecord;
import org.hdfsppr.namenode.version.VersionNamespace;

/**
 * Knows in which form records are written now: in the form of 0.2.0, or sealed, as soon as an
 * operator has finalized them. A mark in the namespace says that they are finalized. It is looked
 * up each time, because another NameNode may have set it. The caller holds the namesystem's lock.
 */
final class RecordForm {
  private final FSDirectory directory;

  RecordForm(FSDirectory directory) {
    this.directory = directory;
  }

  /**
   * Returns whether the mark for finalized records is in the namespace.
   *
   * @throws BadRecordException if the mark cannot be read, because a later version has written it;
   *     then no record may be written
   */
  private boolean isFinalized() throws IOException {
    INode top = directory.getINode(VersionNamespace.ROOT);
    byte[] mark = top == null ? null : content(top, SealedKind.FINALIZED.attribute);
    // A value of something else is no mark, and must not have records sealed.
    return mark != null && FinalizedMark.parse(mark) > 0;
  }

  /**
   * Returns the value of an attribute in the form in which it is written now.
   *
   * @param content the record in the form of 0.2.0; or, for an attribute that has no record, its
   *     value
   */
  byte[] written(String attribute, byte[] content) throws IOException {
    SealedKind kind = SealedKind.of(attribute).orElse(null);
    if (kind == null || kind != SealedKind.FINALIZED && !isFinalized()) {
      return content;
    }
    byte[] sealed = SealedRecord.seal(kind, content);
    // 0.2.0 takes a longer record for corrupt, and not for a later one, and would have an operator
    // delete what it belongs to.
    return sealed.length > SealedRecord.BYTES_MAX ? content : sealed;
  }

  /**
   * Returns the record in an attribute, in the form of 0.2.0; null if the inode does not have the
   * attribute.
   */
  static byte[] content(INode inode, String attribute) throws BadRecordException {
    try {
      return SealedRecord.open(attribute, NamespaceMembers.value(inode, attribute));
    } catch (BadRecordException e) {
      throw new BadRecordException(e.why, inode.getFullPathName() + ": " + e.getMessage());
    }
  }

  /**
   * Returns whether an attribute still has the value that a caller has read before, see {@link
   * RecordStore.Change#before}.
   */
  static boolean isAsKnown(INode inode, String attribute, byte[] before)
      throws BadRecordException {
    // The unchanged bytes are compared first, because a caller may be about to replace a record
    // that cannot be read.
    return Arrays.equals(NamespaceMembers.value(inode, attribute), before)
        || before != null && Arrays.equals(content(inode, attribute), before);
  }
}
