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
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A client does something to the file while its version is made. */
@Tag("slow")
@Timeout(600)
class TestVersionRaces {
  private static final VersionPoint[] POINTS = {VersionPoint.RECORDED, VersionPoint.GROUP_ADDED,
      VersionPoint.LINKS_ORDERED, VersionPoint.MADE, VersionPoint.VERIFIED,
      VersionPoint.PUBLISHED};
  private static final int FILE_BYTES = (int) (VersionCluster.BLOCK * 6 + 70_001);
  private static final byte[] MORE = {1, 2, 3};

  @TempDir
  File directory;
  private VersionCluster cluster;
  private DistributedFileSystem fs;
  private int files;

  @BeforeEach
  void start() throws Exception {
    cluster = VersionCluster.start(directory);
    fs = cluster.fs();
  }

  @AfterEach
  void stop() {
    cluster.close();
  }

  private interface Act {
    void on(Path file) throws IOException;
  }

  private interface Check {
    void of(Path file, byte[] data, VersionPoint point, VersionOutcome outcome)
        throws IOException;
  }

  /** Lets a client act when versions of new files reach each of the points. */
  private void atEachPoint(Act act, Check check) throws Exception {
    for (VersionPoint wanted : POINTS) {
      Path parent = new Path("/ec/d" + files);
      fs.mkdirs(parent);
      Path file = new Path(parent, "f" + files++);
      byte[] data = cluster.write(file.toString(), FILE_BYTES, files);
      AtomicBoolean isDone = new AtomicBoolean();
      AtomicReference<String> failure = new AtomicReference<>("");
      VersionHooks.set((point, path) -> {
        if (point == wanted && path.equals(file.toString()) && !isDone.getAndSet(true)) {
          try {
            act.on(file);
          } catch (IOException | RuntimeException e) {
            failure.set(wanted + ": " + e);
          }
        }
      });
      VersionOutcome outcome = cluster.make(file.toString(), VersionCluster.XOR);
      VersionHooks.set(VersionHook.NONE);
      assertTrue(isDone.get(), wanted.toString());
      assertEquals("", failure.get());
      check.of(file, data, wanted, outcome);
      cluster.awaitNothingLeft();
    }
  }

  private static VersionEnd endIfChanged(VersionPoint point) {
    return point == VersionPoint.PUBLISHED ? VersionEnd.PUBLISHED : VersionEnd.CHANGED;
  }

  private void assertContent(Path file, byte[] data) throws IOException {
    cluster.assertContent(file.toString(), data);
  }

  @Test
  void append() throws Exception {
    atEachPoint(file -> {
      try (OutputStream out =
          fs.append(file, EnumSet.of(CreateFlag.APPEND, CreateFlag.NEW_BLOCK), 4096, null)) {
        out.write(MORE);
      }
    }, (file, data, point, outcome) -> {
      assertEquals(endIfChanged(point), outcome.end, point + " " + outcome);
      byte[] all = Arrays.copyOf(data, data.length + MORE.length);
      System.arraycopy(MORE, 0, all, data.length, MORE.length);
      assertContent(file, all);
    });
  }

  @Test
  void renameOfTheFile() throws Exception {
    atEachPoint(file -> assertTrue(fs.rename(file, file.suffix(".moved"))),
        (file, data, point, outcome) -> {
          assertEquals(endIfChanged(point), outcome.end, point + " " + outcome);
          assertContent(file.suffix(".moved"), data);
          assertFalse(fs.exists(file));
        });
  }

  @Test
  void renameOfTheDirectory() throws Exception {
    atEachPoint(file -> assertTrue(fs.rename(file.getParent(), file.getParent().suffix(".moved"))),
        (file, data, point, outcome) -> {
          assertEquals(VersionEnd.PUBLISHED, outcome.end, point + " " + outcome);
          Path moved = new Path(file.getParent().suffix(".moved"), file.getName());
          assertContent(moved, data);
          assertEquals(VersionCluster.XOR, cluster.policyOf(moved.toString()));
        });
  }

  @Test
  void delete() throws Exception {
    atEachPoint(file -> assertTrue(fs.delete(file.getParent(), true)),
        (file, data, point, outcome) -> {
          assertEquals(endIfChanged(point), outcome.end, point + " " + outcome);
          assertFalse(fs.exists(file));
        });
    cluster.awaitReplicas(0);
  }

  @Test
  void anotherFileInItsPlace() throws Exception {
    atEachPoint(file -> cluster.write(file.toString(), 100, 7), (file, data, point, outcome) -> {
      assertEquals(endIfChanged(point), outcome.end, point + " " + outcome);
      assertEquals(100, fs.getFileStatus(file).getLen());
    });
  }

  @Test
  void snapshots() throws Exception {
    fs.allowSnapshot(new Path("/ec"));
    atEachPoint(file -> fs.createSnapshot(new Path("/ec"), "s" + file.getName()),
        (file, data, point, outcome) -> {
          assertEquals(VersionEnd.PUBLISHED, outcome.end, point + " " + outcome);
          assertContent(file, data);
          assertContent(new Path("/ec/.snapshot/s" + file.getName() + "/"
              + file.getParent().getName() + "/" + file.getName()), data);
        });
  }

  @Test
  void permissionAndStoragePolicy() throws Exception {
    atEachPoint(file -> {
      fs.setPermission(file, new FsPermission((short) 0604));
      fs.setStoragePolicy(file, "ALL_SSD");
      fs.setErasureCodingPolicy(file.getParent(), VersionCluster.LRC);
    }, (file, data, point, outcome) -> {
      assertEquals(VersionEnd.PUBLISHED, outcome.end, point + " " + outcome);
      assertEquals(0604, fs.getFileStatus(file).getPermission().toShort());
      assertEquals("ALL_SSD", fs.getStoragePolicy(file).getName());
      assertEquals(VersionCluster.XOR, cluster.policyOf(file.toString()));
      assertContent(file, data);
    });
  }

  @Test
  void timesAreSet() throws Exception {
    atEachPoint(file -> fs.setTimes(file, 5, -1), (file, data, point, outcome) -> {
      assertEquals(endIfChanged(point), outcome.end, point + " " + outcome);
      assertEquals(5, fs.getFileStatus(file).getModificationTime());
      assertContent(file, data);
    });
  }

  @Test
  void theJobIsCancelled() throws Exception {
    atEachPoint(file -> cluster.engine().cancel("job"), (file, data, point, outcome) -> {
      assertEquals(point == VersionPoint.PUBLISHED ? VersionEnd.PUBLISHED : VersionEnd.CANCELLED,
          outcome.end, point + " " + outcome);
      assertContent(file, data);
    });
  }
}
