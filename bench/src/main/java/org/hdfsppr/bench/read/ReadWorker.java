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
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.hdfsppr.bench.clock.ReadClock;
import org.hdfsppr.bench.clock.ReadTimes;

/**
 * A program that parses one {@link ReadRequest} from each line of its input, carries it out, and
 * prints a {@link ReadResult} as one line. The program runs in a process of its own, because the
 * class path of a JVM decides which client reads, and its network namespace decides over which
 * link. The time of comparing bytes is not measured.
 */
@InterfaceAudience.Private
public final class ReadWorker {

  /** When the worker reads a whole file, each call reads this many bytes. */
  private static final int CALL_BYTES = 1 << 20;

  /** Only clients with clocks tell it what they do during the reads. */
  private static final ReadClock CLOCK = ReadClock.OF_PROCESS;

  private final FileSystem client;

  private ReadWorker(FileSystem client) {
    this.client = client;
  }

  /**
   * Carries out requests until standard input is closed.
   *
   * @param args further settings of the client, in addition to those on the class path, each as
   *     KEY=VALUE
   * @throws IOException if a process fails or a file cannot be read or written
   */
  public static void main(String[] args) throws IOException {
    Configuration conf = new Configuration();
    for (String arg : args) {
      String[] setting = arg.split("=", 2);
      if (setting.length != 2) {
        throw new IllegalArgumentException("'" + arg + "' is not KEY=VALUE");
      }
      conf.set(setting[0], setting[1]);
    }
    // Hadoop's libraries may print to standard output. Their output goes to standard error instead,
    // so that each line of standard output is an answer.
    PrintStream answers = System.out;
    System.setOut(System.err);
    try (FileSystem client = FileSystem.newInstance(FileSystem.getDefaultUri(conf), conf);
        BufferedReader requests = new BufferedReader(
            new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      ReadWorker worker = new ReadWorker(client);
      answers.println(client.getClass().getName());
      for (String line = requests.readLine(); line != null; line = requests.readLine()) {
        answers.println(worker.read(ReadRequest.parse(line)).toLine());
        answers.flush();
      }
    }
  }

  private ReadResult read(ReadRequest request) {
    ReadTimes before = CLOCK.times();
    ReadResult result = request.readers == 1 || request.ranges.isEmpty()
        ? readAlone(request, request.ranges) : readTogether(request);
    return result.with(CLOCK.times().since(before));
  }

  /**
   * Reads with several streams at the same time. Reader i of n reads the ranges i, i + n, i + 2n,
   * ...
   */
  private ReadResult readTogether(ReadRequest request) {
    int readers = request.readers;
    ExecutorService threads = Executors.newFixedThreadPool(readers);
    try {
      List<Future<ReadResult>> all = new ArrayList<>();
      for (int reader = 0; reader < readers; reader++) {
        List<ReadRequest.Range> own = new ArrayList<>();
        for (int i = reader; i < request.ranges.size(); i += readers) {
          own.add(request.ranges.get(i));
        }
        if (!own.isEmpty()) {
          all.add(threads.submit(() -> readAlone(request, own)));
        }
      }
      List<ReadResult> results = new ArrayList<>();
      for (Future<ReadResult> one : all) {
        results.add(one.get());
      }
      return ReadResult.together(results);
    } catch (ExecutionException e) {
      throw new IllegalStateException("A reader ended with an error", e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("The reader was interrupted", e);
    } finally {
      threads.shutdownNow();
    }
  }

  private ReadResult readAlone(ReadRequest request, List<ReadRequest.Range> ranges) {
    List<Long> calls = new ArrayList<>();
    long bytes = 0;
    String complaint = "";
    long start = System.nanoTime();
    long opened = 0;
    try (FSDataInputStream in = open(request)) {
      opened = System.nanoTime() - start;
      bytes = ranges.isEmpty() ? readWhole(request, in, calls)
          : readRanges(request, ranges, in, calls);
    } catch (IOException e) {
      // The harness reports this complaint together with the client and the pattern of reads.
      complaint = "after " + calls.size() + " calls: " + e;
    }
    return new ReadResult(bytes, opened, calls, complaint);
  }

  private FSDataInputStream open(ReadRequest request) throws IOException {
    CLOCK.begin();
    try {
      return client.open(new Path(request.file));
    } finally {
      CLOCK.end();
    }
  }

  private static long readRanges(ReadRequest request, List<ReadRequest.Range> ranges,
      FSDataInputStream in, List<Long> calls) throws IOException {
    long bytes = 0;
    for (ReadRequest.Range range : ranges) {
      byte[] buffer = new byte[range.length];
      long start = System.nanoTime();
      CLOCK.begin();
      try {
        in.readFully(range.offset, buffer);
      } finally {
        CLOCK.end();
      }
      calls.add(System.nanoTime() - start);
      check(request, range.offset, buffer, buffer.length);
      bytes += buffer.length;
    }
    return bytes;
  }

  private long readWhole(ReadRequest request, FSDataInputStream in, List<Long> calls)
      throws IOException {
    long length = client.getFileStatus(new Path(request.file)).getLen();
    byte[] buffer = new byte[CALL_BYTES];
    long done = 0;
    while (done < length) {
      int wanted = (int) Math.min(buffer.length, length - done);
      long start = System.nanoTime();
      int got;
      CLOCK.begin();
      try {
        got = in.readNBytes(buffer, 0, wanted);
      } finally {
        CLOCK.end();
      }
      calls.add(System.nanoTime() - start);
      if (got != wanted) {
        throw new EOFException("the file ends at " + (done + got) + ", not at " + length);
      }
      check(request, done, buffer, got);
      done += got;
    }
    if (in.read() >= 0) {
      throw new IOException("the file goes on at " + length);
    }
    return done;
  }

  private static void check(ReadRequest request, long offset, byte[] read, int length)
      throws IOException {
    int wrong = request.oracle().firstWrong(offset, read, length);
    if (wrong >= 0) {
      throw new IOException("WRONG BYTE at " + (offset + wrong) + " of " + request.file);
    }
  }
}
