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
package org.hdfsppr.golden;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.FieldDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Message;

/** What 0.2.0 knows, as it was written down from its jars. */
@InterfaceAudience.Private
final class OldDescriptors {
  /** Begins the name of the file that the jar of versions and updates has. */
  private static final String FILES = "files-";
  /** Lines of a message or a service, by its line. */
  private static final Map<String, List<String>> KNOWN = new LinkedHashMap<>();

  static {
    KNOWN.putAll(known(""));
    KNOWN.putAll(known(FILES));
  }

  private OldDescriptors() {
  }

  /** Returns the lines of each message and service in a file; empty if there is no file. */
  static Map<String, List<String>> known(String prefix) {
    Map<String, List<String>> known = new LinkedHashMap<>();
    InputStream file = OldDescriptors.class.getResourceAsStream(
        "/golden/" + prefix + "descriptors-0.2.0.txt");
    if (file == null) {
      return known;
    }
    try (BufferedReader in =
        new BufferedReader(new InputStreamReader(file, StandardCharsets.UTF_8))) {
      List<String> fields = new ArrayList<>();
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        if (!line.startsWith("  ")) {
          fields = new ArrayList<>();
          known.put(line, fields);
        } else {
          fields.add(line);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return known;
  }

  private static boolean knows(FieldDescriptor field) {
    String number = " = " + field.getNumber();
    return KNOWN.getOrDefault("message " + field.getContainingType().getFullName(), List.of())
        .stream().anyMatch(line -> line.endsWith(number) || line.contains(number + " "));
  }

  /** Returns the fields of a message, and of those in it, that 0.2.0 passes over. */
  static List<String> unknown(Message message) {
    Set<String> unknown = new LinkedHashSet<>();
    collect(message, unknown);
    return new ArrayList<>(unknown);
  }

  private static void collect(Message message, Set<String> unknown) {
    if (!message.getDescriptorForType().getFullName().startsWith("org.hdfsppr.")) {
      return;
    }
    message.getAllFields().forEach((field, value) -> {
      if (!knows(field)) {
        unknown.add(field.getContainingType().getName() + "." + field.getName());
      } else {
        List<?> all = field.isRepeated() ? (List<?>) value : List.of(value);
        all.forEach(one -> MessageText.nested(message, field, one)
            .ifPresent(nested -> collect(nested, unknown)));
      }
    });
  }
}
