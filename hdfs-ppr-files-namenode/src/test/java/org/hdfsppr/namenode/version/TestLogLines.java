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
package org.hdfsppr.namenode.version;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.server.namenode.NamespaceAccess;
import org.apache.hadoop.test.GenericTestUtils.LogCapturer;
import org.hdfsppr.datanode.RepairCluster;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** The name of a file may have a line break. What follows it begins no line of the log. */
@Timeout(600)
class TestLogLines {
  private static final String AFTER_BREAK = "forged";
  private static final Path DIRECTORY = new Path("/ec/d\n" + AFTER_BREAK);
  private static final Path FILE = new Path(DIRECTORY, "a\n" + AFTER_BREAK);

  @TempDir
  File directory;
  private VersionCluster cluster;
  private final LogCapturer ours = LogCapturer.captureLogs(
      LoggerFactory.getLogger("org.hdfsppr.namenode"));
  private final LogCapturer swaps = LogCapturer.captureLogs(LoggerFactory.getLogger(
      NamespaceAccess.class.getPackage().getName() + ".VersionSwap"));

  @AfterEach
  void stop() {
    ours.stopCapturing();
    swaps.stopCapturing();
    VersionHooks.set(VersionHook.NONE);
    if (cluster != null) {
      cluster.close();
    }
  }

  /** Allows no file in the directory, so that the NameNode names it in an exception. */
  private void forbidFiles() {
    try {
      cluster.mini().getNameNodeRpc(0).setQuota(DIRECTORY.toUri().getPath(), 1,
          HdfsConstants.QUOTA_DONT_SET, null);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void assertNotForged(LogCapturer log) {
    for (String line : log.getOutput().split("\\R")) {
      assertTrue(!line.startsWith(AFTER_BREAK), "a line begins with '" + line + "': "
          + log.getOutput());
    }
  }

  /** Their sentences say which path, and users get these as they are. */
  @Test
  void outcomesAndAnswersAreOneLineEach() {
    String why = "the path " + FILE.toUri().getPath() + " is taken";
    String line = why.replace('\n', ' ');
    VersionOutcome failed =
        VersionOutcome.notPublished(VersionEnd.FAILED, why, VersionBytes.NONE);
    VersionOutcome refused =
        VersionOutcome.refused(new VersionRefusal(RefusalReason.BUSY, why));
    for (VersionOutcome outcome : List.of(failed, refused)) {
      assertTrue(outcome.toString().contains(line), outcome.toString());
      assertEquals(why, outcome.sentence);
    }
    for (PublishAnswer answer : List.of(PublishAnswer.changed(why), PublishAnswer.broken(why),
        PublishAnswer.refused(RefusalReason.BUSY, why))) {
      assertTrue(answer.toString().contains(line), answer.toString());
    }
  }

  /** The engine, the swap and the janitor each say what has become of the file. */
  @Test
  void noLineBeginsWithWhatFollowsALineBreakInAName() throws Exception {
    cluster = VersionCluster.start(directory);
    cluster.engine();
    cluster.fs().mkdirs(DIRECTORY);
    cluster.write(FILE.toUri().getPath(), (int) VersionCluster.BLOCK, 5);
    VersionHooks.set((point, path) -> {
      if (point == VersionPoint.PUBLISH_MOVED) {
        forbidFiles();
      }
    });
    VersionOutcome outcome = cluster.make(FILE.toUri().getPath(), VersionCluster.XOR);
    assertEquals(VersionEnd.FAILED, outcome.end, outcome.toString());
    assertTrue(swaps.getOutput().contains("did not get its path"), swaps.getOutput());
    assertTrue(swaps.getOutput().contains("QuotaExceededException"), swaps.getOutput());
    assertNotForged(swaps);
    RepairCluster.await("the engine and the janitor have said what is there", () ->
        ours.getOutput().contains("is not published")
            && ours.getOutput().contains("is kept until an operator decides"));
    assertTrue(ours.getOutput().contains("the new version does not get the path now"),
        ours.getOutput());
    assertNotForged(ours);
  }
}
