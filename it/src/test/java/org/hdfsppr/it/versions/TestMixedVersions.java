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
package org.hdfsppr.it.versions;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.hdfsppr.it.cluster.LogSince;
import org.hdfsppr.it.cluster.Masters;
import org.hdfsppr.it.convert.PprCommand;
import org.hdfsppr.it.util.Await;
import org.hdfsppr.it.util.EcCode;
import org.hdfsppr.namenode.version.VersionPoint;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Two NameNodes share a cluster, and one of them runs the release before this one. Each ends the
 * conversions that the other one has begun, at whatever moment that one dies or loses its role.
 *
 * <p>{@code -Dversions.points=LINKED,PUBLISHED} chooses the moments.
 */
@Tag("process")
@ExtendWith(SaidCases.class)
@EnabledIfSystemProperty(named = OlderRelease.PROPERTY, matches = ".+",
    disabledReason = OlderRelease.MISSING)
class TestMixedVersions extends Crashes {
  private static final EcCode FROM = VersionFile.CODES.get(0);
  private static final EcCode TO = VersionFile.CODES.get(1);
  /** Two full groups, and one whose last stripe is not full. */
  private static final long FILE_BYTES =
      2 * VersionFile.BLOCK_BYTES * FROM.dataUnits() + (9L << 20) + 123;
  private static final long SMALL_BYTES = 70_000;
  private static final int SMALL_FILES = 48;
  /** How often the role moves while small files are converted. */
  private static final int FAILOVERS = 6;
  private static final Duration LIMIT = Duration.ofMinutes(4);
  private static final Duration POLL = Duration.ofMillis(100);
  private static final String ALL_KNOW = "All NameNodes know shards";
  private static final String OLDER_IS_THERE = "knows shards: " + MixedPair.OLDER_NAME + " (older)";

  private MixedPair pair;
  private int written;

  TestMixedVersions() {
    super("vmixed", true, OlderRelease.on(MixedPair.OLDER_NAME));
  }

  @BeforeAll
  void makePair() {
    pair = new MixedPair(cluster());
  }

  private VersionFile write() throws IOException, InterruptedException, TimeoutException {
    return VersionFile.write(cluster(), new Path("/mixed/" + written++ + "/f"), FROM, FILE_BYTES,
        SEED + written);
  }

  /** Checks files of one directory, which have been converted. */
  private void checkAll(List<VersionFile> files)
      throws IOException, InterruptedException, TimeoutException {
    new NothingLeft(cluster()).await(files.get(0).path.getParent());
    for (VersionFile file : files) {
      file.check(cluster());
      file.checkXAttr(cluster().client());
      assertEquals(TO.policy(), file.policy(cluster().client()));
    }
    pair.checkFlat();
    pair.awaitStandbyFollows();
  }

  static Stream<Arguments> deaths() {
    return MixedPair.eachActive("versions.points", VersionPoint.ofConversions());
  }

  @ParameterizedTest
  @MethodSource("deaths")
  void theOtherEndsWhatOneHasBegun(VersionPoint point, int active) throws Exception {
    cluster().processes.nameNodes().failOver(active);
    VersionFile file = write();
    cluster().stops.request(point);
    try (PprCommand command = ConvertCall.start(cluster(), TO, file.path)) {
      cluster().stops.awaitStopped(STOP_LIMIT);
      cluster().killActiveNameNode();
      pair.checkFlat();
      assertEquals(0, command.await(ConvertCall.LIMIT), command::text);
    }
    checkAll(List.of(file));
  }

  /** Looks at all paths again and again, while the role moves. */
  private final class Watcher implements AutoCloseable {
    private final List<VersionFile> files;
    private final List<String> wrong = new ArrayList<>();
    private final boolean mayFail;
    private final AtomicInteger rounds = new AtomicInteger();
    private final AtomicInteger failures = new AtomicInteger();
    private final AtomicBoolean isEnding = new AtomicBoolean();
    private final ExecutorService thread = Executors.newSingleThreadExecutor();
    private final Future<?> running;

    /**
     * @param mayFail whether reads may fail, because a NameNode that has just started does not know
     *     all units yet
     */
    Watcher(List<VersionFile> files, boolean mayFail) {
      this.files = files;
      this.mayFail = mayFail;
      this.running = thread.submit(() -> {
        watch();
        return null;
      });
    }

