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
package org.hdfsppr.namenode.version;

import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.namenode.record.BadRecordException;
import org.hdfsppr.namenode.record.SealedRecord;

/**
 * The form of some records as 0.2.0 writes them. A {@link SealedRecord} of such a record has it as
 * its content. First comes a line that names the kind, the version of its format, and a checksum
 * (CRC-32C) of the text; then comes the text.
 *
 * <pre>
 *   hdfs-ppr KIND 1 89abcdef\n
 *   {"path":"/ec/f", ...}
 * </pre>
 */
@InterfaceAudience.Private
public final class SealedText {
  private static final Pattern HEADER =
      Pattern.compile("hdfs-ppr ([a-z]+) ([0-9]{1,9}) ([0-9a-f]{8})");

  private SealedText() {
  }

  /**
   * @param kind the kind of record, in small letters
   * @param version version of the text's format
   * @param text the text
   * @return the bytes of the record
   */
  public static byte[] seal(String kind, int version, String text) {
    return ("hdfs-ppr " + kind + " " + version + " " + sum(text) + "\n" + text)
        .getBytes(StandardCharsets.UTF_8);
  }

  /**
   * @param kind the kind of record that the text has to be
   * @param oldest oldest version of the format that the caller can read
   * @param newest newest version of the format that the caller can read
   * @param record the bytes of a record
   * @return the text
   * @throws BadRecordException if the record is too old, too new, of another kind, or corrupt
   */
  public static String open(String kind, int oldest, int newest, byte[] record)
      throws BadRecordException {
    String all = new String(record, StandardCharsets.UTF_8);
    int end = all.indexOf('\n');
    Matcher header = HEADER.matcher(end < 0 ? all : all.substring(0, end));
    if (end < 0 || !header.matches() || !header.group(1).equals(kind)) {
      throw new BadRecordException(BadRecordException.Why.CORRUPT,
          "it does not begin as a record of the kind " + kind);
    }
    int version = Integer.parseInt(header.group(2));
    if (version > newest) {
      throw new BadRecordException(BadRecordException.Why.TOO_NEW, "its format is " + version
          + ", and this software knows formats up to " + newest);
    }
    if (version < oldest) {
      throw new BadRecordException(BadRecordException.Why.TOO_OLD, "its format is " + version
          + ", and this software knows formats from " + oldest);
    }
    String text = all.substring(end + 1);
    if (!sum(text).equals(header.group(3))) {
      throw new BadRecordException(BadRecordException.Why.CORRUPT,
          "its checksum does not fit its text");
    }
    return text;
  }

  private static String sum(String text) {
    CRC32C crc = new CRC32C();
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    crc.update(bytes, 0, bytes.length);
    return String.format("%08x", crc.getValue());
  }
}
