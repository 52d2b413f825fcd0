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

import java.nio.ByteBuffer;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * The record that says that records are finalized, so that NameNodes seal those that they write.
 * Its content is the time since when, ms since 1970 (UTC), 8 bytes. It is an attribute of
 * {@code /.hdfs-ppr}, where each NameNode that becomes active finds it. This record is always
 * sealed itself: release 0.2.0 never has to read it.
 */
@InterfaceAudience.Private
public final class FinalizedMark {
  private FinalizedMark() {
  }

  /**
   * @param ms the time at which records are finalized, ms since 1970 (UTC)
   * @return the content of the record
   */
  public static byte[] of(long ms) {
    return ByteBuffer.allocate(Long.BYTES).putLong(ms).array();
  }

  /**
   * @param value the value of the attribute
   * @return since when records are finalized, ms since 1970 (UTC)
   * @throws BadRecordException if the format of the record is too old or too new, or if it is
   *     corrupt
   */
  public static long parse(byte[] value) throws BadRecordException {
    byte[] content = SealedRecord.open(SealedKind.FINALIZED, value);
    if (content.length != Long.BYTES) {
      throw new BadRecordException(BadRecordException.Why.CORRUPT, "trusted."
          + SealedKind.FINALIZED.attribute + " has " + content.length + " bytes, and not "
          + Long.BYTES);
    }
    return ByteBuffer.wrap(content).getLong();
  }
}
