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
package org.hdfsppr.it.cluster;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.JarURLConnection;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;

import org.apache.commons.io.FileUtils;
import org.apache.hadoop.conf.Configuration;

/** Writes the configuration files of the daemons and of clients. */
final class DaemonFiles {

  /**
   * The values that JMX shows are at most this old, if the cluster's specification says nothing
   * else. Hadoop's default is 10 s.
   */
  static final Duration METRICS_PERIOD = Duration.ofMillis(200);

  /**
   * This environment variable lists the loggers of daemons and clients that log at DEBUG, separated
   * by commas.
   */
  private static final String DEBUG = "HDFS_PPR_DEBUG";

  private static final String WEBAPPS = "webapps";
  private static final String STOCK_PAGE = WEBAPPS + "/hdfs/dfshealth.html";

  private DaemonFiles() {
  }

  /**
   * Writes the four files of a conf folder: both site files and the settings of metrics and
   * logging.
   */
  static void writeConf(Path folder, Map<String, String> core, Map<String, String> hdfs, Path log)
      throws IOException {
    Files.createDirectories(folder);
    writeSite(folder.resolve("core-site.xml"), core);
    writeSite(folder.resolve("hdfs-site.xml"), hdfs);
    Files.writeString(folder.resolve("hadoop-metrics2.properties"),
        "*.periodMillis=" + hdfs.getOrDefault(ClusterSpec.METRICS_PERIOD_KEY,
            String.valueOf(METRICS_PERIOD.toMillis())) + "\n");
    List<String> logging = new ArrayList<>(List.of(
        "log4j.rootLogger=INFO,file",
        "log4j.appender.file=org.apache.log4j.FileAppender",
        "log4j.appender.file.File=" + log,
        "log4j.appender.file.layout=org.apache.log4j.PatternLayout",
        // The times are in milliseconds and in UTC (the daemons' time zone), because benchmarks
        // read from the log when a repair began.
        "log4j.appender.file.layout.ConversionPattern=%d{ISO8601} %-5p %c{1} - %m%n"));
    for (String logger : System.getenv().getOrDefault(DEBUG, "").split(",")) {
      if (!logger.isBlank()) {
        logging.add("log4j.logger." + logger.strip() + "=DEBUG");
      }
    }
    Files.write(folder.resolve("log4j.properties"), logging);
  }

  private static void writeSite(Path file, Map<String, String> settings) throws IOException {
    Configuration conf = new Configuration(false);
    new TreeMap<>(settings).forEach(conf::set);
    try (OutputStream out = Files.newOutputStream(file)) {
      conf.writeXml(out);
    }
  }

  /**
   * Writes the daemons' web pages, without which they do not start. These are Hadoop's own if the
   * class path has them, and empty pages if not. The class path of tests has a folder with them,
   * and that of scripts a jar, Hadoop's jar of tests.
   */
  static void writeWebapps(Path folder) throws IOException {
    URL page = DaemonFiles.class.getResource("/" + STOCK_PAGE);
    if (page != null && page.getProtocol().equals("file")) {
      FileUtils.copyDirectory(new File(page.getPath()).getParentFile().getParentFile(),
          folder.resolve(WEBAPPS).toFile());
      return;
    }
    if (page != null && page.openConnection() instanceof JarURLConnection) {
      JarURLConnection connection = (JarURLConnection) page.openConnection();
      connection.setUseCaches(false);
      try (JarFile jar = connection.getJarFile()) {
        copyWebapps(jar, folder);
      }
      return;
    }
    for (String app : List.of("hdfs", "datanode", "journal", "static")) {
      Path webapp = folder.resolve(WEBAPPS).resolve(app);
      Files.createDirectories(webapp);
      Files.writeString(webapp.resolve("index.html"), "<html></html>\n");
    }
  }

  private static void copyWebapps(JarFile jar, Path folder) throws IOException {
    for (JarEntry entry : Collections.list(jar.entries())) {
      Path file = folder.resolve(entry.getName()).normalize();
      if (file.startsWith(folder.resolve(WEBAPPS)) && !entry.isDirectory()) {
        Files.createDirectories(file.getParent());
        try (InputStream in = jar.getInputStream(entry)) {
          Files.copy(in, file, StandardCopyOption.REPLACE_EXISTING);
        }
      }
    }
  }
}
