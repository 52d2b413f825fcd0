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

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.hdfsppr.namenode.model.GroupPolicy;
import org.hdfsppr.namenode.version.CodePaths;
import org.hdfsppr.namenode.version.EngineStatus;
import org.hdfsppr.namenode.version.EngineStatuses;
import org.hdfsppr.namenode.version.FileFacts;
import org.hdfsppr.namenode.version.ParityOutcome;
import org.hdfsppr.namenode.version.ParityRequest;
import org.hdfsppr.namenode.version.PolicyFacts;
import org.hdfsppr.namenode.version.VersionBytes;
import org.hdfsppr.namenode.version.VersionEnd;
import org.hdfsppr.namenode.version.VersionEngine;
import org.hdfsppr.namenode.version.VersionOutcome;
import org.hdfsppr.namenode.version.VersionRequest;
import org.hdfsppr.namenode.version.VersionRules;
import org.hdfsppr.operate.Leftovers;

/** An engine whose versions end when a test says so, or at once. */
final class ScriptedEngine implements VersionEngine {
  static final String FROM = "RS-3-2-1024k";
  static final String TO = "RS-LEGACY-3-2-1024k";
  static final String OTHER = "RS-6-3-1024k";

  /** The versions that are under way, by path. */
  final Map<String, CompletableFuture<VersionOutcome>> running = new LinkedHashMap<>();
  final List<VersionRequest> requests = new ArrayList<>();
  final Map<String, FileFacts> facts = new LinkedHashMap<>();
  final List<String> cancelled = new ArrayList<>();
  volatile boolean isActive = true;
  /** How many versions it takes at a time. */
  int places = 100;
  /** Ends each version at once, if it is not null. */
  volatile VersionOutcome atOnce;

  private static PolicyFacts facts(String name, String codec, int k, int m, boolean isEnabled) {
    return new PolicyFacts(name, new GroupPolicy(codec, k, m, 1 << 20), isEnabled);
  }

  @Override
  public boolean isActive() {
    return isActive;
  }

  @Override
  public long activeMs() {
    throw new UnsupportedOperationException();
  }

  @Override
  public void survey(Leftovers.Builder left, boolean isCleared, long msMax) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Optional<String> whyNoCommit() {
    return Optional.empty();
  }

  @Override
  public synchronized Optional<CompletableFuture<VersionOutcome>> submit(VersionRequest request) {
    if (!isActive || running.size() >= places) {
      return Optional.empty();
    }
    requests.add(request);
    if (atOnce != null) {
      return Optional.of(CompletableFuture.completedFuture(atOnce));
    }
    CompletableFuture<VersionOutcome> future = new CompletableFuture<>();
    running.put(request.path, future);
    return Optional.of(future);
  }

  void end(String path, VersionOutcome outcome) {
    running.remove(path).complete(outcome);
  }

  void publish(String path) {
    end(path, VersionOutcome.published(new VersionBytes(1, 300, 0, 200, 400)));
  }

  @Override
  public Optional<CompletableFuture<ParityOutcome>> submit(ParityRequest request) {
    throw new UnsupportedOperationException("No test of conversions makes parity files");
  }

  @Override
  public synchronized void cancel(String jobId) {
    cancelled.add(jobId);
    for (String path : new ArrayList<>(running.keySet())) {
      end(path, VersionOutcome.notPublished(VersionEnd.CANCELLED, "cancelled",
          VersionBytes.NONE));
    }
  }

  @Override
  public FileFacts facts(String path, String user) {
    return facts.getOrDefault(path, FileFacts.of(path, FileFacts.Kind.FILE, 1)
        .with(f -> f.policy = policy(FROM).orElseThrow()).build());
  }

  @Override
  public Optional<PolicyFacts> policy(String name) {
    return Stream.of(facts(FROM, "rs", 3, 2, true), facts(TO, "rs-legacy", 3, 2, true),
        facts(OTHER, "rs", 6, 3, true), facts("RS-OFF-3-2-1024k", "rs-off", 3, 2, false))
        .filter(one -> one.name.equalsIgnoreCase(name)).findFirst();
  }

  @Override
  public VersionRules rules() {
    return new VersionRules(new CodePaths() {
      @Override
      public Optional<String> whyNot(GroupPolicy from, GroupPolicy to) {
        return Optional.empty();
      }

      @Override
      public boolean keepsFirstParity(GroupPolicy from, GroupPolicy to) {
        return true;
      }
    }, group -> false);
  }

  @Override
  public VersionBytes price(FileFacts file, PolicyFacts target) {
    return new VersionBytes(1, 30, 0, 20, 40);
  }

  @Override
  public EngineStatus status() {
    return EngineStatuses.waiting("all places are taken");
  }

  @Override
  public void close() {
    isActive = false;
  }
}
