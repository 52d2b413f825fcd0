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

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.OutputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.apache.hadoop.classification.InterfaceAudience;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that all jars of the extension on a class path are found, and no other ones. */
@InterfaceAudience.Private
class TestOwnJars {
  private static final String MARKER = "org/hdfsppr/conf/PprKeys.class";

  @TempDir
  private Path directory;

  private URL jar(String name, String version, String entry) throws IOException {
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    if (version != null) {
      manifest.getMainAttributes().put(Attributes.Name.IMPLEMENTATION_VERSION, version);
    }
    Path file = directory.resolve(name);
    Files.createDirectories(file.getParent());
    try (OutputStream out = Files.newOutputStream(file);
        JarOutputStream jar = new JarOutputStream(out, manifest)) {
      jar.putNextEntry(new JarEntry(entry));
      jar.closeEntry();
    }
    return file.toUri().toURL();
  }

  @Test
  void eachJarIsNamedWithItsFolderAndVersion() throws Exception {
    Path classes = directory.resolve("target/classes");
    Files.createDirectories(classes.resolve(MARKER).getParent());
    Files.createFile(classes.resolve(MARKER));
    URL old = jar("share/lib/old.jar", "0.1.0", MARKER);
    URL[] path = {jar("share/hdfs/new one.jar", "0.2.0", MARKER), old,
        jar("share/lib/other.jar", "9", "org/other/PprKeys.class"), old,
        jar("share/lib/nameless.jar", null, MARKER), classes.toUri().toURL()};
    try (URLClassLoader loader = new URLClassLoader(path, null)) {
      assertEquals(List.of(new OwnJar("hdfs/new%20one.jar", "0.2.0"),
          new OwnJar("lib/old.jar", "0.1.0"), new OwnJar("lib/nameless.jar", ""),
          new OwnJar("target/classes", "")), OwnJars.find(loader));
    }
    // The jars are not kept open.
    Files.delete(directory.resolve("share/lib/old.jar"));
  }
}
