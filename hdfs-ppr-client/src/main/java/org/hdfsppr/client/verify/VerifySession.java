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
package org.hdfsppr.client.verify;

import java.io.Closeable;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.PprDFSClient;
import org.apache.hadoop.hdfs.PprFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.apache.hadoop.util.Daemon;
import org.hdfsppr.client.read.LocatedUnits;
import org.hdfsppr.client.read.ReadContext;
import org.hdfsppr.client.read.ReadSettings;
import org.hdfsppr.coder.code.Codes;
import org.hdfsppr.coder.code.LinearCode;
import org.hdfsppr.coder.gf.Kernels;
import org.hdfsppr.coder.gf.RegionKernel;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.plan.UnitHolder;
import org.hdfsppr.plan.ZeroSumPlan;
import org.hdfsppr.plan.ZeroSumPlanner;
import org.hdfsppr.stream.BufferPool;
import org.hdfsppr.stream.FreshBuffers;
import org.hdfsppr.stream.LocalServers;
import org.hdfsppr.stream.TransferConnector;
import org.hdfsppr.verify.GroupReadings;
import org.hdfsppr.verify.ReadWatch;
import org.hdfsppr.verify.WrongSlices;
import org.hdfsppr.verify.WrongUnitEvidence;
import org.hdfsppr.wire.RequestBounds;

/**
 * Verifies files of one HDFS with the rights of the current user. It only reads. One thread uses it
 * at a time.
 */
@InterfaceAudience.Private
public final class VerifySession implements Closeable {
  private static final String SCHEME = "hdfs";
  private static final String LOOPBACK = "127.";
  /**
   * A DataNode counts as dead after this time without a byte at the earliest, ms. A repair waits
   * for the same time. A read gives the DataNode up earlier, because a user waits for the read. If
   * a check did so, it would call good units unreadable where links are slow or busy.
   */
  private static final int STALL_MS_LEAST = PprKeys.DATANODE_STALL_TIMEOUT_MS_DEFAULT;

  /** The client's configuration */
  public final Configuration conf;
  private final PprFileSystem fs;
  private final ReadContext context;
  /** What has been found so far; any thread may read it */
  public final Tally tally = new Tally();
  private long replicatedFiles;
  private long groupsSeen;

  private VerifySession(Configuration conf, PprFileSystem fs) {
    this.conf = conf;
    this.fs = fs;
    this.context = ((PprDFSClient) fs.getClient()).readContext();
  }

  /**
   * Connects to a file system.
   *
   * @param configuration the client's configuration, which stays as it is
   * @param path a path of the file system; the default one if the path has no scheme
   * @return the session, which the caller has to close
   * @throws IOException if the file system is not an HDFS or cannot be opened
   * @throws IllegalArgumentException if a setting has an invalid value; the message names it
   */
  public static VerifySession open(Configuration configuration, Path path) throws IOException {
    URI uri = path.toUri().getScheme() == null ? FileSystem.getDefaultUri(configuration)
        : path.toUri();
    if (!SCHEME.equals(uri.getScheme())) {
      throw new IOException(uri + " is no HDFS");
    }
    Configuration conf = new Configuration(configuration);
    conf.set("fs.hdfs.impl", PprFileSystem.class.getName());
    // A client without degraded reads does not make the object that connects to the repair ports of
    // DataNodes.
    conf.set(PprKeys.CLIENT_DEGRADED_READ_KEY, PprKeys.CLIENT_DEGRADED_READ_DEFAULT);
    FileSystem fs = FileSystem.newInstance(uri, conf);
    if (!(fs instanceof PprFileSystem)) {
      fs.close();
      throw new IOException(uri + " is not opened by " + PprFileSystem.class.getName());
    }
    return new VerifySession(conf, (PprFileSystem) fs);
  }

