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
package org.hdfsppr.loader;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests how the jar of repairs finds what a second jar adds. Each test writes both jars and loads
 * them with loaders of its own, which do not see this test's class path.
 */
class TestExtensions {
  @TempDir
  Path folder;
  private final List<URLClassLoader> loaders = new ArrayList<>();
  private Path base;

  /** What the jar of repairs asks for. */
  public interface Greeting {
  }

  /** A provider. */
  public static class Hello implements Greeting {
  }

  /** A second provider. */
  public static class Welcome implements Greeting {
  }

  @BeforeEach
  void writeBase() throws IOException {
    base = jar("base.jar", "1.0", List.of(TestExtensions.class, Greeting.class), List.of());
  }

  @AfterEach
  void close() throws IOException {
    Thread.currentThread().setContextClassLoader(TestExtensions.class.getClassLoader());
    for (URLClassLoader loader : loaders) {
      loader.close();
    }
  }

  private Path jar(String name, String version, List<Class<?>> classes, List<String> providers)
      throws IOException {
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().put(Attributes.Name.IMPLEMENTATION_VERSION, version);
    Path path = folder.resolve(name);
    try (OutputStream file = Files.newOutputStream(path);
        JarOutputStream out = new JarOutputStream(file, manifest)) {
      for (Class<?> type : classes) {
        String entry = type.getName().replace('.', '/') + ".class";
        out.putNextEntry(new JarEntry(entry));
        try (InputStream in = TestExtensions.class.getClassLoader().getResourceAsStream(entry)) {
          in.transferTo(out);
        }
      }
      if (!providers.isEmpty()) {
        out.putNextEntry(new JarEntry("META-INF/services/" + Greeting.class.getName()));
        out.write(String.join("\n", providers).getBytes(StandardCharsets.UTF_8));
      }
    }
    return path;
  }

  private Path files(String name, String version, Class<?> provider) throws IOException {
    return jar(name, version, List.of(provider), List.of(provider.getName()));
  }

  private URLClassLoader loader(ClassLoader parent, Path... jars) throws IOException {
    URL[] urls = new URL[jars.length];
    for (int i = 0; i < jars.length; i++) {
      urls[i] = jars[i].toUri().toURL();
    }
    URLClassLoader loader = new URLClassLoader(urls, parent);
    loaders.add(loader);
    return loader;
  }

  private static Class<?> type(ClassLoader loader) throws ClassNotFoundException {
    return loader.loadClass(Greeting.class.getName());
  }

  private URLClassLoader alone(Path... jars) throws IOException {
    return loader(ClassLoader.getPlatformClassLoader(), jars);
  }

  private static String refusal(Class<?> type) {
    return assertThrows(IOException.class, () -> new Extensions().single(type)).getMessage();
  }

  @Test
  void theProviderOfTheSameLoaderIsFound() throws Exception {
    Class<?> type = type(alone(base, files("files.jar", "1.0", Hello.class)));
    Extensions extensions = new Extensions();
    Object provider = extensions.single(type).orElseThrow();
    assertEquals(Hello.class.getName(), provider.getClass().getName());
    assertSame(type.getClassLoader(), provider.getClass().getClassLoader());
    assertSame(provider, extensions.single(type).orElseThrow());
  }

  @Test
  void noProviderIsNoError() throws Exception {
    Extensions extensions = new Extensions();
    assertEquals(Optional.empty(), extensions.single(type(alone(base))));
    assertEquals(List.of(), extensions.every(type(alone(base))));
  }

  /** Spark's --jars, MapReduce's class loader of a job and -libjars are loaders of this kind. */
  @Test
  void aJarThatOnlyTheThreadsLoaderSeesAddsNothing() throws Exception {
    URLClassLoader node = alone(base);
    Thread.currentThread().setContextClassLoader(
        loader(node, files("files.jar", "1.0", Hello.class)));
    assertEquals(Optional.empty(), new Extensions().single(type(node)));
  }

  @Test
  void anotherVersionIsRefused() throws Exception {
    String why = refusal(type(alone(base, files("files.jar", "1.1", Hello.class))));
    assertTrue(why.contains("files.jar (1.1)") && why.contains("(1.0)")
        && why.endsWith("install both from one release"), why);
  }

  @Test
  void twoJarsAreRefusedWhereOneMayBe() throws Exception {
    Class<?> type = type(alone(base, files("files.jar", "1.0", Hello.class),
        files("more.jar", "1.0", Welcome.class)));
    String why = refusal(type);
    assertTrue(why.startsWith("Two jars add a Greeting: ") && why.contains("files.jar and")
        && why.contains("more.jar; leave the one that belongs to") && why.endsWith("base.jar"),
        why);
    assertEquals(2, new Extensions().every(type).size());
  }

  @Test
  void aProviderThatDoesNotLoadIsRefusedAndStaysRefused() throws Exception {
    Path broken = jar("files.jar", "1.0", List.of(), List.of("org.hdfsppr.loader.Missing"));
    Class<?> type = type(alone(base, broken));
    Extensions extensions = new Extensions();
    for (int i = 0; i < 2; i++) {
      String why = assertThrows(IOException.class, () -> extensions.single(type)).getMessage();
      assertTrue(why.contains("org.hdfsppr.loader.Missing") && why.contains("base.jar")
          && why.endsWith("install all jars of hdfs-ppr from one release"), why);
    }
  }
}
