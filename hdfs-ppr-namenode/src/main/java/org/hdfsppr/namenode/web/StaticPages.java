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

import java.io.IOException;
import java.io.InputStream;
import java.math.BigInteger;
import java.net.JarURLConnection;
import java.net.URI;
import java.net.URL;
import java.net.URLConnection;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import org.apache.hadoop.classification.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files of the web page about repairs: HTML, scripts and styles. They are in a folder of the
 * jar, and {@link #load} reads all of them, so that no list of files has to be kept. Immutable.
 */
@InterfaceAudience.Private
public final class StaticPages implements PageSource {
  private static final Logger LOG = LoggerFactory.getLogger(StaticPages.class);
  /** The folder of the files. It is beside this class, so that the same class loader finds both. */
  private static final String FOLDER = "page";
  private static final String INDEX = "index.html";
  /** The content types by the end of a file's name. Files of other kinds are not served. */
  private static final Map<String, String> TYPES = Map.of(
      "html", "text/html; charset=utf-8",
      "js", "text/javascript; charset=utf-8",
      "css", "text/css; charset=utf-8",
      "svg", "image/svg+xml");
  private static final int TAG_DIGITS = 16;

  private final Map<String, PageResponse> pages;

  private StaticPages(Map<String, PageResponse> pages) {
    this.pages = Map.copyOf(pages);
  }

  /**
   * Reads the files. If there are none, the log says so, and all other pages are served.
   *
   * @return the files, each with a digest of its content as ETag
   * @throws IOException if a file cannot be read
   */
  public static StaticPages load() throws IOException {
    return load(StaticPages.class.getResource(FOLDER + '/' + INDEX));
  }

  /**
   * @param index address of the file {@code index.html}, in a jar or in a folder; the other files
   *     are beside it; null if there is no such file
   */
  static StaticPages load(URL index) throws IOException {
    Map<String, PageResponse> pages = new HashMap<>();
    if (index == null) {
      LOG.warn("The page of repairs is missing: the jar lacks {}/{}", FOLDER, INDEX);
      return new StaticPages(pages);
    }
    for (String name : filesBeside(index)) {
      String type = TYPES.get(name.substring(name.lastIndexOf('.') + 1));
      if (type != null) {
        try (InputStream in = new URL(index, name).openStream()) {
          byte[] body = in.readAllBytes();
          pages.put(name.equals(INDEX) ? "/" : '/' + name,
              PageResponse.of(type, digest(body), body));
        }
      }
    }
    return new StaticPages(pages);
  }

  private static List<String> filesBeside(URL index) throws IOException {
    URLConnection connection = index.openConnection();
    if (connection instanceof JarURLConnection) {
      // Without the cache the jar is opened for this method alone, so that closing it harms no
      // other reader.
      connection.setUseCaches(false);
      String entry = ((JarURLConnection) connection).getEntryName();
      String prefix = entry.substring(0, entry.length() - INDEX.length());
      try (JarFile jar = ((JarURLConnection) connection).getJarFile()) {
        return jar.stream().map(ZipEntry::getName).filter(name -> name.startsWith(prefix))
            .map(name -> name.substring(prefix.length())).filter(name -> name.indexOf('/') < 0)
            .collect(Collectors.toList());
      }
    }
    // The classes are in a folder, as in tests.
    try (Stream<Path> files = Files.list(Path.of(URI.create(index.toString())).getParent())) {
      return files.map(file -> file.getFileName().toString()).collect(Collectors.toList());
    }
  }

  private static String digest(byte[] body) {
    try {
      byte[] sum = MessageDigest.getInstance("SHA-256").digest(body);
      return String.format("%064x", new BigInteger(1, sum)).substring(0, TAG_DIGITS);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  @Override
  public Optional<PageResponse> find(String path) {
    return Optional.ofNullable(pages.get(path));
  }
}
