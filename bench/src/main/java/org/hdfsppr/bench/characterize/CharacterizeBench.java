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
package org.hdfsppr.bench.characterize;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeoutException;

import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.hdfsppr.bench.run.BenchRun;
import org.hdfsppr.bench.run.ByteSize;
import org.hdfsppr.bench.run.Row;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.it.cluster.ClusterOptions;
import org.hdfsppr.it.cluster.ClusterSpec;
import org.hdfsppr.it.cluster.HdfsProcessCluster;
import org.hdfsppr.it.cluster.Rate;
import org.hdfsppr.it.util.Await;
import org.hdfsppr.it.util.EcCode;
import org.hdfsppr.it.util.Shell;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * {@code bench.sh characterize}: the study of online erasure coding by Koh and others (IISWC'17) on
 * HDFS with updates in place. It measures what each byte costs that fio reads from or writes to a
 * block device, from six viewpoints.
 */
@Command(name = "characterize", mixinStandardHelpOptions = true,
    description = "What reads and writes of a block device cost under replication and erasure "
        + "coding: speed, processors, context switches, disks and network, for each byte asked.",
    footer = {"%nExample: bench.sh characterize --schemes replication,rs-6-3 --request 4k,64k"
        + " --op write",
        "A run makes a device for each point: schemes x requests x patterns x operations x states,"
        + " some 30 s each. Links have 1gbit unless --rate says otherwise. 'it/README.md' says what"
        + " is counted."})
@InterfaceAudience.Private
public final class CharacterizeBench implements Callable<Integer> {
  private static final Rate DEFAULT_RATE = Rate.parse("1gbit");
  private static final Duration SETTLE_LIMIT = Duration.ofMinutes(5);
  private static final Duration POLL = Duration.ofMillis(200);
  private static final long MILLIS = 1000;

  /** The old and the new version of a file, its log and its replica, and what else is running. */
  private static final double SPACE_RESERVE = 3;

  @Spec
  private CommandSpec spec;

  @Mixin
  private ClusterOptions clusterOptions;

  @Option(names = "--schemes", split = ",", paramLabel = "SCHEME",
      defaultValue = "replication,rs-6-3,rs-10-4",
      description = "replication (RS(1,2) under the same block device), codes as 'bench.sh repair'"
          + " names them, and stock-replication and stock-CODE: files that Hadoop's own client"
          + " writes and reads in sequence (default: ${DEFAULT-VALUE})")
  private List<String> schemes;

  @Option(names = "--request", split = ",", defaultValue = "1k..128k", paramLabel = "SIZE",
      description = "Bytes of a request: sizes, and ranges of powers of two"
          + " (default: ${DEFAULT-VALUE})")
  private List<String> requests;

  @Option(names = "--pattern", split = ",", defaultValue = "seq,random",
      description = "seq, random (default: ${DEFAULT-VALUE})")
  private List<String> patterns;

  @Option(names = "--op", split = ",", defaultValue = "read,write",
      description = "read, write (default: ${DEFAULT-VALUE})")
  private List<String> operations;

  @Option(names = "--state", split = ",", defaultValue = "pristine,overwritten",
      description = "pristine: a device as it was made; overwritten: all of its bytes were then"
          + " written and committed (default: ${DEFAULT-VALUE})")
  private List<String> states;

  @Option(names = "--depth", defaultValue = "256",
      description = "Requests under way at a time (default: ${DEFAULT-VALUE}, as in the paper)")
  private int depth;

  @Option(names = "--seconds", defaultValue = "10",
      description = "Seconds of each point; it ends earlier when each byte of the device was asked"
          + " once (default: ${DEFAULT-VALUE})")
  private int seconds;

  @Option(names = "--warm-up", defaultValue = "3", paramLabel = "SECONDS",
      description = "Seconds of the same requests at other bytes before each point"
          + " (default: ${DEFAULT-VALUE})")
  private int warmUpSeconds;

  @Option(names = "--first-warm-up", defaultValue = "15", paramLabel = "SECONDS",
      description = "The same before the first point of each scheme and operation, whose daemons"
          + " have just started; at least that of --warm-up, and none if that is 0"
          + " (default: ${DEFAULT-VALUE})")
  private int firstWarmUpSeconds;

  @Option(names = "--idle", defaultValue = "10", paramLabel = "SECONDS",
      description = "Seconds in which the cluster is metered without clients, to take that off"
          + " (default: ${DEFAULT-VALUE})")
  private int idleSeconds;

  @Option(names = "--fsync", defaultValue = "0", paramLabel = "WRITES",
      description = "A flush after so many writes; 0: only one at the end, within the measured time"
          + " (default: ${DEFAULT-VALUE})")
  private int flushEach;

  @Option(names = "--size", defaultValue = "240m", converter = ByteSize.class,
      description = "Bytes of the device, rounded up to whole files (default: ${DEFAULT-VALUE})")
  private long deviceBytes;

  @Option(names = "--object", defaultValue = "30m", converter = ByteSize.class,
      description = "Bytes of each of its files, rounded up to whole stripes; one block group each"
          + " (default: ${DEFAULT-VALUE})")
  private long objectBytes;

  @Option(names = "--client-rate", converter = ClusterOptions.RateConverter.class,
      description = "Rate of the client's link, each way (default: that of a DataNode)")
  private Rate clientRate;

  @Option(names = "--seed", defaultValue = "1",
      description = "Draws the places of random requests (default: ${DEFAULT-VALUE})")
  private long seed;

  @Option(names = "--json", description = "Where the points go, one object each, and one for each"
      + " second of a point")
  private Path json;

  @Option(names = "--png", description = "Where the charts of throughputs go")
  private Path png;

  private final List<PointRecord> records = new ArrayList<>();
  private final List<String> failures = new ArrayList<>();
  private BenchRun bench;

  @Override
  public Integer call() throws IOException, InterruptedException, TimeoutException {
    bench = new BenchRun(spec.commandLine().getOut(), json, png);
    LoadSettings settings = new LoadSettings(deviceBytes, objectBytes, depth, seconds,
        warmUpSeconds, firstWarmUpSeconds, flushEach, seed);
    List<Scheme> wanted = new ArrayList<>();
    for (String scheme : schemes) {
      wanted.add(Scheme.parse(scheme));
    }
    List<LoadPoint> points = LoadPoint.all(wanted, RequestSizes.parse(requests),
        parse(patterns, Places::parse), parse(operations, LoadOperation::parse),
        parse(states, DeviceState::parse));
    ClusterSpec cluster = cluster(wanted, points);
    bench.onCluster(cluster, up -> measureAll(up, points, settings));
    bench.out.println();
    bench.out.println(title(cluster, settings));
    new CharacterizeTable(records).print(bench.out);
    failures.forEach(failure -> bench.say("NOT MEASURED: %s", failure));
    if (!records.isEmpty()) {
      bench.writePngs(() -> new CharacterizeTable(records).charts(), 1);
    }
    return failures.isEmpty() ? 0 : 1;
  }

  private static <T> List<T> parse(List<String> words,
      java.util.function.Function<String, T> parser) {
    Set<T> parsed = new LinkedHashSet<>();
    words.forEach(word -> parsed.add(parser.apply(word)));
    return List.copyOf(parsed);
  }

  private ClusterSpec cluster(List<Scheme> wanted, List<LoadPoint> points)
      throws IOException, InterruptedException {
    if (points.isEmpty()) {
      throw new IllegalArgumentException("There is nothing to measure: stock schemes have points"
          + " for --pattern seq and --state pristine only");
    }
    if (idleSeconds < 1) {
      throw new IllegalArgumentException("--idle is " + idleSeconds + ", and not at least 1");
    }
    ClusterSpec.Builder builder = clusterOptions.toSpec().plugin(true).nameNodePlugin(true)
        .codecs(true);
    if (!builder.build().conf.containsKey(PprKeys.DATANODE_UPDATE_LOG_BYTES_KEY)) {
      builder.conf(PprKeys.DATANODE_UPDATE_LOG_BYTES_KEY,
          String.valueOf(PprKeys.DATANODE_UPDATE_LOG_BYTES_DEFAULT));
    }
    ClusterSpec base = builder.build();
    if (base.rate.isUnlimited() && clusterOptions.canShape()) {
      base = builder.rate(DEFAULT_RATE).build();
    }
    int units = wanted.stream().mapToInt(Scheme::units).max().orElseThrow();
    if (base.nodes < units) {
      throw new IllegalArgumentException("the schemes want at least " + units + " nodes, not "
          + base.nodes);
    }
    Shell.run("fio", "--version");
    return base;
  }

  private void measureAll(HdfsProcessCluster cluster, List<LoadPoint> points,
      LoadSettings settings) throws IOException, InterruptedException, TimeoutException {
    requireSpace(cluster, points, settings);
    bench.say("starting %d nodes", cluster.spec().nodes);
    cluster.up();
    cluster.links().countPeers();
    cluster.createClientPlace(PointTrial.PLACE,
        clientRate == null ? cluster.spec().rate : clientRate);
    try (DistributedFileSystem client = cluster.client()) {
      Set<EcCode> codes = new LinkedHashSet<>();
      points.stream().map(point -> point.scheme).filter(scheme -> !scheme.isReplicated())
          .forEach(scheme -> codes.add(scheme.code()));
      for (EcCode code : codes) {
        code.enable(client);
      }
      UsageMeter meter = new UsageMeter(cluster);
      settle(cluster);
      IdleUsage idle = idle(meter);
      PointTrial trial = new PointTrial(cluster, client, settings, meter);
      int number = 0;
      for (LoadPoint point : points) {
        number++;
        bench.say("%d of %d: %s", number, points.size(), point);
        try {
          records.add(new PointRecord(point, settings, cluster.spec(), idle,
              Runtime.getRuntime().availableProcessors(), trial.measure(point, number)));
        } catch (IOException | TimeoutException e) {
          // The other points are worth their time, and the exit code tells of this one.
          failures.add(point + ": " + e.getMessage());
          bench.say("NOT MEASURED: %s", failures.get(failures.size() - 1));
          continue;
        }
        writeJson();
        say(records.get(records.size() - 1).row(records));
        settle(cluster);
      }
    }
  }

  private static void settle(HdfsProcessCluster cluster)
      throws IOException, InterruptedException, TimeoutException {
    Await.until("the NameNode has nothing to repair or delete", SETTLE_LIMIT, POLL,
        () -> cluster.state().redundancy().isSettled());
  }

  private IdleUsage idle(UsageMeter meter) throws IOException, InterruptedException {
    Usage before = meter.read();
    Thread.sleep(idleSeconds * MILLIS);
    return IdleUsage.of(meter.read().since(before));
  }

  private void writeJson() throws IOException {
    List<Row> rows = new ArrayList<>();
    records.forEach(record -> rows.addAll(record.rows(records)));
    bench.writeJson(rows);
  }

  private void requireSpace(HdfsProcessCluster cluster, List<LoadPoint> points,
      LoadSettings settings) throws IOException {
    long needed = points.stream().map(point -> point.scheme)
        .mapToLong(scheme -> (long) (SPACE_RESERVE * scheme.storedPerByte()
            * (settings.measuredBytes(scheme) + settings.objectBytes(scheme))))
        .max().orElseThrow();
    long usable = Files.getFileStore(cluster.dir()).getUsableSpace();
    if (usable < needed) {
      throw new IOException(needed / (1L << 30) + " GiB may be needed in " + cluster.dir()
          + ", and there are " + usable / (1L << 30) + "; give a smaller --size");
    }
  }

  private void say(Row row) {
    bench.say("  %.2f MB/s, mean %.2f ms, p99 %.2f ms; for each byte: %.1f ns of the cluster's "
        + "processors, %.2f bytes read from and %.2f written to disks, %.2f private, %.2f public",
        row.number("mb_per_s"), row.number("latency_mean_ms"), row.number("latency_p99_ms"),
        row.number("cpu_ns_per_byte"), row.number("storage_read_per_byte"),
        row.number("storage_written_per_byte"), row.number("private_per_byte"),
        row.number("public_per_byte"));
  }

  private String title(ClusterSpec cluster, LoadSettings settings) {
    return String.format(Locale.ROOT, "A block device of %d MiB in files of %d MiB, %d requests at"
        + " a time, %d s each; links %s, %d nodes in %d racks, Hadoop %s", deviceBytes >> 20,
        objectBytes >> 20, settings.depth, settings.seconds, cluster.rate, cluster.nodes,
        cluster.racks, cluster.hadoopVersion);
  }
}
