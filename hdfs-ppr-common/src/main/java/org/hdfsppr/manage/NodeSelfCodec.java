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
package org.hdfsppr.manage;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.manage.proto.ManagerProtos.JarProto;
import org.hdfsppr.manage.proto.ManagerProtos.NodeSelfProto;
import org.hdfsppr.manage.proto.ManagerProtos.SettingProto;
import org.hdfsppr.wire.Door;
import org.hdfsppr.wire.PeerText;

/**
 * Converts a {@link NodeSelf} into a message and back. The sender cuts what exceeds the bounds; the
 * receiver refuses it.
 */
@InterfaceAudience.Private
final class NodeSelfCodec {
  private NodeSelfCodec() {
  }

  static NodeSelfProto toProto(NodeSelf self) {
    NodeSelfProto.Builder builder = NodeSelfProto.newBuilder()
        .setHadoopVersion(cut(self.hadoopVersion))
        .setJavaVersion(cut(self.javaVersion))
        .setKernel(cut(self.kernel));
    if (!self.kernelFallback.isEmpty()) {
      builder.setKernelFallback(cut(self.kernelFallback));
    }
    self.settings.entrySet().stream().limit(NodeSelf.SETTINGS_MAX).forEach(setting ->
        builder.addSettings(SettingProto.newBuilder()
            .setName(cut(setting.getKey())).setValue(cut(setting.getValue()))));
    for (OwnJar jar : Fields.first(self.jars, NodeSelf.JARS_MAX)) {
      JarProto.Builder one = JarProto.newBuilder().setFile(cut(jar.file));
      if (!jar.version.isEmpty()) {
        one.setVersion(cut(jar.version));
      }
      builder.addJars(one);
    }
    return builder.build();
  }

  private static String cut(String text) {
    String line = PeerText.oneLine(text);
    return line.length() <= NodeSelf.TEXT_MAX ? line : line.substring(0, NodeSelf.TEXT_MAX);
  }

  /** @throws IllegalArgumentException naming the field that is wrong */
  static NodeSelf parse(NodeSelfProto proto) {
    Fields.atMost("settings", proto.getSettingsCount(), NodeSelf.SETTINGS_MAX);
    Fields.atMost("jars", proto.getJarsCount(), NodeSelf.JARS_MAX);
    Map<String, String> settings = new TreeMap<>();
    for (SettingProto setting : proto.getSettingsList()) {
      String name = name("setting name", setting.getName());
      if (settings.put(name, text("setting value", setting.getValue())) != null) {
        throw new IllegalArgumentException("setting " + name + " is there twice");
      }
    }
    List<OwnJar> jars = new ArrayList<>();
    for (JarProto jar : proto.getJarsList()) {
      jars.add(new OwnJar(name("jar file", jar.getFile()),
          text("jar version", jar.getVersion())));
    }
    return new NodeSelf(text("hadoop_version", proto.getHadoopVersion()),
        text("java_version", proto.getJavaVersion()), name("kernel", proto.getKernel()),
        text("kernel_fallback", proto.getKernelFallback()), settings, jars);
  }

  private static String text(String name, String value) {
    if (value.length() > NodeSelf.TEXT_MAX) {
      throw new IllegalArgumentException(name + " has " + value.length() + " characters, at most "
          + NodeSelf.TEXT_MAX + " are allowed");
    }
    return Door.text(name, value);
  }

  private static String name(String name, String value) {
    return Door.name(name, text(name, value));
  }
}
