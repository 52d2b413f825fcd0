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
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.manage.proto.ManagerProtos.JarProto;
import org.hdfsppr.manage.proto.ManagerProtos.NodeSelfProto;
import org.hdfsppr.manage.proto.ManagerProtos.SettingProto;
import org.hdfsppr.wire.PeerText;
import org.hdfsppr.wire.WireRules;

/**
 * What a DataNode says about itself, as far as it changes only with a restart: versions, kernel,
 * settings, jars. The message has no secrets and no paths. Immutable.
 */
@InterfaceAudience.Private
public final class NodeSelf {
  /**
   * How many settings a message may have. There are about half as many settings of hdfs-ppr for
   * DataNodes.
   */
  public static final int SETTINGS_MAX = 64;
  /**
   * How many jars a message may list. More than a few jars of hdfs-ppr on one class path are a
   * mistake anyway.
   */
  public static final int JARS_MAX = 16;
  /** The longest name, version, value or reason, characters. A sender cuts longer texts. */
  public static final int TEXT_MAX = 200;

  /** The version of Hadoop */
  public final String hadoopVersion;
  /** The version of the JVM */
  public final String javaVersion;
  /** The name of the kernel that does the arithmetic in GF(256), such as {@code isal} */
  public final String kernel;
  /** Why the node fell back to the slower Java kernel; empty if it did not */
  public final String kernelFallback;
  /** The settings of hdfs-ppr that are in effect on the node, with their values */
  public final SortedMap<String, String> settings;
  /** The jars of hdfs-ppr on the node's class path */
  public final List<OwnJar> jars;

  /**
   * @param hadoopVersion the version of Hadoop
   * @param javaVersion the version of the JVM
   * @param kernel the name of the kernel that does the arithmetic in GF(256)
   * @param kernelFallback why the node fell back to the slower Java kernel; empty if it did not
   * @param settings the settings of hdfs-ppr that are in effect on the node, with their values
   * @param jars the jars of hdfs-ppr on the node's class path
   */
  public NodeSelf(String hadoopVersion, String javaVersion, String kernel, String kernelFallback,
      Map<String, String> settings, List<OwnJar> jars) {
    this.hadoopVersion = Objects.requireNonNull(hadoopVersion, "hadoopVersion");
    this.javaVersion = Objects.requireNonNull(javaVersion, "javaVersion");
    this.kernel = Objects.requireNonNull(kernel, "kernel");
    this.kernelFallback = Objects.requireNonNull(kernelFallback, "kernelFallback");
    this.settings = Collections.unmodifiableSortedMap(new TreeMap<>(settings));
    this.jars = List.copyOf(jars);
  }

  NodeSelfProto toProto() {
    NodeSelfProto.Builder builder = NodeSelfProto.newBuilder()
        .setHadoopVersion(cut(hadoopVersion))
        .setJavaVersion(cut(javaVersion))
        .setKernel(cut(kernel));
    if (!kernelFallback.isEmpty()) {
      builder.setKernelFallback(cut(kernelFallback));
    }
    settings.entrySet().stream().limit(SETTINGS_MAX).forEach(setting ->
        builder.addSettings(SettingProto.newBuilder()
            .setName(cut(setting.getKey())).setValue(cut(setting.getValue()))));
    for (OwnJar jar : FieldRules.first(jars, JARS_MAX)) {
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
    return line.length() <= TEXT_MAX ? line : line.substring(0, TEXT_MAX);
  }

  /** @throws IllegalArgumentException naming the field that is wrong */
  static NodeSelf parse(NodeSelfProto proto) {
    FieldRules.atMost("settings", proto.getSettingsCount(), SETTINGS_MAX);
    FieldRules.atMost("jars", proto.getJarsCount(), JARS_MAX);
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
    if (value.length() > TEXT_MAX) {
      throw new IllegalArgumentException(name + " has " + value.length() + " characters, at most "
          + TEXT_MAX + " are allowed");
    }
    return WireRules.text(name, value);
  }

  private static String name(String name, String value) {
    return WireRules.name(name, text(name, value));
  }

  @Override
  public boolean equals(Object o) {
    if (!(o instanceof NodeSelf)) {
      return false;
    }
    NodeSelf other = (NodeSelf) o;
    return hadoopVersion.equals(other.hadoopVersion) && javaVersion.equals(other.javaVersion)
        && kernel.equals(other.kernel) && kernelFallback.equals(other.kernelFallback)
        && settings.equals(other.settings) && jars.equals(other.jars);
  }

  @Override
  public int hashCode() {
    return Objects.hash(hadoopVersion, javaVersion, kernel, kernelFallback, settings, jars);
  }

  @Override
  public String toString() {
    return "Hadoop " + hadoopVersion + ", Java " + javaVersion + ", kernel " + kernel
        + (kernelFallback.isEmpty() ? "" : " (" + kernelFallback + ")") + ", " + settings + ", "
        + jars;
  }
}