    private void watch() throws IOException {
      try (DistributedFileSystem client = cluster().processes.client()) {
        while (!isEnding.get()) {
          for (VersionFile file : files) {
            try {
              if (!file.content.isIn(client, file.path)) {
                wrong.add(file + " has other bytes");
              }
            } catch (FileNotFoundException e) {
              wrong.add(file + " is not there: " + e.getMessage());
            } catch (IOException e) {
              if (!mayFail) {
                throw e;
              }
              failures.incrementAndGet();
            }
          }
          rounds.incrementAndGet();
        }
      }
    }

    /** Ends it, and returns what it has found. */
    List<String> end() throws Exception {
      isEnding.set(true);
      running.get(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
      System.out.println("TestMixedVersions: " + rounds + " rounds over " + files.size()
          + " files, " + failures + " reads failed");
      return wrong;
    }

    @Override
    public void close() {
      isEnding.set(true);
      thread.shutdownNow();
    }
  }

  private long converted(List<VersionFile> files) throws IOException {
    long converted = 0;
    for (VersionFile file : files) {
      converted += file.policy(cluster().client()).equals(TO.policy()) ? 1 : 0;
    }
    return converted;
  }

  /** At each moment, each path has its file, with the bytes that were written. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void theRoleMovesToAndFro(boolean isKilled) throws Exception {
    Masters nameNodes = cluster().processes.nameNodes();
    nameNodes.failOver(MixedPair.NEW);
    Path folder = new Path("/mixed/many-" + isKilled);
    List<VersionFile> files = new ArrayList<>();
    for (int i = 0; i < SMALL_FILES; i++) {
      files.add(VersionFile.write(cluster(), new Path(folder, "f" + i), FROM, SMALL_BYTES,
          SEED + i));
    }
    try (Watcher watcher = new Watcher(files, isKilled);
        PprCommand command = ConvertCall.start(cluster(), TO, folder)) {
      for (int i = 0; i < FAILOVERS; i++) {
        long wanted = (i + 1) * SMALL_FILES / (FAILOVERS + 2);
        Await.until(() -> wanted + " files are converted: " + command.text(), LIMIT, POLL,
            () -> converted(files) >= wanted);
        if (isKilled) {
          cluster().killActiveNameNode();
        } else {
          nameNodes.failOver(MixedPair.NEW + MixedPair.OLDER - nameNodes.active().getAsInt());
        }
        pair.checkFlat();
      }
      assertEquals(0, command.await(ConvertCall.LIMIT), command::text);
      assertEquals(List.of(), watcher.end());
    }
    checkAll(files);
  }

  private void awaitSaid(LogSince log, String words)
      throws IOException, InterruptedException, TimeoutException {
    Await.until("the new NameNode says: " + words, LIMIT, POLL,
        () -> log.firstMs(line -> line.contains(words)).isPresent());
  }

  /** Converts a file, and returns the versions that are in shards shortly before the end. */
  private List<String> convert(VersionFile file) throws Exception {
    cluster().stops.request(VersionPoint.VERIFIED);
    try (PprCommand command = ConvertCall.start(cluster(), TO, file.path)) {
      cluster().stops.awaitStopped(STOP_LIMIT);
      List<String> inShards = pair.inShards();
      cluster().stops.clear();
      assertEquals(0, command.await(ConvertCall.LIMIT), command::text);
      return inShards;
    }
  }

  @Test
  void shardsAreUsedWhileBothKnowThem() throws Exception {
    LogSince log = LogSince.now(cluster().processes.nameNodes().daemon(MixedPair.NEW).log());
    pair.restartSecond(false);
    awaitSaid(log, ALL_KNOW);
    VersionFile sharded = write();
    assertNotEquals(List.of(), convert(sharded), "versions in shards");
    checkAll(List.of(sharded));

    LogSince later = LogSince.now(cluster().processes.nameNodes().daemon(MixedPair.NEW).log());
    pair.restartSecond(true);
    awaitSaid(later, OLDER_IS_THERE);
    VersionFile flat = write();
    assertEquals(List.of(), convert(flat), "versions in shards");
    checkAll(List.of(flat));
    cluster().processes.nameNodes().failOver(MixedPair.OLDER);
    assertTrue(sharded.content.isIn(cluster().client(), sharded.path), "content");
    assertTrue(flat.content.isIn(cluster().client(), flat.path), "content");
  }
}
