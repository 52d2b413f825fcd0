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
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.classification.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The files of the page that people open: HTML, script and style, from the jar. Immutable. */
@InterfaceAudience.Private
public final class StaticPages implements PageSource {
  private static final Logger LOG = LoggerFactory.getLogger(StaticPages.class);
  /** The files are beside this class, so that the same class loader finds them. */
  private static final String FOLDER = "page/";
  private static final int TAG_DIGITS = 16;

  private final Map<String, Page> pages;

  private StaticPages(Map<String, Page> pages) {
    this.pages = Map.copyOf(pages);
  }

  /**
   * Reads the files. If one is missing, the log says so, and all others are served.
   *
   * @return the files, each with a digest of its content as ETag
   * @throws IOException if a file cannot be read
   */
  public static StaticPages load() throws IOException {
    Map<String, Page> pages = new HashMap<>();
    add(pages, "/", "index.html", "text/html; charset=utf-8");
    add(pages, "/ppr.js", "ppr.js", "text/javascript; charset=utf-8");
    add(pages, "/ppr.css", "ppr.css", "text/css; charset=utf-8");
    return new StaticPages(pages);
  }

  private static void add(Map<String, Page> pages, String path, String file, String contentType)
      throws IOException {
    try (InputStream in = StaticPages.class.getResourceAsStream(FOLDER + file)) {
      if (in == null) {
        LOG.warn("The page of repairs is incomplete: the jar lacks {}", FOLDER + file);
        return;
      }
      byte[] body = in.readAllBytes();
      pages.put(path, Page.of(contentType, digest(body), body));
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
  public Optional<Page> find(String path) {
    return Optional.ofNullable(pages.get(path));
  }
}
