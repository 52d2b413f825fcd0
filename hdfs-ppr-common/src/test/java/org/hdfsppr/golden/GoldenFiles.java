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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.ipc.ProtocolInfo;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.Descriptor;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.FieldDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.FileDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.junit.jupiter.api.Test;

/**
 * Are there samples of each message with each of its fields? A field that is added to a proto file
 * fails here until a sample has it.
 */
@InterfaceAudience.Private
public abstract class GoldenFiles {
  private static final String SUFFIX = ".txt";

  private final ProtoFiles protos;
  private final List<String> folders;
  private final String prefix;
  private final List<Class<?>> protocols;

  /**
   * @param protos the proto files of a jar
   * @param folders the folders of golden files with samples of their messages
   * @param prefix begins the names of golden files that list fields and messages
   * @param protocols the jar's protocols of Hadoop's RPC
   */
  protected GoldenFiles(ProtoFiles protos, List<String> folders, String prefix,
      Class<?>... protocols) {
    this.protos = protos;
    this.folders = folders;
    this.prefix = prefix;
    this.protocols = List.of(protocols);
  }

  /** How often fields are in messages that our code writes. */
  private static final class Usage {
    private final Set<FieldDescriptor> set = new HashSet<>();
    private final Set<FieldDescriptor> unset = new HashSet<>();
    private final Set<Descriptor> types = new HashSet<>();

    void add(Message message) {
      Descriptor type = message.getDescriptorForType();
      types.add(type);
      for (FieldDescriptor field : type.getFields()) {
        (message.getAllFields().containsKey(field) ? set : unset).add(field);
      }
      message.getAllFields().forEach((field, value) -> {
        for (Object one : field.isRepeated() ? (List<?>) value : List.of(value)) {
          MessageText.nested(message, field, one).ifPresent(this::add);
        }
      });
    }
  }

  private Usage usage() throws Exception {
    Usage usage = new Usage();
    Map<String, Message> types = ProtoFiles.types();
    List<Path> files = new ArrayList<>();
    for (String folder : folders) {
      try (Stream<Path> all = Files.list(Golden.directory().resolve(folder))) {
        all.sorted().forEach(files::add);
      }
    }
    for (Path file : files) {
      assertTrue(file.toString().endsWith(SUFFIX), file + " is no golden file");
      for (GoldenSection section : GoldenSection.read(file).values()) {
        if (section.title.startsWith(GoldenSection.WRITTEN)) {
          for (Map.Entry<String, byte[]> message : section.messages()) {
            usage.add(types.get(message.getKey()).getParserForType()
                .parseFrom(message.getValue()));
          }
        }
      }
    }
    return usage;
  }

  private List<FieldDescriptor> fields() {
    return protos.files().stream().flatMap(file -> file.getMessageTypes().stream())
        .flatMap(type -> type.getFields().stream()).collect(Collectors.toList());
  }

  private List<String> lines(String name) throws IOException {
    return Files.readAllLines(Golden.directory().resolve(prefix + name), StandardCharsets.UTF_8);
  }

  /** The file never-written.txt has a field and the reason in each line. */
  @Test
  public void eachFieldIsInASample() throws Exception {
    Usage usage = usage();
    Map<String, String> excused = new TreeMap<>();
    for (String line : lines("never-written.txt")) {
      if (!line.startsWith("#")) {
        String[] parts = line.split(": ", 2);
        excused.put(parts[0], parts[1]);
      }
    }
    Set<String> missing = new TreeSet<>();
    for (FieldDescriptor field : fields()) {
      if (!usage.set.contains(field)) {
        missing.add(field.getFullName());
      }
    }
    assertEquals(String.join("\n", excused.keySet()), String.join("\n", missing),
        "Fields that no sample has, and that never-written.txt excuses. Add a sample for a new"
            + " field, with what our code writes.");
    for (FileDescriptor file : protos.files()) {
      for (Descriptor type : file.getMessageTypes()) {
        assertTrue(usage.types.contains(type), "No sample of " + type.getFullName());
      }
    }
  }

  /**
   * Optional fields, and lists, that are there in all samples. Either our code always writes them,
   * or a sample without them is missing.
   */
  @Test
  public void eachOptionalFieldIsMissingInASample() throws Exception {
    Usage usage = usage();
    GoldenLines.check(prefix + "always-written.txt", fields().stream()
        .filter(field -> !field.isRequired() && usage.set.contains(field)
            && !usage.unset.contains(field))
        .map(FieldDescriptor::getFullName).sorted().collect(Collectors.toList()));
  }

  @Test
  public void messagesAndServicesStay() throws IOException {
    List<String> lines = new ArrayList<>();
    for (FileDescriptor file : protos.files()) {
      lines.addAll(DescriptorText.lines(file));
    }
    for (Class<?> protocol : protocols) {
      ProtocolInfo info = protocol.getAnnotation(ProtocolInfo.class);
      lines.add("protocol " + info.protocolName() + " version " + info.protocolVersion());
    }
    GoldenLines.check(prefix + "descriptors.txt", lines);
  }

  /**
   * Messages of 0.2.0 that no later version has: targets below the root of a tree. A node refuses
   * requests that have them, by the feature bit that these set. No field takes their number, which
   * the file of the messages reserves.
   */
  private static final Set<String> GONE = Set.of("message org.hdfsppr.wire.InnerTargetProto",
      "message org.hdfsppr.wire.FinaliseProto", "message org.hdfsppr.wire.TargetOutcomeProto",
      "message org.hdfsppr.wire.TargetOutcomesProto",
      "  optional org.hdfsppr.wire.InnerTargetProto inner_target = 4");

  /** Other fields and calls of 0.2.0 are neither taken away nor changed. Others may come. */
  @Test
  public void whatTheOldVersionKnowsStays() {
    Map<String, List<String>> now = new TreeMap<>();
    for (FileDescriptor file : protos.files()) {
      List<String> fields = null;
      for (String line : DescriptorText.lines(file)) {
        if (line.startsWith("  ")) {
          fields.add(line);
        } else {
          fields = new ArrayList<>();
          now.put(line, fields);
        }
      }
    }
    OldDescriptors.known(prefix).forEach((type, fields) -> {
      if (GONE.contains(type)) {
        assertFalse(now.containsKey(type), type);
        return;
      }
      List<String> gone = new ArrayList<>(fields);
      gone.removeAll(now.getOrDefault(type, List.of()));
      gone.removeAll(GONE);
      assertEquals(List.of(), gone, type);
      // A required field that comes later breaks each message of an older peer.
      List<String> come = new ArrayList<>(now.get(type));
      come.removeAll(fields);
      come.removeIf(line -> !line.startsWith("  required "));
      assertEquals(List.of(), come, type);
    });
  }
}
