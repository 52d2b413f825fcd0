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
package org.hdfsppr.client.device;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Encodes and decodes the file that marks a directory as a device. It is JSON:
 * {@code {"format":1,"size":N,"object":N}}, with the sizes of the device and of an object in bytes.
 * {@link DeviceMaker} writes it after all objects.
 */
final class DeviceRecord {
  static final String NAME = "_device";
  /** How many bytes of the file are read at most. */
  static final int BYTES_MOST = 4096;

  private static final int FORMAT = 1;
  private static final String FORMAT_FIELD = "format";
  private static final String SIZE_FIELD = "size";
  private static final String OBJECT_FIELD = "object";

  private DeviceRecord() {
  }

  static byte[] encode(DeviceLayout layout) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put(FORMAT_FIELD, FORMAT);
    fields.put(SIZE_FIELD, layout.size);
    fields.put(OBJECT_FIELD, layout.objectBytes);
    try {
      return new ObjectMapper().writeValueAsBytes(fields);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * @throws IOException if these bytes are no record, or one of a format that this version of
   *     hdfs-ppr does not know
   */
  static DeviceLayout decode(byte[] bytes) throws IOException {
    JsonNode fields = new ObjectMapper().readTree(bytes);
    if (fields == null || !fields.path(FORMAT_FIELD).isInt()) {
      throw new IOException("it is no record of a device");
    }
    if (fields.path(FORMAT_FIELD).asInt() != FORMAT) {
      throw new IOException("it has format " + fields.path(FORMAT_FIELD).asInt()
          + ", which a later version has written");
    }
    if (!fields.path(SIZE_FIELD).canConvertToLong()
        || !fields.path(OBJECT_FIELD).canConvertToLong()) {
      throw new IOException("it lacks a size");
    }
    try {
      return new DeviceLayout(fields.path(SIZE_FIELD).asLong(),
          fields.path(OBJECT_FIELD).asLong());
    } catch (IllegalArgumentException e) {
      throw new IOException(e.getMessage(), e);
    }
  }
}
