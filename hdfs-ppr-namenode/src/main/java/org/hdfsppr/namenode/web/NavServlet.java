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
import java.nio.charset.StandardCharsets;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Serves a page of the NameNode with one more entry in its menu, the link to the page of repairs. A
 * page that it does not know, and every page after the plugin has stopped, it passes on as it is.
 * No file on a disk is changed.
 */
@InterfaceAudience.Private
public class NavServlet extends HttpServlet {
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
    PageDesk desk = (PageDesk) getServletContext().getAttribute(PageDesk.ATTRIBUTE);
    byte[] body = desk.isOpen() ? withEntry(page) : page;
    response.setContentType("text/html; charset=utf-8");
    response.setContentLength(body.length);
    response.getOutputStream().write(body);
  }

  /**
   * Adds the entry to a page.
   *
   * @param page a page of the NameNode
   * @return the page with the entry; {@code page} itself if it does not have the menu as known
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
