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

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.http.HttpServer2;

/**
 * Adds pages to the NameNode's own web server while it runs. The pages are then behind the same
 * filters as the NameNode's pages, and at the same addresses, HTTP and HTTPS. A servlet cannot be
 * removed from a server. So after {@link #close} all pages answer that the plugin has stopped,
 * until pages are installed again.
 */
@InterfaceAudience.Private
public final class WebPages implements Closeable {
  private static final List<String> NAMENODE_PAGES = List.of("/dfshealth.html", "/explorer.html");

  private final PageRegistry desk;

  private WebPages(PageRegistry desk) {
    this.desk = desk;
  }

  /**
   * Makes pages readable below {@code /ppr/}.
   *
   * @param server the NameNode's web server, which runs
   * @param sources the sources of pages; a request is answered by the first source that has a page
   *     for its path
   * @param run an identifier of this run of the plugin, in characters of an ETag; different from
   *     those of earlier runs and of other NameNodes
   * @return stops the service of the pages when it is closed
   */
  public static WebPages install(HttpServer2 server, List<PageSource> sources, String run) {
    PageRegistry desk = new PageRegistry(sources, run);
    boolean again = server.getAttribute(PageRegistry.ATTRIBUTE) != null;
    server.setAttribute(PageRegistry.ATTRIBUTE, desk);
    boolean installed = false;
    try {
      if (!again) {
        addServlets(server);
      }
      installed = true;
    } finally {
      if (!installed) {
        desk.close();
      }
    }
    return new WebPages(desk);
  }

  private static void addServlets(HttpServer2 server) {
    server.addServlet("ppr", "/ppr/*", PprServlet.class);
    for (String page : NAMENODE_PAGES) {
      server.addServlet("ppr-menu-of" + page.replace('/', '-'), page, NavServlet.class);
    }
  }

  /** Ends the service: from now on all pages have the status 503. A second call does nothing. */
  @Override
  public void close() {
    desk.close();
  }

  /**
   * Serves the pages below {@code /ppr/}. No request changes anything. Besides GET and HEAD the
   * servlet answers OPTIONS, because Hadoop's clients authenticate themselves by such a request
   * (see KerberosAuthenticator) and take every status but 200 for a refusal. A viewer needs the
   * same permission as for {@code /jmx}. The sources make the pages; this class only chooses
   * whether a viewer gets a page plain, compressed, or not again.
   */
  public static class PprServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;

