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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A healthy cluster is never accused, whatever its writers do meanwhile. The property {@code
 * verify.files} says how many random files there are at first.
 */
class TestVerifyWhileWriting {
  private static final int CELL = VerifiedCluster.CELL;
  private static final int FILES = Integer.getInteger("verify.files", 60);
  private static final int ROUNDS = 4;
  private static final long SEED = 20261123;
  private static final String[] SPECS = {"rs-6-3", "xor-2-1", "hitchhiker-xor-6-3",
      "rotated-rs-r4-6-3", "lrc-l2-6-4"};

  /** Writes, appends to, overwrites and deletes files until the test is over. */
  private static final class Writer extends Thread {
    private final DistributedFileSystem fs;
    private final Random random;
    private final AtomicBoolean ended;
    private final AtomicReference<Throwable> failure;

    Writer(DistributedFileSystem fs, long seed, AtomicBoolean ended,
        AtomicReference<Throwable> failure) {
      this.fs = fs;
      this.random = new Random(seed);
      this.ended = ended;
      this.failure = failure;
    }

    @Override
    public void run() {
      try {
        while (!ended.get()) {
          Path file = new Path("/busy-" + SPECS[random.nextInt(SPECS.length)],
              "f" + random.nextInt(FILES));
          switch (random.nextInt(4)) {
            case 0:
              fs.delete(file, false);
              break;
            case 1:
              append(file);
              break;
            default:
              create(fs, file, random);
              break;
          }
        }
      } catch (IOException | RuntimeException e) {
        failure.compareAndSet(null, e);
      }
    }

    private void append(Path file) throws IOException {
      try (FSDataOutputStream out = fs.append(file,
          EnumSet.of(CreateFlag.APPEND, CreateFlag.NEW_BLOCK), 4096, null)) {
        fill(out, random);
      } catch (FileNotFoundException e) {
        create(fs, file, random);
      } catch (IOException e) {
        // Another writer has the file, or has deleted it.
        requireConflict(e);
      }
    }
  }

  private static void requireConflict(IOException e) throws IOException {
    String text = e.toString();
    if (!text.contains("AlreadyBeingCreated") && !text.contains("RecoveryInProgress")
        && !text.contains("FileNotFound") && !text.contains("File does not exist")
        && !text.contains("LeaseExpired") && !text.contains("does not have any open files")
        && !text.contains("No lease on")) {
      throw e;
    }
  }

  private static void create(DistributedFileSystem fs, Path file, Random random)
      throws IOException {
    try (FSDataOutputStream out = fs.create(file, true, 4096, (short) 1, 4 * CELL)) {
      fill(out, random);
    } catch (IOException e) {
      requireConflict(e);
    }
  }

  private static void fill(FSDataOutputStream out, Random random) throws IOException {
    byte[] bytes = new byte[1 + random.nextInt(30 * CELL)];
    random.nextBytes(bytes);
    int done = 0;
    while (done < bytes.length) {
      int some = Math.min(bytes.length - done, 1 + random.nextInt(2 * CELL));
      out.write(bytes, done, some);
      done += some;
    }
  }

  @Test
  void writersAppendsAndDeletionsAreNeverAccused(@TempDir File directory) throws Exception {
    System.out.println("verify.files " + FILES + ", seed " + SEED);
    try (VerifiedCluster cluster = new VerifiedCluster(directory, 11)) {
      DistributedFileSystem fs = cluster.cluster.fs;
      Random random = new Random(SEED);
      Path[] directories = new Path[SPECS.length];
      for (int i = 0; i < SPECS.length; i++) {
        directories[i] = cluster.directory(SPECS[i], "/busy-" + SPECS[i]);
      }
      for (int i = 0; i < FILES; i++) {
        create(fs, new Path(directories[i % SPECS.length], "f" + i), random);
      }
      AtomicBoolean ended = new AtomicBoolean();
      AtomicReference<Throwable> failure = new AtomicReference<>();
      List<Writer> writers = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        writers.add(new Writer(fs, SEED + i, ended, failure));
      }
      writers.forEach(Thread::start);
      long agreed = 0;
      List<GroupFinding> wrong = Collections.synchronizedList(new ArrayList<>());
      try {
        for (int round = 0; round < ROUNDS; round++) {
          try (VerifySession session = VerifySession.open(cluster.conf, directories[0])) {
            session.verify(Arrays.asList(directories), new VerifyOptions(0, 0, round % 2 == 1, 4),
                finding -> {
                  if (!finding.verdict.fine) {
                    wrong.add(finding);
                  }
                }, problem -> {
                  throw new AssertionError(problem);
                });
            agreed += session.tally.groups(Verdict.AGREES);
          }
        }
      } finally {
        ended.set(true);
        for (Writer writer : writers) {
          writer.join();
        }
      }
      assertEquals(null, failure.get());
      assertEquals(Collections.emptyList(), wrong);
      assertTrue(agreed >= FILES, agreed + " checks were made to the end");
    }
  }
}
