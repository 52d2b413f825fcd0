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
package org.hdfsppr.namenode;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.util.Time;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.conf.SettingsReader;
import org.hdfsppr.namenode.doctor.Doctor;
import org.hdfsppr.namenode.manage.ManagerService;
import org.hdfsppr.namenode.web.DoctorPages;
import org.hdfsppr.namenode.web.ExplainPages;
import org.hdfsppr.namenode.web.PageSource;
import org.hdfsppr.namenode.web.StaticPages;
import org.hdfsppr.namenode.web.StatusPages;
import org.hdfsppr.namenode.web.VerificationPages;
import org.hdfsppr.namenode.web.WebPages;
import org.hdfsppr.namenode.web.metrics.MetricsPage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes the pages about repairs that the NameNode's web server shows. */
final class WebParts {
  private static final Logger LOG = LoggerFactory.getLogger(WebParts.class);
  private static final int RUN_RADIX = 36;

  private WebParts() {
  }

  /**
   * Adds the pages to the NameNode's web server, if the settings allow it.
   *
   * @param namenode the running NameNode
   * @param service the repair manager whose state the pages show
   * @return removes the pages when it is closed
   * @throws IOException if a file of the jar cannot be read
   */
  static Closeable open(NameNode namenode, ManagerService service) throws IOException {
    if (!new SettingsReader(namenode.getConf()).flag(PprKeys.NAMENODE_WEB_ENABLED_KEY,
        PprKeys.NAMENODE_WEB_ENABLED_DEFAULT)) {
      return () -> { };
    }
    WebPages pages = WebPages.install(namenode.getHttpServer(), sources(service),
        Long.toString(Time.now(), RUN_RADIX));
    LOG.info("The page of repairs is at /ppr/ of this NameNode's web server");
    return pages;
  }

  /**
   * Returns all sources of pages. The first source that has a page at the path of a request
   * answers.
   */
  private static List<PageSource> sources(ManagerService service) throws IOException {
    List<PageSource> sources = new ArrayList<>();
    sources.add(StaticPages.load());
    sources.add(new ExplainPages(service.explainDesk()));
    sources.add(new StatusPages(service::status));
    sources.add(new DoctorPages(service.examination(), new Doctor(service.parts.checks()),
        Time::monotonicNow));
    sources.add(new VerificationPages(service::verification));
    sources.addAll(service.parts.pages());
    sources.add(new MetricsPage(service::status, service.metrics, service.parts.families()));
    return sources;
  }
}
