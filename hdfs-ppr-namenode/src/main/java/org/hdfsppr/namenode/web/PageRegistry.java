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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;
import org.hdfsppr.wire.PeerLog;
import org.slf4j.LoggerFactory;

/**
 * Finds pages in a list of sources until it is closed. After that all pages say that the plugin has
 * stopped. A servlet finds the registry in the attribute {@link #ATTRIBUTE} of the servlet context.
 * Thread-safe.
 */
final class PageRegistry {
  /** The attribute of the servlet context that holds the registry. */
  static final String ATTRIBUTE = PageRegistry.class.getName();
  /** Bodies of this length or less are not compressed, because a packet holds them anyway. */
  static final int ZIPPED_BYTES_MIN = 1 << 10;

  private static final int NOT_FOUND = 404;
  private static final int FAILED = 500;
  private static final int UNAVAILABLE = 503;
  private static final PeerLog LOG = new PeerLog(LoggerFactory.getLogger(PageRegistry.class));

  private static final PageResponse NO_SUCH_PAGE = PageResponse.error(NOT_FOUND,
      "There is no page at this path; the page of repairs is at ppr/ of this NameNode.");
  private static final PageResponse CANNOT_BE_MADE = PageResponse.error(FAILED,
      "This page cannot be made now; the log of the NameNode says why.");
  private static final PageResponse STOPPED = PageResponse.error(UNAVAILABLE,
      "hdfs-ppr has stopped on this NameNode; the log of the NameNode says why.");

  private final String run;
  private final GzipCache zipped = new GzipCache();
  /** Null after the registry was closed, so that it does not keep the manager's memory. */
  private volatile List<PageSource> sources;

  /**
   * @param sources the sources in the order of the search; the first one that has a page answers
   * @param run an identifier of this run of the plugin, different from that of every other run on
   *     every NameNode. It becomes a part of each ETag: a restarted NameNode, or another NameNode
   *     behind the same proxy, counts its versions from the beginning, and a viewer must not take
   *     them for the versions that it has.
   */
  PageRegistry(List<PageSource> sources, String run) {
    this.sources = List.copyOf(sources);
    this.run = run;
  }

  /**
   * Finds a page.
   *
   * @param path the path below {@code /ppr}, which begins with a slash
   * @return the page, or a page that says in a sentence why there is none
   */
  PageResponse find(String path) {
    List<PageSource> open = sources;
    if (open == null) {
      return STOPPED;
    }
    for (PageSource source : open) {
      try {
        Optional<PageResponse> page = source.find(path);
        if (page.isPresent()) {
          return page.get();
        }
      } catch (RuntimeException | LinkageError e) {
        // The line does not have the path, because a viewer chooses it.
        String name = source.getClass().getSimpleName();
        LOG.warn(name + ' ' + e.getClass().getName(),
            "{} cannot make a page, viewers get the status 500: {}", name, e.toString(), e);
        return CANNOT_BE_MADE;
      }
    }
    return NO_SUCH_PAGE;
  }

  /**
   * Returns the name of a page's version for viewers.
   *
   * @param page a page of this registry
   * @return the name, without quotes; empty if the page has no versions
   */
  Optional<String> tag(PageResponse page) {
    return page.etag().map(etag -> run + '-' + etag);
  }

  /**
   * Compresses a page.
   *
   * @param path the page's path
   * @param page a page of this registry
   * @return the body in gzip's format; empty if the page is too short or too long. It is also empty
   *     for a page without versions: each viewer would have to wait for a compression of its own.
   */
  Optional<byte[]> zipped(String path, PageResponse page) {
    int length = page.body.length;
    if (length <= ZIPPED_BYTES_MIN || length > GzipCache.BODY_BYTES_MAX) {
      return Optional.empty();
    }
    return page.etag().map(etag -> zipped.zipped(path, etag, page.body));
  }

  /** Returns whether the registry has not been closed. */
  boolean isOpen() {
    return sources != null;
  }

  /** Closes the registry. A request that is under way still gets its page. */
  void close() {
    sources = null;
  }

  /**
   * Compresses each version of a page once, however many viewers ask for it. It keeps the last
   * version of the pages that were asked for most recently. Thread-safe: a viewer that asks while
   * another viewer's request compresses the same version waits for it, which takes some
   * milliseconds.
   */
  static final class GzipCache {
    /**
     * How many compressed pages the cache keeps at most. About ten pages grow with the cluster. The
     * other places are for pages about single groups.
     */
    static final int PAGES_MAX = 32;
    /**
     * How long a page is at most that is compressed, bytes. The lists of all pages are bounded, so
     * that pages stay below 1 MiB. A longer page would hold a thread of the web server for too
     * long.
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
     * Compresses a page, or returns the result of an earlier call for the same version.
     *
     * @param path the page's path
     * @param etag the name of the version; different bodies of one path must have different names
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
     * Compresses at the fastest level. JSON shrinks to a fifth or less even at this level, and the
     * NameNode needs its processors for other work.
     */
    private static final class FastGzip extends GZIPOutputStream {
      FastGzip(OutputStream out) throws IOException {
        super(out, BUFFER_BYTES);
        def.setLevel(Deflater.BEST_SPEED);
      }
    }
  }
}
