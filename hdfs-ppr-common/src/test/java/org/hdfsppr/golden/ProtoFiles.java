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

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.Descriptor;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.FieldDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.FileDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Internal;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.hdfsppr.manage.proto.ManagerProtos;
import org.hdfsppr.manage.proto.ManagerProtos.ScrubProto;
import org.hdfsppr.wire.proto.PprProtos;

/**
 * The proto files of one jar, and the messages that its fields of bytes have. Tests of another jar
 * add theirs as a service of this type.
 */
@InterfaceAudience.Private
public class ProtoFiles {
  static final ProtoFiles OF_REPAIRS = ofRepairs();

  private final Map<Class<?>, FileDescriptor> files = new LinkedHashMap<>();
  private final Map<String, Message> bodies = new HashMap<>();
  private final Map<FieldDescriptor, Message> nested = new HashMap<>();

  protected ProtoFiles() {
  }

  private static ProtoFiles ofRepairs() {
    ProtoFiles files = new ProtoFiles();
    files.file(PprProtos.class, PprProtos.getDescriptor());
    files.file(ManagerProtos.class, ManagerProtos.getDescriptor());
    files.body("scrub", ScrubProto.getDefaultInstance());
    return files;
  }

  private static List<ProtoFiles> all() {
    List<ProtoFiles> all = new ArrayList<>(List.of(OF_REPAIRS));
    ServiceLoader.load(ProtoFiles.class, ProtoFiles.class.getClassLoader()).forEach(all::add);
    return all;
  }

  /** Adds a file, by the class that protoc makes of it. */
  protected final void file(Class<?> type, FileDescriptor file) {
    files.put(type, file);
  }

  /** Adds the body of a kind of commands. */
  protected final void body(String kind, Message type) {
    bodies.put(kind, type);
  }

  /** Adds a field of bytes that has a message. */
  protected final void nested(Message parent, String field, Message type) {
    nested.put(parent.getDescriptorForType().findFieldByName(field), type);
  }

  List<FileDescriptor> files() {
    return new ArrayList<>(files.values());
  }

  /** Returns an empty message of the body of a kind of commands, or null. */
  static Message body(String kind) {
    return all().stream().map(each -> each.bodies.get(kind)).filter(type -> type != null)
        .findFirst().orElse(null);
  }

  /** Returns an empty message of the type that a field of bytes has, or null. */
  static Message nested(FieldDescriptor field) {
    return all().stream().map(each -> each.nested.get(field)).filter(type -> type != null)
        .findFirst().orElse(null);
  }

  /** Returns an empty message of each type of all jars, by the type's full name. */
  static Map<String, Message> types() throws ReflectiveOperationException {
    Map<String, Message> types = new LinkedHashMap<>();
    for (ProtoFiles each : all()) {
      for (Map.Entry<Class<?>, FileDescriptor> file : each.files.entrySet()) {
        for (Descriptor type : file.getValue().getMessageTypes()) {
          types.put(type.getFullName(), Internal.getDefaultInstance(Class.forName(
              file.getKey().getName() + "$" + type.getName()).asSubclass(Message.class)));
        }
      }
    }
    return types;
  }
}
