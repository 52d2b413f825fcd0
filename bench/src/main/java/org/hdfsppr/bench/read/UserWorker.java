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
package org.hdfsppr.bench.read;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.hdfsppr.it.read.ReadOracle;

/**
 * A program that reads as a user does, from one line of its input to the next. The first line of a
 * pair is a {@link UserHabits}, the second is empty. The program then prints a {@link ReadResult}
 * for each length of reads, one a line. It exits when its input ends.
 */
@InterfaceAudience.Private
public final class UserWorker {
  private final FileSystem client;

  private UserWorker(FileSystem client) {
    this.client = client;
  }

  /**
   * Reads until standard input is closed.
   *
   * @param args none
   * @throws IOException if the file system or a stream of this process fails
   * @throws InterruptedException if this thread is interrupted
   * @throws ExecutionException if a reader ends with an error
   */
  public static void main(String[] args)
      throws IOException, InterruptedException, ExecutionException {
    Configuration conf = new Configuration();
    // Hadoop's libraries may print to standard output, where each line is an answer.
    PrintStream answers = System.out;
    System.setOut(System.err);
    try (FileSystem client = FileSystem.newInstance(FileSystem.getDefaultUri(conf), conf);
        BufferedReader lines = new BufferedReader(
            new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      UserWorker worker = new UserWorker(client);
      answers.println(client.getClass().getName());
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        for (ReadResult result : worker.readUntilNextLine(UserHabits.parse(line), lines)) {
          answers.println(result.toLine());
        }
        answers.flush();
      }
    }
  }

  private List<ReadResult> readUntilNextLine(UserHabits habits, BufferedReader lines)
      throws IOException, InterruptedException, ExecutionException {
    CountDownLatch end = new CountDownLatch(1);
    ExecutorService threads = Executors.newFixedThreadPool(habits.readBytes.size());
    try {
      List<Future<ReadResult>> readers = new ArrayList<>();
      for (int length : habits.readBytes) {
        readers.add(threads.submit(() -> readUntil(end, habits, length)));
      }
      lines.readLine();
      end.countDown();
      List<ReadResult> results = new ArrayList<>();
      for (Future<ReadResult> reader : readers) {
        results.add(reader.get());
      }
      return results;
    } finally {
      end.countDown();
      threads.shutdown();
    }
  }

  /**
   * Begins a read each period, give or take up to half of it, so that the users do not read in
   * step. A read that takes longer delays the next ones: a user waits for an answer.
   */
  private ReadResult readUntil(CountDownLatch end, UserHabits habits, int length)
      throws InterruptedException {
    Random random = new Random(habits.seed * 31 + length);
    ReadOracle[] oracles = new ReadOracle[habits.files.size()];
    for (int i = 0; i < oracles.length; i++) {
      oracles[i] = new ReadOracle(i);
    }
    double periodNanos = TimeUnit.SECONDS.toNanos(1) / habits.readsPerSecond;
    List<Long> calls = new ArrayList<>();
    long bytes = 0;
    int failed = 0;
    String complaint = "";
    long next = System.nanoTime() + (long) (periodNanos * random.nextDouble());
    while (!end.await(next - System.nanoTime(), TimeUnit.NANOSECONDS)) {
      int file = random.nextInt(oracles.length);
      long offset = (long) (random.nextDouble() * (habits.fileBytes - length + 1));
      byte[] buffer = new byte[length];
      long start = System.nanoTime();
      try (FSDataInputStream in = client.open(new Path(habits.files.get(file)))) {
        in.readFully(offset, buffer);
        calls.add(System.nanoTime() - start);
        bytes += length;
        int wrong = oracles[file].firstWrong(offset, buffer, length);
        if (wrong >= 0) {
          throw new IOException("WRONG BYTE at " + (offset + wrong));
        }
      } catch (IOException e) {
        // The harness prints the last failure, with the number of all.
        failed++;
        complaint = failed + " failed reads, the last of " + habits.files.get(file) + ": " + e;
      }
      next = Math.max(System.nanoTime(),
          next + (long) (periodNanos * (0.5 + random.nextDouble())));
    }
    return new ReadResult(bytes, 0, calls, complaint);
  }
}
