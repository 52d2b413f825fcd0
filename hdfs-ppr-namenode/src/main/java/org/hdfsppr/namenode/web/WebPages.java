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
import java.util.List;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.http.HttpServer2;

/**
 * Brings pages into the NameNode's own web server while it runs. They are then behind the same
 * filters as the NameNode's pages, and at the same addresses, HTTP and HTTPS. A server has no way
 * to take a servlet out: after {@link #close} all pages answer that the plugin has stopped, until
 * pages are installed again.
 */
@InterfaceAudience.Private
public final class WebPages implements Closeable {
  private static final List<String> NAMENODE_PAGES = List.of("/dfshealth.html", "/explorer.html");

  private final PageDesk desk;

  private WebPages(PageDesk desk) {
    this.desk = desk;
  }

  /**
   * Makes pages readable below {@code /ppr/}.
   *
   * @param server the NameNode's web server, which runs
   * @param sources asked for a page in this order
   * @param run names this run of the plugin, in characters of an ETag; it differs from the names of
   *     earlier runs and of other NameNodes
   * @return takes the pages away
   */
  public static WebPages install(HttpServer2 server, List<PageSource> sources, String run) {
    PageDesk desk = new PageDesk(sources, run);
    boolean again = server.getAttribute(PageDesk.ATTRIBUTE) != null;
    server.setAttribute(PageDesk.ATTRIBUTE, desk);
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
}
