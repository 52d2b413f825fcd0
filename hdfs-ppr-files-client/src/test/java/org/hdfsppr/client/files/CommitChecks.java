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
package org.hdfsppr.client.files;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.hdfsppr.client.verify.GroupFinding;
import org.hdfsppr.client.verify.Verdict;
import org.hdfsppr.client.verify.VerifyOptions;
import org.hdfsppr.client.verify.VerifySession;
import org.hdfsppr.datanode.RepairCluster;
import org.hdfsppr.operate.WaitingUpdates;

/** What has to hold after a commit. */
final class CommitChecks {
  private final UpdateCluster cluster;

  CommitChecks(UpdateCluster cluster) {
    this.cluster = cluster;
  }

  static byte[] read(FileSystem fs, Path file, int length) throws IOException {
    byte[] read = new byte[length];
    try (FSDataInputStream in = fs.open(file)) {
      in.readFully(0, read);
    }
    return read;
  }

  /** A stock client reads this, and all units of all groups satisfy all relations of the code. */
  void assertCommitted(Path file, byte[] content) throws IOException {
    assertArrayEquals(content, read(cluster.hdfs().fs, file, content.length), "as stock reads");
    assertParities(file);
  }

  void assertParities(Path file) throws IOException {
    AtomicReference<List<GroupFinding>> findings = new AtomicReference<>();
    // A unit may be there twice after a restart, and the NameNode deletes one of both.
    RepairCluster.await("each unit of " + file + " can be read", () -> {
      findings.set(verify(file));
      return findings.get().stream().noneMatch(one -> one.verdict == Verdict.UNREADABLE);
    });
    assertFalse(findings.get().isEmpty());
    for (GroupFinding finding : findings.get()) {
      assertEquals(Verdict.AGREES, finding.verdict, finding.toString());
    }
  }

  private List<GroupFinding> verify(Path file) {
    List<GroupFinding> findings = Collections.synchronizedList(new ArrayList<>());
    try (VerifySession session = VerifySession.open(cluster.clientConf(), file)) {
      session.verify(List.of(file), new VerifyOptions(0, 0, true, 4), findings::add, problem -> {
        throw new AssertionError(problem);
      });
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return findings;
  }

  /** A client of the extension reads this. */
  void assertSeen(Path file, byte[] content) throws IOException {
    try (FileSystem fs = cluster.client()) {
      assertArrayEquals(content, read(fs, file, content.length), "as the extension reads");
    }
  }

  WaitingUpdates pending(Path file) throws IOException {
    return cluster.plugin().pendingUpdates(file.toString());
  }

  void assertTrimmed(Path file) throws IOException {
    WaitingUpdates pending = pending(file);
    assertEquals(0, pending.silentUnits);
    assertEquals(0, pending.updates);
    assertEquals(pending.committed, pending.trimmed);
  }
}
