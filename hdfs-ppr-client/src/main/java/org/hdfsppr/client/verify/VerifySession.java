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
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.PprDFSClient;
import org.apache.hadoop.hdfs.PprFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.security.UserGroupInformation;
import org.hdfsppr.client.plugin.PluginColumns;
import org.hdfsppr.client.read.ReadContext;
import org.hdfsppr.client.read.ReadSettings;
import org.hdfsppr.coder.code.Codes;
import org.hdfsppr.coder.code.LinearCode;
import org.hdfsppr.coder.gf.Kernels;
import org.hdfsppr.column.SquareBlocks;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.stream.BufferPool;
import org.hdfsppr.stream.LocalServers;

/**
 * Verifies files of one HDFS with the rights of the current user. It only reads. One thread uses it
 * at a time.
 */
@InterfaceAudience.Private
public final class VerifySession implements Closeable {
  private static final String SCHEME = "hdfs";
  private static final String LOOPBACK = "127.";
  /**
   * The least time without a byte after which a DataNode counts as dead, ms: as long as in a
   * repair. A read gives it up earlier, because its user waits. A check that does so calls good
   * units unreadable where links are slow or busy.
   */
  private static final int STALL_MS_LEAST = PprKeys.DATANODE_STALL_TIMEOUT_MS_DEFAULT;

  private final Configuration conf;
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
    // A client without degraded reads would not have what connects to the DataNodes' repair ports.
    conf.set(PprKeys.CLIENT_DEGRADED_READ_KEY, PprKeys.CLIENT_DEGRADED_READ_DEFAULT);
    FileSystem fs = FileSystem.newInstance(uri, conf);
    if (!(fs instanceof PprFileSystem)) {
      fs.close();
      throw new IOException(uri + " is not opened by " + PprFileSystem.class.getName());
    }
    return new VerifySession(conf, (PprFileSystem) fs);
  }

  /**
   * Checks the groups of files. Groups that begin after the walk has passed their directory are not
   * checked.
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
    GroupCheck check = new GroupCheck(new NameNodeLookup(fs.getClient(), this::code), readings(),
        new HelperOrder(this::repairPort), TimeUnit.MILLISECONDS::sleep, options.allRelations);
    FileWalk walk = new FileWalk(fs);
    Consumer<String> counted = problem -> {
      tally.problem();
      problems.accept(problem);
    };
    try (Verifier<GroupSpot, GroupFinding> verifier = new Verifier<>(options.groupsAtATime,
        check::check, spot -> GroupFinding.of(spot, Verdict.NOT_CHECKED, Sentences.ERROR),
        finding -> {
          tally.add(finding);
          findings.accept(finding);
        })) {
      if (options.sample == 0) {
        for (Path path : paths) {
          walk.walk(fs.makeQualified(path), spot -> {
            groupsSeen++;
            verifier.submit(spot);
          }, counted);
        }
      } else {
        Sample sample = new Sample(options.sample, options.seed);
        for (Path path : paths) {
          walk.walk(fs.makeQualified(path), sample, counted);
        }
        groupsSeen = sample.seen();
        sample.drainTo(verifier::submit);
      }
      replicatedFiles = walk.replicatedFiles();
      verifier.finish();
    }
  }

  /**
   * Checks the columns of the CORE groups in which files are. The caller has to have the right to
   * read all files of a group.
   *
   * @param paths files and directories of this file system
   * @param atATime the most block groups of a CORE group that are checked at the same time
   * @param findings takes each finding, one at a time, from several threads
   * @param problems takes a sentence about each directory that cannot be listed, and about each
   *     file whose groups cannot be asked for
   * @return what was found in all
   * @throws IOException if a path does not exist or cannot be listed, or the NameNode does not
   *     answer; the message is a sentence for people
   */
  public SquareTally checkColumns(List<Path> paths, int atATime, Consumer<SquareFinding> findings,
      Consumer<String> problems) throws IOException {
    PluginColumns columns = new PluginColumns(conf, fs.getUri(),
        UserGroupInformation.getCurrentUser());
    SquareCheck check = new SquareCheck(columns::square, this::code, readings(),
        new HelperOrder(this::repairPort), TimeUnit.MILLISECONDS::sleep);
    SquareTally found = new SquareTally();
    FileWalk walk = new FileWalk(fs);
    try (Verifier<SquareBlocks, SquareFinding> verifier = new Verifier<>(atATime, check::check,
        SquareFinding::failed, finding -> {
          found.add(finding);
          findings.accept(finding);
        })) {
      SquareWalk squares = new SquareWalk(columns::square, verifier::submit, problems, found);
      for (Path path : paths) {
        walk.walk(fs.makeQualified(path), squares, problem -> {
          found.problem();
          problems.accept(problem);
        });
      }
      verifier.finish();
    } catch (UncheckedIOException e) {
      throw new IOException("The NameNode's hdfs-ppr does not say which files share a CORE group: "
          + Sentences.of(e.getCause()), e.getCause());
    } catch (IOException e) {
      throw Sentences.isOfNetwork(e) ? new IOException(Sentences.of(e), e) : e;
    }
    return found;
  }

  private LinearCode code(ErasureCodingPolicy policy) throws IOException {
    return Codes.forCodec(conf, policy.getCodecName(), policy.getNumDataUnits(),
        policy.getNumParityUnits());
  }

  private TreeReadings readings() {
    ReadSettings settings = context.settings;
    return new TreeReadings(context.connector, Kernels.select(settings.kernel),
        new BufferPool(settings.bufferBytes()), Math.max(STALL_MS_LEAST, settings.stallTimeoutMs),
        System::nanoTime);
  }

  /** All DataNodes have the same port, except for DataNodes in this JVM. */
  private int repairPort(DatanodeInfo node) {
    Integer local = node.getIpAddr().startsWith(LOOPBACK)
        ? LocalServers.port(node.getXferPort()) : null;
    return local == null ? context.settings.repairPort : local;
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
}