  /**
   * Checks the groups of files. Groups that come into being after their directory was listed are
   * not checked.
   *
   * @param paths files and directories of this file system
   * @param options what to check
   * @param findings takes the finding of each group, one at a time, from several threads
   * @param problems takes a sentence about each directory that cannot be listed
   * @throws IOException if a path does not exist or cannot be listed, or the NameNode does not
   *     answer; the message is a sentence for people
   */
  public void verify(List<Path> paths, VerifyOptions options, Consumer<GroupFinding> findings,
      Consumer<String> problems) throws IOException {
    try {
      run(paths, options, findings, problems);
    } catch (IOException e) {
      throw Sentences.isOfNetwork(e) ? new IOException(Sentences.of(e), e) : e;
    }
  }

  private void run(List<Path> paths, VerifyOptions options, Consumer<GroupFinding> findings,
      Consumer<String> problems) throws IOException {
    GroupVerification check = checks(options.allRelations)
        .apply(new NameNodeLookup(fs.getClient(), this::code));
    Consumer<String> counted = problem -> {
      tally.problem();
      problems.accept(problem);
    };
    try (ParallelVerifier<GroupSpot, GroupFinding> verifier =
        new ParallelVerifier<>(options.groupsAtATime, check::check,
            spot -> GroupFinding.of(spot, Verdict.NOT_CHECKED, Sentences.ERROR),
            finding -> {
              tally.add(finding);
              findings.accept(finding);
            })) {
      if (options.sample == 0) {
        walk(paths, spot -> {
          groupsSeen++;
          verifier.submit(spot);
        }, counted);
      } else {
        Sample sample = new Sample(options.sample, options.seed);
        walk(paths, sample, counted);
        groupsSeen = sample.seen();
        sample.drainTo(verifier::submit);
      }
      verifier.finish();
    }
  }

  /**
   * Finds the block groups of files.
   *
   * @param paths files and directories of this file system
   * @param groups takes each block group
   * @param problems takes a sentence about each directory that cannot be listed
   * @throws IOException if a path does not exist or cannot be listed, or the NameNode does not
   *     answer
   */
  public void walk(List<Path> paths, Consumer<GroupSpot> groups, Consumer<String> problems)
      throws IOException {
    FileWalk walk = new FileWalk(fs);
    for (Path path : paths) {
      walk.walk(fs.makeQualified(path), groups, problems);
    }
    replicatedFiles = walk.replicatedFiles();
  }

  /**
   * Returns a function that makes a check. A check gets its groups from the lookup that the
   * function is given. All checks of one function share memory for sums.
   *
   * @param all whether to check each independent equation of a code by itself, instead of one sum
   *     of all
   * @return makes checks, which read from this session's DataNodes
   */
  public Function<GroupLookup, GroupVerification> checks(boolean all) {
    Readings readings = readings();
    HelperOrder order = new HelperOrder(this::repairPort);
    return lookup -> new GroupVerification(lookup, readings, order, TimeUnit.MILLISECONDS::sleep,
        all);
  }

  /**
   * Finds the code of a policy.
   *
   * @param policy the policy of a file
   * @return its code
   * @throws IOException if there is no such code; the message says why
   */
  public LinearCode code(ErasureCodingPolicy policy) throws IOException {
    return Codes.forCodec(conf, policy.getCodecName(), policy.getNumDataUnits(),
        policy.getNumParityUnits());
  }

  private TreeReadings readings() {
    ReadSettings settings = context.settings;
    return new TreeReadings(context.connector, Kernels.select(settings.kernel),
        new BufferPool(settings.bufferBytes()), Math.max(STALL_MS_LEAST, settings.stallTimeoutMs),
        System::nanoTime);
  }

  /**
   * Returns a DataNode's repair port. All DataNodes have the same one, except for DataNodes in this
   * JVM.
   */
  private int repairPort(DatanodeInfo node) {
    Integer local = node.getIpAddr().startsWith(LOOPBACK)
        ? LocalServers.port(node.getXferPort()) : null;
    return local == null ? context.settings.repairPort : local;
  }

  /** @return the URI of the file system */
  public URI uri() {
    return fs.getUri();
  }

  /** @return files that were found and not checked, because they are not erasure-coded */
  public long replicatedFiles() {
    return replicatedFiles;
  }

