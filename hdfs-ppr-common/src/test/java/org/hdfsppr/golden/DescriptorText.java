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
import java.util.List;
import java.util.Locale;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.Descriptor;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.FieldDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.FileDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.MethodDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.ServiceDescriptor;

/** All messages and services of a proto file, one field or method a line. */
@InterfaceAudience.Private
public final class DescriptorText {
  private DescriptorText() {
  }

  public static List<String> lines(FileDescriptor file) {
    List<String> lines = new ArrayList<>();
    for (Descriptor message : file.getMessageTypes()) {
      lines.add("message " + message.getFullName());
      for (FieldDescriptor field : message.getFields()) {
        lines.add("  " + line(field));
      }
    }
    for (ServiceDescriptor service : file.getServices()) {
      lines.add("service " + service.getFullName());
      for (MethodDescriptor method : service.getMethods()) {
        lines.add("  " + method.getName() + " (" + method.getInputType().getFullName()
            + ") returns (" + method.getOutputType().getFullName() + ")");
      }
    }
    return lines;
  }

  private static String line(FieldDescriptor field) {
    String type = field.getJavaType() == FieldDescriptor.JavaType.MESSAGE
        ? field.getMessageType().getFullName() : field.getType().name().toLowerCase(Locale.ROOT);
    String label = field.isRequired() ? "required" : field.isRepeated() ? "repeated" : "optional";
    return label + " " + type + " " + field.getName() + " = " + field.getNumber()
        + (field.isPacked() ? " packed" : "")
        + (field.hasDefaultValue() ? " default " + field.getDefaultValue() : "");
  }
}
