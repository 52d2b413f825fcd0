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
package org.hdfsppr.it.records;

import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.BindException;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.io.erasurecode.ECSchema;

/**
 * Writes what a release keeps in the namespace and on DataNodes, into a folder. It runs with the
 * jars of that release and Hadoop's, and names all of the release as text, so that it still
 * compiles when this build has moved on. {@code TestWriteOldRecords} starts it.
 */
public final class WriteOldRecords {
  private static final int NODES = 11;
  private static final int CELL = 16 << 10;
  private static final int BYTES = 100;
  private static final String OLD = "RS-6-3-16k";
  private static final String NEW = "HITCHHIKER-XOR-6-3-16k";
  private static final long LIMIT_S = 900;
  private static final String XATTR = "trusted.hdfs-ppr.";
  private static final int HEX_BYTES = 16;

  private final Path out;
  private final Map<String, String> stops = new ConcurrentHashMap<>();
  private final Semaphore stopped = new Semaphore(0);
  private final Map<String, byte[]> contents = new TreeMap<>();
  private final List<String> lines = new ArrayList<>();
  private Configuration conf;
  private MiniDFSCluster cluster;
  private DistributedFileSystem fs;

  private WriteOldRecords(Path out) {
    this.out = out;
  }

  /**
   * Starts a cluster, lets it do all kinds of work, and writes what it keeps.
   *
   * @param args the folder
   */
  public static void main(String[] args) {
    int exit = 1;
    try {
      new WriteOldRecords(Path.of(args[0])).run();
      exit = 0;
    } catch (Exception e) {
      e.printStackTrace();
    } finally {
      // Threads of commits and conversions stand still.
      Runtime.getRuntime().halt(exit);
    }
  }

  private void run() throws Exception {
    hook();
    start();
    images();
    conversions();
    core();
    scrubbed();
    device();
    contents("/.hdfs-ppr");
    contents("/images/disk");
    goneFile();
    write();
  }

  /** A thread of the NameNode that reaches a moment with a path in {@link #stops} stays there. */
  private void hook() throws ReflectiveOperationException {
    Class<?> hook = Class.forName("org.hdfsppr.namenode.version.VersionHook");
    Object stopping = Proxy.newProxyInstance(hook.getClassLoader(), new Class<?>[] {hook},
        (proxy, method, args) -> {
          for (Map.Entry<String, String> stop : stops.entrySet()) {
            if (String.valueOf(args[1]).startsWith(stop.getKey())
                && args[0].toString().equals(stop.getValue())) {
              stops.remove(stop.getKey());
              stopped.release();
              new CountDownLatch(1).await();
            }
          }
          return null;
        });
    Class.forName("org.hdfsppr.namenode.version.VersionHooks").getMethod("set", hook)
        .invoke(null, stopping);
  }

  private void start() throws Exception {
    conf = new HdfsConfiguration();
    File folder = Files.createTempDirectory("old-records").toFile();
    int port = freePort();
    for (String[] setting : new String[][] {
        {MiniDFSCluster.HDFS_MINIDFS_BASEDIR, folder.getPath()},
        {"dfs.datanode.plugins", "org.hdfsppr.datanode.PprDataNodePlugin"},
        {"dfs.namenode.plugins", "org.hdfsppr.namenode.PprNameNodePlugin"},
        {"dfs.datanode.ppr.address", "127.0.0.1:0"},
        {"dfs.namenode.ppr.rpc-address", "127.0.0.1:" + port},
        {"dfs.datanode.ppr.heartbeat.ms", "200"},
        {"dfs.namenode.fs-limits.min-block-size", "1024"},
        {"dfs.bytes-per-checksum", "512"},
        {"dfs.heartbeat.interval", "1"},
        {"dfs.block.access.token.enable", "true"},
        {"dfs.namenode.redundancy.considerLoad", "false"},
        {"dfs.ppr.repair.delay", "1h"},
        {"dfs.namenode.ppr.core.settle.ms", "0"},
        {"dfs.namenode.ppr.core.walk.interval.ms", "1000"},
        {"dfs.namenode.ppr.core.check.interval.ms", "1000"},
        {"dfs.namenode.ppr.commit.grace.ms", "0"},
        {"dfs.namenode.ppr.update.check.interval.ms", "1000"},
        {"dfs.namenode.ppr.scrub.bytes.per-second", "1000000"},
        {"dfs.namenode.ppr.convert.concurrent-jobs", "1"},
        {"dfs.namenode.ppr.scrub.interval.ms", "60000"},
        {"dfs.namenode.ppr.scrub.paths", "/scrubbed"}}) {
      conf.set(setting[0], setting[1]);
    }
    Configuration[] each = new Configuration[NODES];
    for (int i = 0; i < NODES; i++) {
      each[i] = new Configuration(false);
      each[i].set("dfs.datanode.ppr.update.log.dir", logFolder(folder, i));
    }
    cluster = new MiniDFSCluster.Builder(conf).numDataNodes(NODES).dataNodeConfOverlays(each)
        .build();
    cluster.waitActive();
    fs = cluster.getFileSystem();
    conf.set("fs.defaultFS", cluster.getURI().toString());
    conf.set("fs.hdfs.impl", "org.apache.hadoop.hdfs.PprFileSystem");
    conf.set("dfs.client.ppr.updates", "true");
    for (String codec : List.of("rs", "hitchhiker-xor")) {
      String name = fs.addErasureCodingPolicies(new ErasureCodingPolicy[] {
          new ErasureCodingPolicy(new ECSchema(codec, 6, 3), CELL)})[0].getPolicy().getName();
      fs.enableErasureCodingPolicy(name);
    }
  }