  /** @return groups that were found, of which a sample may have been checked */
  public long groupsSeen() {
    return groupsSeen;
  }

  @Override
  public void close() throws IOException {
    fs.close();
  }

  /**
   * Finds the block groups of files and of all files below directories. It lists directories in
   * parts, as the NameNode sends them, and remembers only the directories that it still has to
   * list. The NameNode bounds how many entries a directory may have. Used by one thread.
   */
  static final class FileWalk {
    private final DistributedFileSystem fs;
    private long replicatedFiles;

    FileWalk(DistributedFileSystem fs) {
      this.fs = fs;
    }

    /** The files that were found and have no block groups, because they are not erasure-coded. */
    long replicatedFiles() {
      return replicatedFiles;
    }

    /**
     * Finds all groups of a file or below a directory.
     *
     * @param groups takes each group
     * @param problems takes a sentence about each directory below that cannot be listed
     * @throws IOException if the path itself does not exist or cannot be listed
     */
    void walk(Path path, Consumer<GroupSpot> groups, Consumer<String> problems)
        throws IOException {
      Deque<Path> ahead = new ArrayDeque<>();
      list(path, ahead, groups);
      while (!ahead.isEmpty()) {
        Path next = ahead.pop();
        try {
          list(next, ahead, groups);
        } catch (FileNotFoundException e) {
          // It was deleted meanwhile, so that there is nothing to check any more.
          continue;
        } catch (IOException e) {
          problems.accept(next.toUri().getPath() + " could not be listed: "
              + Sentences.of(e));
        }
      }
    }

    private void list(Path path, Deque<Path> ahead, Consumer<GroupSpot> groups)
        throws IOException {
      RemoteIterator<LocatedFileStatus> entries = fs.listLocatedStatus(path);
      while (entries.hasNext()) {
        LocatedFileStatus entry = entries.next();
        if (entry.isDirectory()) {
          ahead.push(entry.getPath());
        } else if (entry.isFile()) {
          groupsOf(entry, groups);
        }
      }
    }

    private void groupsOf(LocatedFileStatus file, Consumer<GroupSpot> groups) {
      LocatedBlocks blocks = file instanceof HdfsLocatedFileStatus
          ? ((HdfsLocatedFileStatus) file).getLocatedBlocks() : null;
      if (blocks == null || !file.isErasureCoded()) {
        replicatedFiles++;
        return;
      }
      String name = file.getPath().toUri().getPath();
      for (LocatedBlock block : blocks.getLocatedBlocks()) {
        if (block instanceof LocatedStripedBlock) {
          groups.accept(new GroupSpot(name, block.getStartOffset(),
              block.getBlock().getBlockId()));
        }
      }
    }
  }

  /**
   * Checks several groups at a time, and makes a finding for each. If many groups wait to be
   * checked, the thread that submits groups has to wait. One thread submits groups. The findings
   * come from several threads, one after the other.
   *
   * @param <T> what is checked
   * @param <F> what is found
   */
  public static final class ParallelVerifier<T, F> implements Closeable {
    private final ThreadPoolExecutor threads;
    private final Function<T, F> check;
    private final Function<T, F> failure;
    private final Consumer<F> findings;

    /**
     * @param atATime how many groups are checked at the same time at most; as many more may wait
     * @param check checks a group, and throws nothing
     * @param failure makes the finding of a group whose check was ended by an error
     * @param findings takes the findings, one at a time
     */
    public ParallelVerifier(int atATime, Function<T, F> check, Function<T, F> failure,
        Consumer<F> findings) {
      this.check = check;
      this.failure = failure;
      this.findings = findings;
      threads = new ThreadPoolExecutor(atATime, atATime, 0, TimeUnit.SECONDS,
          new ArrayBlockingQueue<>(atATime), new Daemon.DaemonFactory());
      threads.setRejectedExecutionHandler((work, pool) -> waitFor(work));
    }

