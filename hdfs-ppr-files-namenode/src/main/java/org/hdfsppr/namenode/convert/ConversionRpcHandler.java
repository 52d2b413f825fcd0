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
package org.hdfsppr.namenode.convert;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.security.AccessControlException;
import org.hdfsppr.namenode.version.FileFacts;
import org.hdfsppr.namenode.version.PolicyFacts;
import org.hdfsppr.namenode.version.RefusalReason;
import org.hdfsppr.namenode.version.VersionEngine;
import org.hdfsppr.namenode.version.VersionRefusal;
import org.hdfsppr.namenode.version.VersionRequest;
import org.hdfsppr.namenode.walk.TreeWalk;
import org.hdfsppr.operate.ConversionAction;
import org.hdfsppr.operate.ConversionOptions;
import org.hdfsppr.operate.ConversionProtocol;
import org.hdfsppr.operate.ConversionRefusedException;
import org.hdfsppr.operate.ConversionRequest;
import org.hdfsppr.operate.ConversionStatus;

/**
 * Takes the calls of users about conversions. It checks the rights of the caller and what else it
 * can check at once; {@link ConversionJobs} does the rest on its own thread. Thread-safe.
 */
@InterfaceAudience.Private
public final class ConversionRpcHandler extends UserDesk implements ConversionProtocol {
  /**
   * How long a call may take, ms: as long as several steps of the jobs. Then the client gets an
   * exception, and calls again.
   */
  private static final long ANSWER_MS_MAX = 5_000;
  private static final String NONE_TAKEN = " and takes no conversions";

  private final ConversionJobs conversions;
  private final ConvertGate gate;
  private final VersionEngine engine;
  private final Clock clock;

  /**
   * @param conversions has the jobs
   * @param gate says whether this NameNode takes jobs
   * @param engine looks up files and policies
   * @param users checks the rights of the caller of the present RPC
   */
  public ConversionRpcHandler(ConversionJobs conversions, ConvertGate gate, VersionEngine engine,
      RpcCaller users) {
    super(users, gate, ConversionRefusedException::new);
    this.conversions = conversions;
    this.gate = gate;
    this.engine = engine;
    this.clock = Clock.systemUTC();
  }

  private void checkTaken() throws IOException {
    checkActive();
    if (!gate.isActive()) {
      // In safe mode the plugin is not active either. Checked first, because a StandbyException
      // would make the client turn to the other NameNode.
      checkSafeMode(NONE_TAKEN);
    }
  }

  @Override
  public ConversionStatus submitConversion(ConversionRequest wanted) throws IOException {
    checkTaken();
    Optional<String> whyNot = gate.whyNoJobs();
    if (whyNot.isPresent()) {
      throw new ConversionRefusedException("This NameNode takes no conversions: " + whyNot.get());
    }
    checkSafeMode(NONE_TAKEN);
    String user = users.name();
    PolicyFacts policy = policy(wanted.options.policy);
    // This look-up ignores the case of the name, but HDFS needs the exact name elsewhere.
    ConversionOptions options = wanted.options.with(o -> o.setPolicy(policy.name));
    ConversionRequest request = new ConversionRequest(wanted.id, options,
        paths(wanted.paths));
    Optional<ConversionStatus> there = conversions.jobs().orElse(List.of()).stream()
        .filter(job -> job.id.equals(request.id)).findFirst();
    if (there.isEmpty()) {
      checkGrace(options);
      // Not checked for a job that the client sends a second time: it may have begun to change its
      // files.
      try {
        checkPaths(request, user, policy);
      } catch (AccessControlException e) {
        audit(false, request);
        throw e;
      }
    }
    ConversionStatus job =
        conversions.call(() -> conversions.submit(request, user), ANSWER_MS_MAX);
    if (there.isEmpty()) {
      audit(true, request);
    }
    return withReads(job);
  }

  /** For a dry run, adds how many DataNodes cannot tell now whether clients read old versions. */
  private ConversionStatus withReads(ConversionStatus job) {
    return job.options.dryRun
        ? gate.unseenReads().map(job::withUnseenReads).orElse(job) : job;
  }

  /**
   * Checks how long old versions are to be kept. No quota counts them, so a user that is no
   * superuser may not keep them for longer than the configuration says.
   */
  private void checkGrace(ConversionOptions options) throws IOException {
    long most = conversions.graceMsMax();
    if (options.graceMs != ConversionOptions.UNSET && options.graceMs > most
        && !users.isSuperuser()) {
      throw new ConversionRefusedException("Old versions of files are kept for " + most / 1_000
          + " s at the most (dfs.namenode.ppr.version.grace.ms), because no quota counts them; only"
          + " superusers may keep them for longer");
    }
  }

  private void audit(boolean isAllowed, ConversionRequest request) throws IOException {
    users.audit(isAllowed, "pprConvert " + request.id, String.join(",", request.paths));
  }

