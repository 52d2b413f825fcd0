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
package org.hdfsppr.client.files.command;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ipc.ProtobufRpcEngine2;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.ipc.StandbyException;
import org.hdfsppr.client.command.NameNodePair;
import org.hdfsppr.datanode.SampleAnswers;
import org.hdfsppr.operate.CommitStatus;
import org.hdfsppr.operate.ConversionAction;
import org.hdfsppr.operate.ConversionRequest;
import org.hdfsppr.operate.ConversionState;
import org.hdfsppr.operate.ConversionStatus;
import org.hdfsppr.operate.CoreDirectory;
import org.hdfsppr.operate.CoreRefusedException;
import org.hdfsppr.operate.CoreStatus;
import org.hdfsppr.operate.FinalizedRecords;
import org.hdfsppr.operate.GroupAnswer;
import org.hdfsppr.operate.GroupSubmission;
import org.hdfsppr.operate.Leftovers;
import org.hdfsppr.operate.PprClientProtocol;
import org.hdfsppr.operate.PprClientProtocolPB;
import org.hdfsppr.operate.PprClientServerTranslator;
import org.hdfsppr.operate.SpreadAnswer;
import org.hdfsppr.operate.SpreadPlace;
import org.hdfsppr.operate.SubmissionTerms;
import org.hdfsppr.operate.TicketRequest;
import org.hdfsppr.operate.UnitGrant;
import org.hdfsppr.operate.UnusedGroup;
import org.hdfsppr.operate.WaitingUpdates;
import org.hdfsppr.operate.proto.ClientProtos.PprClientService;

/** The plugins of two NameNodes, which share one list of jobs. One of them is active. */
final class CannedPlugins implements AutoCloseable {
  private final List<RPC.Server> servers = new ArrayList<>();
  final List<ConversionRequest> requests = new ArrayList<>();
  final List<String> actions = new ArrayList<>();
  /** The next answers about moves. */
  final List<SpreadAnswer> spreads = new ArrayList<>();
  volatile ConversionStatus job;
  volatile CoreDirectory core;
  /** The CORE groups that are not used and named, and how many there are. */
  volatile List<UnusedGroup> unused = List.of();
  volatile long unusedGroups;
  /** All jobs; null if {@link #job} is the only one. */
  volatile List<ConversionStatus> jobs;
  /** A call about a commit takes the first of these answers; the last one is never taken away. */
  final Deque<CommitStatus> commits = new ArrayDeque<>(List.of(
      CommitStatus.of("c1", "/images/disk", CommitStatus.State.PUBLISHED,
          commit -> commit.setCommit(3).setUpdates(2).setBytes(8192).setGroups(1))));
  volatile WaitingUpdates pending;
  /** What is said of CORE; null if {@link #core} is all. */
  volatile CoreStatus coreStatus;
  volatile boolean isUpdatabilityChanged = true;
  volatile FinalizedRecords finalized =
      new FinalizedRecords(FinalizedRecords.NEVER, false, "");
  volatile Leftovers leftovers = new Leftovers.Builder().build();
  /** Which of them is active; another number for none. */
  volatile int active;
  /** Refuses the next calls with this, in order. */
  final List<IOException> failures = new ArrayList<>();

  private final class Plugin implements PprClientProtocol {
    private final int number;

    Plugin(int number) {
      this.number = number;
    }

    private void check() throws IOException {
      if (number != active) {
        throw new StandbyException("standby");
      }
      synchronized (failures) {
        if (!failures.isEmpty()) {
          throw failures.remove(0);
        }
      }
    }

    @Override
    public Set<String> features() {
      return Set.of(VERSION_SHARDS);
    }

    @Override
    public FinalizedRecords finalizeRecords(boolean isFinalized) throws IOException {
      check();
      actions.add("finalize" + (isFinalized ? " go" : ""));
      return finalized;
    }

    @Override
    public Leftovers leftovers(boolean isCleared) throws IOException {
      check();
      actions.add("leftovers" + (isCleared ? " clear" : ""));
      return leftovers;
    }

    @Override
    public ConversionStatus submitConversion(ConversionRequest request) throws IOException {
      synchronized (requests) {
        requests.add(request);
      }
      check();
      if (job == null || !job.id.equals(request.id)) {
        job = ConversionStatus.of(request.id, ConversionState.QUEUED, request.options).with(s -> s
            .setUser("alice").addAllPaths(request.paths).setSubmittedMs(1_000).setStartedMs(0)
            .setEndedMs(0));
      }
      return job;
    }

