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
package org.hdfsppr.namenode.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.apache.hadoop.classification.InterfaceAudience;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that the files of the page are found in a folder and in a jar. */
@InterfaceAudience.Private
class TestStaticPages {
  private static final Map<String, String> FILES = new TreeMap<>(Map.of(
      "index.html", "<html>", "ppr.js", "'use strict';", "ppr.css", "p {}", "mark.svg", "<svg/>",
      "NOTES.txt", "not for viewers", "below/deep.js", "not for viewers"));

  @TempDir
  private Path folder;

  private URL inFolder() throws IOException {
    Path page = folder.resolve("a page");
    for (Map.Entry<String, String> file : FILES.entrySet()) {
      Path to = page.resolve(file.getKey());
      Files.createDirectories(to.getParent());
      Files.writeString(to, file.getValue());
    }
    return page.resolve("index.html").toUri().toURL();
  }

  private URL inJar() throws IOException {
    Path jar = folder.resolve("with blank.jar");
    try (OutputStream out = Files.newOutputStream(jar);
        JarOutputStream entries = new JarOutputStream(out)) {
      entries.putNextEntry(new JarEntry("org/page/"));
      for (Map.Entry<String, String> file : FILES.entrySet()) {
        entries.putNextEntry(new JarEntry("org/page/" + file.getKey()));
        entries.write(file.getValue().getBytes(StandardCharsets.UTF_8));
      }
      entries.putNextEntry(new JarEntry("org/elsewhere.js"));
    }
    return new URL("jar:" + jar.toUri() + "!/org/page/index.html");
  }

  private static void assertFile(StaticPages pages, String path, String type, String text) {
    PageResponse page = pages.find(path).orElseThrow(() -> new AssertionError("no " + path));
    assertEquals(200, page.status);
    assertEquals(type, page.contentType);
    assertEquals(text, new String(page.body, StandardCharsets.UTF_8));
  }

  private static void assertAll(StaticPages pages) {
    assertFile(pages, "/", "text/html; charset=utf-8", "<html>");
    assertFile(pages, "/ppr.js", "text/javascript; charset=utf-8", "'use strict';");
    assertFile(pages, "/ppr.css", "text/css; charset=utf-8", "p {}");
    assertFile(pages, "/mark.svg", "image/svg+xml", "<svg/>");
    for (String other : new String[] {"/NOTES.txt", "/below/deep.js", "/deep.js", "/elsewhere.js",
        "/index.html", "", "/../index.html", "/page/", "/v1/status"}) {
      assertEquals(Optional.empty(), pages.find(other), other);
    }
  }

  @Test
  void filesOfAFolderAreServed() throws IOException {
    assertAll(StaticPages.load(inFolder()));
  }

  /** The drop-in jar has the files. Its path may have blanks. */
  @Test
  void filesOfAJarAreServed() throws IOException {
    URL index = inJar();
    assertAll(StaticPages.load(index));
    assertAll(StaticPages.load(index));
  }

  @Test
  void theTagNamesTheContent() throws IOException {
    StaticPages first = StaticPages.load(inFolder());
    assertNotEquals(first.find("/").get().etag(), first.find("/ppr.js").get().etag());
    assertTrue(first.find("/").get().etag().get().matches("[0-9a-f]{16}"));
    assertEquals(first.find("/").get().etag(), StaticPages.load(inJar()).find("/").get().etag());
    Files.writeString(folder.resolve("a page/index.html"), "<html><p>");
    StaticPages next = StaticPages.load(folder.resolve("a page/index.html").toUri().toURL());
    assertNotEquals(first.find("/").get().etag(), next.find("/").get().etag());
    assertEquals(first.find("/ppr.js").get().etag(), next.find("/ppr.js").get().etag());
  }

  @Test
  void aJarWithoutThemCostsThemOnly() throws IOException {
    assertEquals(Optional.empty(), StaticPages.load(null).find("/"));
  }
}
