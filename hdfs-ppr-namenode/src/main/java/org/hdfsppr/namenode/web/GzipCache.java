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

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Compresses each version of a page once, however many viewers ask for it. It keeps the last
 * version of the pages that were asked for most recently. Thread-safe: a viewer that asks while
 * another viewer's request compresses the same version waits for it, which takes some milliseconds.
 */
@InterfaceAudience.Private
final class GzipCache {
  /**
   * The most compressed pages that the cache keeps. About ten pages grow with the cluster. The
   * remaining places are for pages about single groups.
   */
  static final int PAGES_MAX = 32;
  /**
   * The longest page that is compressed, bytes. The lists of all pages are capped, so that pages
   * stay below 1 MiB. A longer page would hold a thread of the web server for too long.
   */
  static final int BODY_BYTES_MAX = 4 << 20;
  private static final int BUFFER_BYTES = 8 << 10;

  /** One version of a page. */
  private static final class Version {
    private final String etag;
    /** Null until the first viewer asks. Guarded by this object's monitor. */
    private byte[] zipped;

    Version(String etag) {
      this.etag = etag;
    }

    synchronized byte[] zipped(byte[] body) {
      if (zipped == null) {
        zipped = compress(body);
      }
      return zipped;
    }
  }

  /** The versions by path, the one that was asked for least recently first. */
  private final Map<String, Version> versions =
      new LinkedHashMap<>(PAGES_MAX, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Version> eldest) {
          return size() > PAGES_MAX;
        }
      };

  /**
   * Compresses a page, or finds the page compressed.
   *
   * @param path the page's path
   * @param etag names the version; two bodies of one path must not have the same name
   * @param body the page, at most {@value #BODY_BYTES_MAX} bytes
   * @return the page in gzip's format; callers must not change it
   */
  byte[] zipped(String path, String etag, byte[] body) {
    Version version;
    synchronized (versions) {
      version = versions.get(path);
      if (version == null || !version.etag.equals(etag)) {
        version = new Version(etag);
        versions.put(path, version);
      }
    }
    return version.zipped(body);
  }

  /** Returns how many pages are kept. */
  int pages() {
    synchronized (versions) {
      return versions.size();
    }
  }

  private static byte[] compress(byte[] body) {
    ByteArrayOutputStream zipped = new ByteArrayOutputStream(body.length / 4 + BUFFER_BYTES);
    try (OutputStream out = new FastGzip(zipped)) {
      out.write(body);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return zipped.toByteArray();
  }

  /**
   * Compresses at the fastest level. JSON then shrinks to a fifth or less all the same, and the
   * NameNode's processor has other things to do.
   */
  private static final class FastGzip extends GZIPOutputStream {
    FastGzip(OutputStream out) throws IOException {
      super(out, BUFFER_BYTES);
      def.setLevel(Deflater.BEST_SPEED);
    }
  }
}