    @Override
    public List<ConversionStatus> conversions(String jobId) throws IOException {
      check();
      if (jobId != null && (job == null || !job.id.equals(jobId))) {
        throw new FileNotFoundException("There is no job " + jobId);
      }
      if (jobs != null && jobId == null) {
        return jobs;
      }
      return job == null ? List.of() : List.of(job);
    }

    @Override
    public ConversionStatus steerConversion(String jobId, ConversionAction action)
        throws IOException {
      check();
      actions.add(action + " " + jobId);
      return conversions(jobId).get(0);
    }

    @Override
    public CoreDirectory protectDirectory(String path, boolean isRecursive, OptionalInt files)
        throws IOException {
      check();
      actions.add("protect " + path + (isRecursive ? " recursive" : "") + " " + files.orElse(0));
      core = CoreDirectory.of(path, files.orElse(5), isRecursive).with(d -> d.setUser("alice"));
      return core;
    }

    @Override
    public SubmissionTerms beginSubmission(String path, boolean isRecursive, OptionalInt files)
        throws IOException {
      return new SubmissionTerms(protectDirectory(path, isRecursive, files), 25, 0, 1, List.of());
    }

    @Override
    public List<GroupAnswer> submitGroups(GroupSubmission submission) throws IOException {
      check();
      actions.add("submit " + submission.path + " " + submission.groups);
      return Collections.nCopies(submission.groups.size(), GroupAnswer.TAKEN);
    }

    @Override
    public SpreadAnswer planSpread(String path, SpreadPlace from) throws IOException {
      check();
      actions.add("spread " + path + " from " + from);
      return spreads.remove(0);
    }

    @Override
    public boolean setUpdatable(String directory, boolean isUpdatable, String strategy)
        throws IOException {
      check();
      actions.add((isUpdatable ? "updatable " : "not updatable ") + directory
          + (strategy == null ? "" : " " + strategy));
      return isUpdatabilityChanged;
    }

    @Override
    public CommitStatus commit(String path, String id) throws IOException {
      check();
      synchronized (commits) {
        return commits.size() > 1 ? commits.remove() : commits.element();
      }
    }

    @Override
    public WaitingUpdates pendingUpdates(String path) throws IOException {
      check();
      return pending != null ? pending : SampleAnswers.waiting(path);
    }

    @Override
    public boolean isUpdatable(String file) throws IOException {
      check();
      return false;
    }

    @Override
    public List<UnitGrant> tickets(TicketRequest request) throws IOException {
      check();
      return List.of();
    }

    @Override
    public CoreDirectory unprotectDirectory(String path) throws IOException {
      check();
      actions.add("unprotect " + path);
      return coreStatus(path).directories.get(0);
    }

    @Override
    public CoreStatus coreStatus(String path) throws IOException {
      check();
      if (coreStatus != null) {
        return coreStatus;
      }
      if (path != null && (core == null || !core.path.equals(path))) {
        throw new CoreRefusedException(path + " is not protected");
      }
      return new CoreStatus("", core == null ? List.of() : List.of(core), 7,
          Map.of("member_gone", 2L), 1).withUnused(unused, unusedGroups).withKept(2)
          .withLosses(3, 1);
    }
  }

  CannedPlugins() throws IOException {
    Configuration conf = new Configuration(false);
    RPC.setProtocolEngine(conf, PprClientProtocolPB.class, ProtobufRpcEngine2.class);
    for (int i = 0; i < 2; i++) {
      RPC.Server server = new RPC.Builder(conf).setProtocol(PprClientProtocolPB.class)
          .setInstance(PprClientService.newReflectiveBlockingService(
              new PprClientServerTranslator(new Plugin(i))))
          .setBindAddress("localhost").setPort(0).setNumHandlers(1).build();
      server.start();
      servers.add(server);
    }
  }

  /** Returns the configuration of a client of both NameNodes. */
  Configuration client() {
    Configuration conf = NameNodePair.of("nn0", "nn1");
    for (int i = 0; i < 2; i++) {
      conf.set("dfs.namenode.rpc-address.ns.nn" + i, "localhost:1");
      conf.set("dfs.namenode.ppr.rpc-address.ns.nn" + i,
          "localhost:" + servers.get(i).getListenerAddress().getPort());
    }
    return conf;
  }

  void fail(IOException next) {
    synchronized (failures) {
      failures.add(next);
    }
  }

  static IOException busy() {
    return new RetriableException("Other users' calls are being answered; try again");
  }

  void stop(int number) {
    servers.get(number).stop();
  }

  @Override
  public void close() {
    servers.forEach(RPC.Server::stop);
  }
}
