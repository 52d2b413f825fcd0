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
import java.util.Optional;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.http.HttpServer2;

/**
 * Serves the pages below {@code /ppr/}. It only reads: it knows GET and HEAD, and there is no
 * request that changes anything. A viewer needs the permission that {@code /jmx} asks for. What the
 * pages say is computed elsewhere; this class chooses the form in which a viewer gets it.
 */
@InterfaceAudience.Private
public class PprServlet extends HttpServlet {
  private static final long serialVersionUID = 1L;

  /**
   * A browser loads nothing for the page but what this server has, and no script that stands in a
   * page itself; and no page of another server shows this one in a frame.
   */
  private static final String CONTENT_SECURITY = "default-src 'self'; base-uri 'none';"
      + " form-action 'none'; object-src 'none'; frame-ancestors 'self'";
  private static final Page ONLY_READS = Page.error(HttpServletResponse.SC_METHOD_NOT_ALLOWED,
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
    boolean head = request.getMethod().equals("HEAD");
    String path = request.getPathInfo();
    PageDesk desk = (PageDesk) getServletContext().getAttribute(PageDesk.ATTRIBUTE);
    if (!head && !request.getMethod().equals("GET")) {
      response.setHeader("Allow", "GET, HEAD");
      send(ONLY_READS.status(), ONLY_READS, ONLY_READS.body(), false, response);
    } else if (path == null) {
      // A relative address stays right behind a proxy that serves the NameNode below a path.
      response.setStatus(HttpServletResponse.SC_FOUND);
      response.setHeader("Location", "ppr/");
    } else {
      answer(desk, path, request, head, response);
    }
  }

  private static void answer(PageDesk desk, String path, HttpServletRequest request,
      boolean head, HttpServletResponse response) throws IOException {
    Page page = desk.find(path);
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
    send(page.status(), page, zipped.orElse(page.body()), head, response);
  }

  private static void send(int status, Page page, byte[] body, boolean head,
      HttpServletResponse response) throws IOException {
    response.setStatus(status);
    response.setContentType(page.contentType());
    response.setContentLength(body.length);
    if (!head) {
      response.getOutputStream().write(body);
    }
  }
}