    /**
     * Submits a group to be checked. Waits while too many groups wait.
     *
     * @param group the group
     */
    public void submit(T group) {
      threads.execute(() -> {
        // An error, such as a lack of memory, ends the thread. Without a finding, the group would
        // be missing in the tally, and all would seem to be fine.
        F finding = failure.apply(group);
        try {
          finding = check.apply(group);
        } finally {
          synchronized (this) {
            findings.accept(finding);
          }
        }
      });
    }

    private void waitFor(Runnable work) {
      try {
        threads.getQueue().put(work);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("The verification was interrupted", e);
      }
    }

    /**
     * Waits until all groups are checked. This ends, because each check takes a bounded time, and
     * only a bounded number of groups wait.
     *
     * @throws IOException if the wait is interrupted
     */
    public void finish() throws IOException {
      threads.shutdown();
      try {
        while (!threads.awaitTermination(1, TimeUnit.MINUTES)) {
          continue;
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw (IOException) new InterruptedIOException("The verification was interrupted")
            .initCause(e);
      }
    }

    /** Ends all checks. */
    @Override
    public void close() {
      threads.shutdownNow();
    }
  }

  /**
   * Chooses some of the groups that it is given, each with the same probability, without knowing
   * how many there are (reservoir sampling). It remembers only the chosen ones. Used by one thread.
   */
  static final class Sample implements Consumer<GroupSpot> {
    private static final class Chosen {
      private final long number;
      private final GroupSpot spot;

      Chosen(long number, GroupSpot spot) {
        this.number = number;
        this.spot = spot;
      }
    }

    private final int most;
    private final SplittableRandom random;
    private final List<Chosen> chosen = new ArrayList<>();
    private long seen;

    /**
     * @param most how many groups to choose
     * @param seed the same seed chooses the same groups of the same files
     */
    Sample(int most, long seed) {
      this.most = most;
      this.random = new SplittableRandom(seed);
    }

    @Override
    public void accept(GroupSpot spot) {
      long number = seen++;
      if (chosen.size() < most) {
        chosen.add(new Chosen(number, spot));
        return;
      }
      // The next group takes one of the places with the probability most / seen.
      long place = random.nextLong(seen);
      if (place < most) {
        chosen.set((int) place, new Chosen(number, spot));
      }
    }

    /** Passes the chosen groups on, in the order in which they came. */
    void drainTo(Consumer<GroupSpot> groups) {
      chosen.sort(Comparator.comparingLong(each -> each.number));
      chosen.forEach(each -> groups.accept(each.spot));
    }

    /** How many groups there were to choose from. */
    long seen() {
      return seen;
    }
  }

  /** Reads groups through the servers of hdfs-ppr's plugins on their DataNodes. Thread-safe. */
  static final class TreeReadings implements Readings {
    private static final AtomicLong SERIAL = new AtomicLong();

    private final GroupReadings.Parts parts;

    /**
     * @param connector opens connections to DataNodes
     * @param kernel multiplies and adds
     * @param buffers memory for sums
     * @param stallTimeoutMs time without a byte after which a DataNode counts as dead
     * @param nanoClock a monotonic clock, nanoseconds
     */
    TreeReadings(TransferConnector connector, RegionKernel kernel, BufferPool buffers,
        int stallTimeoutMs,
        LongSupplier nanoClock) {
      parts = new GroupReadings.Parts(connector, kernel, buffers, new FreshBuffers(),
          stallTimeoutMs, nanoClock);
    }

    @Override
    public WrongSlices sums(LocatedUnits group, ZeroSumPlan plan) throws IOException {
      return readings(group).sums(plan);
    }

    @Override
    public WrongUnitEvidence oneByOne(LocatedUnits group, ZeroSumPlanner planner,
        List<UnitHolder> live,
        List<Integer> slices) throws IOException {
      return readings(group).oneByOne(planner, live, slices);
    }

    private GroupReadings readings(LocatedUnits group) {
      return new GroupReadings(parts, "verify-" + SERIAL.incrementAndGet(),
          group.layout(), source -> group.unit(source.unit).getBlockToken(), ReadWatch.NONE,
          // No node reaches this rate. The limit says that repairs may go first.
          RequestBounds.BYTES_PER_SECOND_MAX);
    }
  }
}
