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
package org.hdfsppr.it.util;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.function.BiFunction;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Writes JSON files. Another process that reads the file sees either the whole old or the whole new
 * content.
 */
@InterfaceAudience.Private
public final class JsonFile {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private JsonFile() {
  }

  /**
   * Writes one document.
   *
   * @param file the file to write
   * @param content the document
   * @throws IOException if the file cannot be written
   */
  public static void write(Path file, JsonNode content) throws IOException {
    Path whole = file.toAbsolutePath().resolveSibling(file.getFileName() + ".new");
    Files.createDirectories(whole.getParent());
    Files.writeString(whole,
        MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(content) + "\n");
    Files.move(whole, file, StandardCopyOption.REPLACE_EXISTING);
  }

  /**
   * Writes an array with one object per record.
   *
   * @param file the file to write
   * @param records the records, in their order
   * @param toJson converts a record to an object
   * @param <R> the type of records
   * @throws IOException if the file cannot be written
   */
  public static <R> void writeRows(Path file, List<R> records,
      BiFunction<? super R, ObjectMapper, ? extends JsonNode> toJson) throws IOException {
    ArrayNode rows = MAPPER.createArrayNode();
    records.forEach(record -> rows.add(toJson.apply(record, MAPPER)));
    write(file, rows);
  }
}
