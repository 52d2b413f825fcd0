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
package org.hdfsppr.namenode.web;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.zip.CRC32;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * A JSON document that is written anew for each viewer, because it is short.
 *
 * @param <T> the state that the document shows
 */
@InterfaceAudience.Private
public abstract class ShortDocument<T> implements PageSource {
  private final String path;
  private final Supplier<T> state;

  /**
   * @param path the path below {@code /ppr}
   * @param state returns the present state, which the document shows
   */
  protected ShortDocument(String path, Supplier<T> state) {
    this.path = path;
    this.state = Objects.requireNonNull(state, path);
  }

  /**
   * Writes the fields of the document. Its first field, {@code version}, is written already.
   *
   * @param what the state to show
   * @param json the generator, within the document's object
   * @throws IOException if {@code json} throws it
   */
  protected abstract void write(T what, JsonGenerator json) throws IOException;

  @Override
  public final Optional<PageResponse> find(String wanted) {
    if (!path.equals(wanted)) {
      return Optional.empty();
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (JsonGenerator json = JsonText.to(out)) {
      json.writeStartObject();
      json.writeNumberField("version", 1);
      write(state.get(), json);
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    // The ETag is the length and a checksum of the text. The text is short, so that this costs
    // little.
    byte[] text = out.toByteArray();
    CRC32 sum = new CRC32();
    sum.update(text, 0, text.length);
    return Optional.of(PageResponse.json(text.length + "-" + Long.toHexString(sum.getValue()),
        text));
  }
}