  /** Returns a port that no connection of a client gets before the NameNode listens there. */
  private static int freePort() throws IOException {
    Random random = new Random();
    for (int tries = 0; tries < 100; tries++) {
      try (ServerSocket socket = new ServerSocket(10_000 + random.nextInt(20_000))) {
        return socket.getLocalPort();
      } catch (BindException e) {
        System.out.println("WriteOldRecords: another port than " + e.getMessage());
      }
    }
    throw new IOException("no port is free");
  }

  private static String logFolder(File folder, int node) {
    return new File(folder, "log-" + node).getPath();
  }

  private void file(String path, int bytes) throws IOException {
    org.apache.hadoop.fs.Path file = new org.apache.hadoop.fs.Path(path);
    fs.mkdirs(file.getParent());
    fs.setErasureCodingPolicy(file.getParent(), OLD);
    try (FSDataOutputStream stream = fs.create(file, true, 4096, (short) 1, 3L * CELL)) {
      for (int i = 0; i < bytes; i++) {
        stream.write('a' + (path.length() + i) % 26);
      }
    }
  }

  private interface Condition {
    boolean holds() throws Exception;
  }

  private void await(String what, Condition condition) throws Exception {
    System.out.println("WriteOldRecords: until " + what);
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_S);
    while (!condition.holds()) {
      if (System.nanoTime() > end) {
        throw new IOException("not after " + LIMIT_S + " s: " + what);
      }
      TimeUnit.MILLISECONDS.sleep(200);
    }
  }

  private int tried(StringWriter text, String... arguments) throws Exception {
    Supplier<Configuration> supplier = () -> new Configuration(conf);
    PrintWriter writer = new PrintWriter(text, true);
    Method run = Class.forName("org.hdfsppr.client.PprTool").getDeclaredMethod("run",
        Supplier.class, PrintWriter.class, PrintWriter.class, String[].class);
    run.setAccessible(true);
    Object exit = run.invoke(null, supplier, writer, writer, arguments);
    System.out.println("WriteOldRecords: " + String.join(" ", arguments) + ": " + exit + " "
        + text.toString().strip());
    return (Integer) exit;
  }

  /** Runs {@code hdfs ppr} until it ends with 0, as it does when the plugin is in charge. */
  private String command(String... arguments) throws Exception {
    StringWriter[] text = {null};
    await(String.join(" ", arguments), () -> {
      text[0] = new StringWriter();
      return tried(text[0], arguments) == 0;
    });
    return text[0].toString();
  }

  private void background(String... arguments) {
    Thread thread = new Thread(() -> {
      try {
        tried(new StringWriter(), arguments);
      } catch (Exception e) {
        System.out.println("WriteOldRecords: " + e);
      }
    });
    thread.setDaemon(true);
    thread.start();
  }

  private void update(String path, int offset, String text) throws Exception {
    Path bytes = Files.createTempFile("update", "");
    Files.writeString(bytes, text);
    command("-update", path, "-offset", "" + offset, "-from", bytes.toString());
  }

  private void stop(String path, String point) {
    stops.put(path, point);
  }

  private void awaitStopped(String what) throws Exception {
    await(what, () -> stopped.tryAcquire());
  }

  private void images() throws Exception {
    for (String name : List.of("pending", "committed", "committing", "gone")) {
      file("/images/" + name, 3 * CELL);
    }
    command("-updatable", "/images", "-strategy", "collect");
    fs.mkdirs(new org.apache.hadoop.fs.Path("/plain"));
    command("-updatable", "/plain");
    update("/images/pending", 10, "first");
    update("/images/pending", 12, "second");
    update("/images/pending", CELL + 1, "unit 1");
    update("/images/committed", 0, "committed");
    command("-commit", "/images/committed");
    update("/images/committed", 3, "not yet");
    update("/images/gone", 7, "gone");
    update("/images/committing", 2, "to commit");
    stop("/images/committing", "MADE");
    background("-commit", "/images/committing");
    awaitStopped("a commit is in progress");
  }

  /** Returns the id of the job. */
  private String convert(String... arguments) throws Exception {
    List<String> all = new ArrayList<>(List.of("-convert", "-policy", NEW, "-idle", "0"));
    all.addAll(Arrays.asList(arguments));
    String text = command(all.toArray(new String[0]));
    Matcher id = Pattern.compile("convert-[0-9]+-[0-9]+-[a-z0-9]+").matcher(text);
    if (!id.find()) {
      throw new IOException("a job without an id: " + text);
    }
    return id.group();
  }

  private void conversions() throws Exception {
    for (String name : List.of("done/a", "open/b", "waiting/c", "small/d", "paused/e")) {
      file("/convert/" + name, BYTES);
    }
    command("-convert", "-policy", NEW, "-idle", "0", "-grace", "7d", "-wait", "/convert/done");
    command("-convert", "-policy", NEW, "-dry-run", "-wait", "/convert/small");
    stop("/convert/open/b", "MADE");
    convert("-grace", "1h", "-concurrency", "3", "-bandwidth", "10m", "/convert/open");
    awaitStopped("a conversion is in progress");
    convert("-files-only", "-force", "/convert/waiting", "/convert/small");
    command("-convert", "-pause", convert("/convert/paused"));
  }

  private void core() throws Exception {
    for (String name : List.of("one/x", "one/y", "two/x", "two/y")) {
      file("/core/" + name, BYTES);
    }
    command("-core", "-protect", "/core/one", "-t", "2");
    await("a CORE group is formed", () -> records("/.hdfs-ppr/core/groups") == 1);
    stop("/.hdfs-ppr/core/", "MADE");
    command("-core", "-protect", "/core/two", "-t", "2", "-recursive");
    awaitStopped("a CORE group is being formed");
  }

  private int records(String path) throws IOException {
    int records = 0;
    org.apache.hadoop.fs.Path folder = new org.apache.hadoop.fs.Path(path);
    if (fs.exists(folder)) {
      var all = fs.listFiles(folder, true);
      while (all.hasNext()) {
        records += fs.getXAttrs(all.next().getPath()).isEmpty() ? 0 : 1;
      }
    }
    return records;
  }

  private void scrubbed() throws Exception {
    file("/scrubbed/a", BYTES);
    file("/scrubbed/b", BYTES);
    await("background checks take note", () -> fs.getXAttrs(
        new org.apache.hadoop.fs.Path("/scrubbed")).containsKey(XATTR + "scrub"));
  }

  private void device() throws Exception {
    background("-nbd", "--create", "--size", "192k", "--object", "96k", "--unix",
        Files.createTempDirectory("nbd").resolve("socket").toString(), "/images/disk");
    await("a block device is there",
        () -> fs.exists(new org.apache.hadoop.fs.Path("/images/disk/_device")));
  }

  /** DataNodes that do not answer keep the NameNode from forgetting the file. */
  private void goneFile() throws Exception {
    cluster.shutdownDataNodes();
    fs.delete(new org.apache.hadoop.fs.Path("/images/gone"), false);
    await("a file with updates is gone", () -> {
      for (HdfsFileStatus one : list("/.hdfs-ppr/updates")) {
        if (fs.getXAttrs(new org.apache.hadoop.fs.Path("/.hdfs-ppr/updates",
            one.getLocalName())).containsKey(XATTR + "gone-since")) {
          return true;
        }
      }
      return false;
    });
  }

  /** Reads the files that are small and closed. */
  private void contents(String path) throws IOException {
    for (HdfsFileStatus one : list(path)) {
      String full = path + "/" + one.getLocalName();
      if (one.isDirectory()) {
        contents(full);
      } else if (one.getLen() > 0 && one.getLen() <= BYTES
          && fs.isFileClosed(new org.apache.hadoop.fs.Path(full))) {
        byte[] bytes = new byte[(int) one.getLen()];
        try (FSDataInputStream in = fs.open(new org.apache.hadoop.fs.Path(full))) {
          in.readFully(0, bytes);
        }
        contents.put(full, bytes);
      }
    }
  }

  private HdfsFileStatus[] list(String path) throws IOException {
    return fs.getClient().listPaths(path, new byte[0]).getPartialListing();
  }

  private void write() throws Exception {
    Files.createDirectories(out);
    lines.add("# All that hdfs-ppr 0.2.0 keeps in a namespace: see README.md");
    walk("/");
    Files.write(out.resolve("namespace.txt"), lines, StandardCharsets.UTF_8);
    int best = -1;
    long most = 0;
    for (int node = 0; node < NODES; node++) {
      long bytes = segments(node).values().stream().mapToLong(one -> one.length).sum();
      if (bytes > most) {
        most = bytes;
        best = node;
      }
    }
    lines.clear();
    lines.add("# The update log of a DataNode of hdfs-ppr 0.2.0: see README.md");
    segments(best).forEach((name, bytes) -> record(name, bytes));
    Files.write(out.resolve("update-log.txt"), lines, StandardCharsets.UTF_8);
    FileUtil.fullyDelete(new File(conf.get(MiniDFSCluster.HDFS_MINIDFS_BASEDIR)));
  }

  private Map<String, byte[]> segments(int node) throws IOException {
    Map<String, byte[]> segments = new TreeMap<>();
    Path folder = Path.of(logFolder(new File(conf.get(MiniDFSCluster.HDFS_MINIDFS_BASEDIR)),
        node));
    if (!Files.isDirectory(folder)) {
      return segments;
    }
    try (var files = Files.walk(folder)) {
      for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
        segments.put(folder.relativize(file).toString(), Files.readAllBytes(file));
      }
    }
    return segments;
  }

  private void walk(String path) throws IOException {
    for (HdfsFileStatus one : list(path)) {
      String full = (path.equals("/") ? "" : path) + "/" + one.getLocalName();
      org.apache.hadoop.fs.Path at = new org.apache.hadoop.fs.Path(full);
      lines.add("");
      lines.add("# " + full + ": inode " + one.getFileId() + (one.isDirectory() ? ", directory"
          : ", " + one.getLen() + " bytes") + ", " + one.getPermission()
          + (one.getErasureCodingPolicy() == null ? ""
              : ", " + one.getErasureCodingPolicy().getName()));
      new TreeMap<>(fs.getXAttrs(at)).forEach((name, value) -> {
        if (name.startsWith(XATTR)) {
          record(full + " " + name, value);
        }
      });
      if (contents.containsKey(full)) {
        record(full, contents.get(full));
      }
      if (one.isDirectory()) {
        walk(full);
      }
    }
  }

  private void record(String name, byte[] bytes) {
    lines.add("record " + name);
    String text = new String(bytes, StandardCharsets.ISO_8859_1);
    if (bytes.length > 0 && text.chars().allMatch(c -> c == '\n' || c >= ' ' && c < 0x7f)) {
      Arrays.stream(text.split("\n", -1)).forEach(line -> lines.add("| " + line));
      return;
    }
    for (int from = 0; from < bytes.length; from += HEX_BYTES) {
      StringBuilder line = new StringBuilder("x");
      for (int i = from; i < Math.min(bytes.length, from + HEX_BYTES); i++) {
        line.append((i - from) % 2 == 0 ? " " : "").append(String.format("%02x", bytes[i]));
      }
      lines.add(line.toString());
    }
  }
}