    /**
     * For the pages, a browser loads only what this server has, and runs no script that is written
     * within a page. No page of another server may show these pages in a frame.
     */
    private static final String CONTENT_SECURITY = "default-src 'self'; base-uri 'none';"
        + " form-action 'none'; object-src 'none'; frame-ancestors 'self'";
    private static final String METHODS = "GET, HEAD, OPTIONS";
    private static final PageResponse ONLY_READS =
        PageResponse.error(HttpServletResponse.SC_METHOD_NOT_ALLOWED,
        "These pages can only be read; 'hdfs ppr -help' lists the commands that change something.");

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      if (!HttpServer2.isInstrumentationAccessAllowed(getServletContext(), request, response)) {
        // The answer is complete: 403, with the reason.
        return;
      }
      response.setHeader("Cache-Control", "no-cache");
      response.setHeader("Content-Security-Policy", CONTENT_SECURITY);
      response.setHeader("X-Content-Type-Options", "nosniff");
      switch (request.getMethod()) {
        case "GET":
          answer(request, false, response);
          break;
        case "HEAD":
          answer(request, true, response);
          break;
        case "OPTIONS":
          response.setHeader("Allow", METHODS);
          response.setStatus(HttpServletResponse.SC_OK);
          break;
        default:
          response.setHeader("Allow", METHODS);
          send(ONLY_READS, ONLY_READS.body, false, response);
          break;
      }
    }

    private void answer(HttpServletRequest request, boolean head, HttpServletResponse response)
        throws IOException {
      String path = request.getPathInfo();
      if (path == null) {
        // A relative address stays right behind a proxy that serves the NameNode below a path.
        response.setStatus(HttpServletResponse.SC_FOUND);
        response.setHeader("Location", "ppr/");
        return;
      }
      PageRegistry desk = (PageRegistry) getServletContext().getAttribute(PageRegistry.ATTRIBUTE);
      PageResponse page = desk.find(path);
      Optional<String> tag = desk.tag(page);
      if (tag.isPresent()) {
        // The tag is weak, because the plain and the compressed body share it.
        response.setHeader("ETag", RequestHeaders.weak(tag.get()));
        response.setHeader("Vary", "Accept-Encoding");
        if (RequestHeaders.hasTag(RequestHeaders.all(request, "If-None-Match"), tag.get())) {
          response.setStatus(HttpServletResponse.SC_NOT_MODIFIED);
          return;
        }
      }
      Optional<byte[]> zipped =
          RequestHeaders.acceptsGzip(RequestHeaders.all(request, "Accept-Encoding"))
              ? desk.zipped(path, page) : Optional.empty();
      if (zipped.isPresent()) {
        response.setHeader("Content-Encoding", "gzip");
      }
      send(page, zipped.orElse(page.body), head, response);
    }

    private static void send(PageResponse page, byte[] body, boolean head,
        HttpServletResponse response)
        throws IOException {
      response.setStatus(page.status);
      response.setContentType(page.contentType);
      response.setContentLength(body.length);
      if (!head) {
        response.getOutputStream().write(body);
      }
    }
  }

  /**
   * Serves a page of the NameNode with one more entry in its menu, the link to the page of repairs.
   * A page without the known menu is served unchanged, and so is every page after the plugin has
   * stopped. No file on a disk is changed.
   */
  public static class NavServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;

    /** The last entry of the menu Utilities in Hadoop 3.3 to 3.5; the new entry follows it. */
    private static final String LAST_ENTRY =
        "<li><a href=\"topology\">Network Topology</a></li>";
    /** The address is relative, so that it stays right behind a proxy with a path. */
    private static final String ENTRY =
        "\n        <li><a href=\"ppr/\">Erasure-coded repairs</a></li>";

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      byte[] page;
      try (InputStream in = getServletContext().getResourceAsStream(request.getServletPath())) {
        if (in == null) {
          response.sendError(HttpServletResponse.SC_NOT_FOUND);
          return;
        }
        page = in.readAllBytes();
      }
      PageRegistry desk = (PageRegistry) getServletContext().getAttribute(PageRegistry.ATTRIBUTE);
      byte[] body = desk.isOpen() ? withEntry(page) : page;
      response.setContentType("text/html; charset=utf-8");
      response.setContentLength(body.length);
      response.getOutputStream().write(body);
    }

    /**
     * Adds the entry to a page.
     *
     * @param page a page of the NameNode
     * @return the page with the entry; {@code page} itself if it does not have the known menu
     */
    static byte[] withEntry(byte[] page) {
      // In this character set each byte is a character, so that all other bytes stay as they are.
      String text = new String(page, StandardCharsets.ISO_8859_1);
      int at = text.indexOf(LAST_ENTRY);
      if (at < 0) {
        return page;
      }
      int end = at + LAST_ENTRY.length();
      return (text.substring(0, end) + ENTRY + text.substring(end))
          .getBytes(StandardCharsets.ISO_8859_1);
    }
  }

  /** Reads the two headers of a request on which the form of an answer depends. */
  static final class RequestHeaders {
    /** The prefix of a weak tag. Tags are compared without it, as RFC 7232 asks for. */
    private static final String WEAK = "W/";

    private RequestHeaders() {
    }

    /** Returns all values of a header as one list with commas; empty if there are none. */
    static String all(HttpServletRequest request, String name) {
      Enumeration<String> values = request.getHeaders(name);
      return values == null ? "" : String.join(",", Collections.list(values));
    }

    /**
     * Returns whether a viewer accepts gzip.
     *
     * @param acceptEncoding the header Accept-Encoding, such as {@code br;q=0.5, gzip}; may be
     *     empty
     * @return true if the header names gzip, or any coding, and does not exclude it by a weight of
     *     0
     */
    static boolean acceptsGzip(String acceptEncoding) {
      boolean any = false;
      for (String one : acceptEncoding.toLowerCase(Locale.ROOT).split(",")) {
        String[] parts = one.split(";");
        String coding = parts.length == 0 ? "" : parts[0].trim();
        if (coding.equals("gzip") || coding.equals("x-gzip")) {
          return isWanted(parts);
        }
        any |= coding.equals("*") && isWanted(parts);
      }
      return any;
    }

    private static boolean isWanted(String[] parts) {
      for (int i = 1; i < parts.length; i++) {
        if (parts[i].replace(" ", "").matches("q=0(\\.0*)?")) {
          return false;
        }
      }
      return true;
    }

    /**
     * Returns whether a viewer has a version of a page already.
     *
     * @param ifNoneMatch the header If-None-Match: tags with commas between them, or a star; may be
     *     empty
     * @param tag the tag of the present version, without quotes and without commas
     * @return true if the header has this tag, weak or strong, or a star
     */
    static boolean hasTag(String ifNoneMatch, String tag) {
      String quoted = '"' + tag + '"';
      for (String one : ifNoneMatch.split(",")) {
        String given = one.trim();
        String strong = given.startsWith(WEAK) ? given.substring(WEAK.length()) : given;
        if (strong.equals(quoted) || given.equals("*")) {
          return true;
        }
      }
      return false;
    }

    /** Returns a weak tag as the header ETag has it. */
    static String weak(String tag) {
      return WEAK + '"' + tag + '"';
    }
  }
}
