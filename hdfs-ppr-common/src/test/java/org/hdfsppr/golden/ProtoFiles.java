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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.Descriptor;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.FileDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Internal;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.hdfsppr.column.proto.ColumnProtos;
import org.hdfsppr.manage.proto.ManagerProtos;
import org.hdfsppr.operate.proto.ClientProtos;
import org.hdfsppr.update.append.proto.UpdateProtos;
import org.hdfsppr.update.view.proto.ViewProtos;
import org.hdfsppr.wire.proto.PprProtos;

/** All proto files. */
@InterfaceAudience.Private
final class ProtoFiles {
  private static final Map<Class<?>, FileDescriptor> FILES = new LinkedHashMap<>();

  static {
    FILES.put(PprProtos.class, PprProtos.getDescriptor());
    FILES.put(ManagerProtos.class, ManagerProtos.getDescriptor());
    FILES.put(ClientProtos.class, ClientProtos.getDescriptor());
    FILES.put(ColumnProtos.class, ColumnProtos.getDescriptor());
    FILES.put(UpdateProtos.class, UpdateProtos.getDescriptor());
    FILES.put(ViewProtos.class, ViewProtos.getDescriptor());
  }

  private ProtoFiles() {
  }

  static List<FileDescriptor> files() {
    return new ArrayList<>(FILES.values());
  }

  /** Returns an empty message of each type, by the type's full name. */
  static Map<String, Message> types() throws ReflectiveOperationException {
    Map<String, Message> types = new LinkedHashMap<>();
    for (Map.Entry<Class<?>, FileDescriptor> file : FILES.entrySet()) {
      for (Descriptor type : file.getValue().getMessageTypes()) {
        types.put(type.getFullName(), Internal.getDefaultInstance(Class.forName(
            file.getKey().getName() + "$" + type.getName()).asSubclass(Message.class)));
      }
    }
    return types;
  }
}