  private PolicyFacts policy(String name) throws IOException {
    PolicyFacts found = engine.policy(name).orElseThrow(() -> new ConversionRefusedException(
        "There is no erasure coding policy '" + name + "'; 'hdfs ec -listPolicies' lists all,"
        + " 'hdfs ec -addPolicies' adds one"));
    if (!found.enabled) {
      throw new ConversionRefusedException(
          "The policy " + found.name + " is not enabled; 'hdfs ec -enablePolicy"
          + " -policy " + found.name + "' does that");
    }
    return found;
  }

  /**
   * Returns paths as the NameNode writes them, without duplicates, and without paths below other
   * ones.
   */
  private List<String> paths(List<String> wanted) throws IOException {
    Set<String> paths = new LinkedHashSet<>();
    for (String text : wanted) {
      String path = path(text);
      checkNoSnapshot(path, "file");
      if (names(path).contains(".hdfs-ppr") || path.startsWith("/.reserved")) {
        throw new ConversionRefusedException(path + " is reserved; name files of users");
      }
      checkWrittenOut(path);
      paths.add(path);
    }
    // A path below another one is left out, because it is converted together with that one.
    return paths.stream().filter(path ->
        paths.stream().noneMatch(other -> TreeWalk.isBelow(path, other)))
        .collect(Collectors.toList());
  }

  private void checkPaths(ConversionRequest request, String user, PolicyFacts policy)
      throws IOException {
    ConversionOptions options = conversions.complete(request.options);
    List<VersionRefusal> refusals = new ArrayList<>();
    int files = 0;
    for (String path : request.paths) {
      PathStatus status = users.status(path).orElseThrow(() -> new FileNotFoundException(path
          + " does not exist; check the name"));
      if (status.directory) {
        users.checkDirectory(path, !options.dryRun);
        continue;
      }
      files++;
      FileFacts facts = engine.facts(path, user);
      VersionRequest.Builder version = VersionRequest.of(request.id, path, status.inodeId)
          .user(user).policy(policy.name).force(options.force)
          .idleMs(options.idleMs);
      engine.rules().check(facts, version.build(), Optional.of(policy), clock.millis())
          // A file that already has the policy is no reason to refuse: a user may repeat a command.
          .filter(refusal -> refusal.reason != RefusalReason.SAME_POLICY)
          .ifPresent(refusals::add);
    }
    if (files == request.paths.size() && refusals.size() == files
        && !options.dryRun) {
      // The user has named files only, and not one of them would be converted.
      if (refusals.stream().anyMatch(one -> one.reason == RefusalReason.NO_PERMISSION)) {
        audit(false, request);
      }
      throw new ConversionRefusedException(refusals.stream().map(refusal -> refusal.sentence)
          .collect(Collectors.joining("; ")));
    }
  }

  @Override
  public List<ConversionStatus> conversions(String jobId) throws IOException {
    checkTaken();
    List<ConversionStatus> all = conversions.jobs().orElseThrow(
        () -> new RetriableException("This NameNode has not read its conversion jobs yet"));
    String user = users.name();
    boolean isSuperuser = users.isSuperuser();
    List<ConversionStatus> jobs = all.stream()
        .filter(job -> jobId == null || job.id.equals(jobId))
        .map(job -> isSuperuser || job.user.equals(user) ? job : job.forOthers())
        // With the failures of all jobs, the answer could be larger than an RPC allows.
        .map(job -> jobId == null ? job.withoutFailures() : withReads(job))
        .collect(Collectors.toList());
    if (jobId != null && jobs.isEmpty()) {
      throw ConversionJobs.noJob(jobId);
    }
    return jobs;
  }

  @Override
  public ConversionStatus steerConversion(String jobId, ConversionAction action)
      throws IOException {
    checkTaken();
    String user = users.name();
    boolean isSuperuser = users.isSuperuser();
    String operation = "pprConvert " + action.word();
    ConversionStatus after =
        audited(operation, jobId, () -> steer(jobId, action, user, isSuperuser));
    users.audit(true, operation, jobId);
    return withReads(after);
  }

  private ConversionStatus steer(String jobId, ConversionAction action, String user,
      boolean isSuperuser) throws IOException {
    return conversions.call(() -> {
      ConversionStatus job = conversions.jobs().orElse(List.of()).stream()
          .filter(one -> one.id.equals(jobId)).findFirst()
          .orElseThrow(() -> ConversionJobs.noJob(jobId));
      if (!isSuperuser && !job.user.equals(user)) {
        throw new AccessControlException("User " + user + " may not " + action.word() + " job "
            + jobId + ", which is another user's; only its owner and superusers may");
      }
      return conversions.steer(jobId, action);
    }, ANSWER_MS_MAX);
  }
}
