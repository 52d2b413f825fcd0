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

import com.sun.management.OperatingSystemMXBean;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.http.HttpServer2;
import org.apache.log4j.FileAppender;
import org.apache.log4j.Logger;
import org.apache.log4j.PatternLayout;

/**
 * Measures the processor time that a NameNode's web server takes for many viewers of a large
 * cluster's repairs. The viewers are a process of their own. {@link TestViewerLoad} runs the case
 * of the page; as a program, this class runs all cases:
 *
 * <pre>java -cp CLASSPATH org.hdfsppr.namenode.web.ViewerLoad [SECONDS]</pre>
 */
@InterfaceAudience.Private
public final class ViewerLoad {
  private static final int SECONDS = 30;
  private static final int WARM_UP_SECONDS = 15;
  private static final int CORE_PERCENT = 100;
  private static final OperatingSystemMXBean PROCESS =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private ViewerLoad() {
  }

  /** What the viewers cost in a case, and how long they waited. */
  static final class Cost {
    /** The processor time of the process with the web server, as a part of a core's. */
    final double ofCore;
    final long slowestStatusMs;

    private Cost(double ofCore, long slowestStatusMs) {
      this.ofCore = ofCore;
      this.slowestStatusMs = slowestStatusMs;
    }
  }

  /**
   * Runs all cases and prints a line for each.
   *
   * @param args the seconds for which each case is measured
   */
  public static void main(String[] args) throws Exception {
    int seconds = args.length > 0 ? Integer.parseInt(args[0]) : SECONDS;
    printHead(seconds);
    warmUp(seconds);
    for (String ask : List.of("page", "status", "all")) {
      for (boolean tags : new boolean[] {true, false}) {
        measure(1_000, ask, tags, true, seconds);
      }
    }
    measure(250, "page", true, true, seconds);
    measure(250, "all", true, true, seconds);
    measure(1_000, "page", true, false, seconds);
    measure(Long.MAX_VALUE, "all", true, true, seconds);
  }

  private static void printHead(int seconds) throws IOException {
    logRequestsToFile();
    System.out.printf(Locale.ROOT, "%d viewers, %d groups, %d nodes, %d s each%n",
        LoadViewers.VIEWERS, SampleDocuments.GROUPS, SampleDocuments.NODES, seconds);
    System.out.println("| version every | viewers ask for | If-None-Match | gzip | requests/s |"
        + " 304 | sent KB/s | process, % of a core | web threads, % of a core |"
        + " slowest status, ms |");
    System.out.println("|---|---|---|---|---|---|---|---|---|---|");
  }

  /** Measures a case for the compiler's sake: a NameNode runs for months. */
  private static void warmUp(int seconds) throws Exception {
    measure(250, "all", true, true, seconds);
    System.out.println("| (the line above is the warm-up) | | | | | | | | | |");
  }

  /** Measures what viewers of the whole page cost while its documents change every second. */
  static Cost ofThePage(int seconds) throws Exception {
    printHead(seconds);
    warmUp(seconds);
    return measure(1_000, "page", true, true, seconds);
  }

  /**
   * Lets the web server's log of requests go to a file of its own, as in a NameNode. The output of
   * a test goes through a pipe to another process, which costs several times as much.
   */
  private static void logRequestsToFile() throws IOException {
    Path file = Files.createTempFile("requests", ".log");
    file.toFile().deleteOnExit();
    Logger requests = Logger.getLogger("http.requests.namenode");
    requests.removeAllAppenders();
    requests.setAdditivity(false);
    requests.addAppender(new FileAppender(new PatternLayout("%d{ISO8601} %p %c: %m%n"),
        file.toString()));
  }

  private static Cost measure(long versionMs, String ask, boolean tags, boolean gzip, int seconds)
      throws Exception {
    HttpServer2 server = new HttpServer2.Builder().setName("hdfs")
        .addEndpoint(URI.create("http://127.0.0.1:0")).setConf(new Configuration()).build();
    server.start();
    long began = System.nanoTime();
    LongSupplier version =
        () -> TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began) / versionMs;
    WebPages.install(server, List.of(new SampleDocuments(version)),
        "load");
    try {
      Process viewers = new ProcessBuilder(
          Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp",
          new File(ViewerLoad.class.getProtectionDomain().getCodeSource().getLocation().toURI())
              .getPath(), LoadViewers.class.getName(),
          Integer.toString(server.getConnectorAddress(0).getPort()), ask, Boolean.toString(tags),
          Boolean.toString(gzip), Integer.toString(WARM_UP_SECONDS), Integer.toString(seconds))
          .redirectError(ProcessBuilder.Redirect.INHERIT).start();
      try (BufferedReader said = new BufferedReader(
          new InputStreamReader(viewers.getInputStream(), StandardCharsets.UTF_8))) {
        expect("begin", said.readLine());
        long nanos = System.nanoTime();
        long process = PROCESS.getProcessCpuTime();
        long web = webThreadsNanos();
        String result = said.readLine();
        double over = System.nanoTime() - nanos;
        double processShare = (PROCESS.getProcessCpuTime() - process) / over;
        double webShare = (webThreadsNanos() - web) / over;
        return print(versionMs, ask, tags, gzip, result, over / TimeUnit.SECONDS.toNanos(1),
            processShare, webShare);
      } finally {
        viewers.destroyForcibly().waitFor();
      }
    } finally {
      server.stop();
    }
  }

  private static Cost print(long versionMs, String ask, boolean tags, boolean gzip, String result,
      double seconds, double processShare, double webShare) throws IOException {
    if (result == null) {
      throw new IOException("the viewers ended before their time");
    }
    String[] counts = result.split(" ");
    expect("requests", counts[0]);
    System.out.printf(Locale.ROOT, "| %s | %s | %s | %s | %.0f | %.0f %% | %.0f | %.1f | %.1f |"
        + " %s |%n",
        versionMs == Long.MAX_VALUE ? "never" : versionMs + " ms", ask, tags ? "yes" : "no",
        gzip ? "yes" : "no", Long.parseLong(counts[1]) / seconds,
        100.0 * Long.parseLong(counts[2]) / Long.parseLong(counts[1]),
        Long.parseLong(counts[3]) / seconds / 1_000, processShare * CORE_PERCENT,
        webShare * CORE_PERCENT, counts[4]);
    return new Cost(processShare, Long.parseLong(counts[4]));
  }

  private static void expect(String word, String said) throws IOException {
    if (!word.equals(said)) {
      throw new IOException("the viewers said '" + said + "' and not '" + word + "'");
    }
  }

  /** Returns the processor time of all threads of web servers, ns. Jetty begins their names so. */
  private static long webThreadsNanos() {
    long sum = 0;
    for (ThreadInfo thread : THREADS.getThreadInfo(THREADS.getAllThreadIds())) {
      if (thread != null && thread.getThreadName().startsWith("qtp")) {
        sum += Math.max(0, THREADS.getThreadCpuTime(thread.getThreadId()));
      }
    }
    return sum;
  }
}
