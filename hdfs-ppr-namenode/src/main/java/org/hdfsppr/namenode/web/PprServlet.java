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
 * Serves the pages below {@code /ppr/}. It only reads: there is no request that changes anything.
 * Besides GET and HEAD it answers OPTIONS, because Hadoop's clients authenticate themselves by such
 * a request (see KerberosAuthenticator) and take every status but 200 for a refusal. A viewer needs
 * the permission that {@code /jmx} asks for. What the pages say is computed elsewhere; this class
 * chooses the form in which a viewer gets it.
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
  private static final String METHODS = "GET, HEAD, OPTIONS";
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
    PageDesk desk = (PageDesk) getServletContext().getAttribute(PageDesk.ATTRIBUTE);
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
    send(page, zipped.orElse(page.body), head, response);
  }

  private static void send(Page page, byte[] body, boolean head, HttpServletResponse response)
      throws IOException {
    response.setStatus(page.status);
    response.setContentType(page.contentType);
    response.setContentLength(body.length);
    if (!head) {
      response.getOutputStream().write(body);
    }
  }
}
