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
package org.hdfsppr.mapreduce;

import java.io.File;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.security.CodeSource;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.jar.JarOutputStream;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;

/**
 * A jar of modules of the project, as the release has them. The class path of tests has a folder or
 * a jar of each module instead.
 */
final class ModuleJar {
  private static final String META = "META-INF/";
  private static final String SERVICES = META + "services/";

  private final Set<String> names = new HashSet<>();

  private ModuleJar() {
  }

  /**
   * Writes a jar.
   *
   * @param one a class of each module
   */
  static void write(File jar, Class<?>... one) throws IOException {
    ModuleJar writer = new ModuleJar();
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar.toPath()))) {
      for (Class<?> each : one) {
        CodeSource source = each.getProtectionDomain().getCodeSource();
        Path module = Paths.get(source.getLocation().getPath());
        if (Files.isDirectory(module)) {
          writer.add(module, out);
        } else {
          try (FileSystem inside = FileSystems.newFileSystem(module, (ClassLoader) null)) {
            writer.add(inside.getPath("/"), out);
          }
        }
      }
    }
  }

  private void add(Path root, JarOutputStream out) throws IOException {
    List<Path> files;
    try (Stream<Path> all = Files.walk(root)) {
      files = all.filter(Files::isRegularFile).collect(Collectors.toList());
    }
    for (Path file : files) {
      String name = root.relativize(file).toString();
      if (names.add(name)) {
        out.putNextEntry(new ZipEntry(name));
        Files.copy(file, out);
        out.closeEntry();
      } else if (!name.startsWith(META) || name.startsWith(SERVICES)) {
        throw new IOException("Two modules have " + name);
      }
    }
  }
}
