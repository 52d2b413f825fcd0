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

import java.io.IOException;
import java.util.Locale;
import java.util.Map;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.record.RecordFile;

/** Holds sealed records, and what their readers make of damaged ones, against a file. */
@InterfaceAudience.Private
public final class SealedRecordFile {
  private SealedRecordFile() {
  }

  /**
   * Compares sealed records with the file of their kind.
   *
   * @param reader reads a value in either form, and returns the record in the form of 0.2.0
   * @param contents by name, the records in the form of 0.2.0
   */
  public static void check(SealedKind kind, RecordFile.Again reader,
      Map<String, byte[]> contents) throws IOException {
    String name = kind.name().toLowerCase(Locale.ROOT).replace('_', '-');
    RecordFile file = RecordFile.of("sealed-" + name, "trusted." + kind.attribute
        + ", when records are finalized", bytes -> SealedRecord.seal(kind, reader.again(bytes)));
    contents.forEach((what, content) -> file.record(what, SealedRecord.seal(kind, content)));
    byte[] first = contents.values().iterator().next();
    file.given("of a later form", SealedRecord.seal(kind, SealedRecord.VERSION + 1, first))
        .given("of no form", SealedRecord.seal(kind, 0, first))
        .given("as 0.2.0 wrote it", first)
        .check();
  }
}
