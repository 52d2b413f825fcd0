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
package org.hdfsppr.it.read;

import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * A program that takes a {@link ReadRequest} a line and answers with a {@link ReadResult} a line.
 * It is a program of its own because the start of a JVM decides which client reads, and over which
 * link. Bytes are compared between the calls that are timed.
 */
@InterfaceAudience.Private
public final class ReadWorker {

  /** Of one call for the whole file. */
  private static final int CALL_BYTES = 1 << 20;

  private final FileSystem client;

  private ReadWorker(FileSystem client) {
    this.client = client;
  }

  /**
   * Reads until its input ends.
   *
   * @param args settings of the client beyond those on the class path, each KEY=VALUE
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
    // Hadoop's libraries may print, and answers must stay lines of their own.
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
    List<Long> calls = new ArrayList<>();
    long bytes = 0;
    String complaint = "";
    long start = System.nanoTime();
    long opened = 0;
    try (FSDataInputStream in = client.open(new Path(request.file()))) {
      opened = System.nanoTime() - start;
      bytes = request.ranges().isEmpty() ? readWhole(request, in, calls)
          : readRanges(request, in, calls);
    } catch (IOException e) {
      // The other side reports it with the mode and the pattern.
      complaint = "after " + calls.size() + " calls: " + e;
    }
    return new ReadResult(bytes, opened, calls, complaint);
  }

  private static long readRanges(ReadRequest request, FSDataInputStream in, List<Long> calls)
      throws IOException {
    long bytes = 0;
    for (ReadRequest.Range range : request.ranges()) {
      byte[] buffer = new byte[range.length()];
      long start = System.nanoTime();
      in.readFully(range.offset(), buffer);
      calls.add(System.nanoTime() - start);
      check(request, range.offset(), buffer, buffer.length);
      bytes += buffer.length;
    }
    return bytes;
  }

  private long readWhole(ReadRequest request, FSDataInputStream in, List<Long> calls)
      throws IOException {
    long length = client.getFileStatus(new Path(request.file())).getLen();
    byte[] buffer = new byte[CALL_BYTES];
    long done = 0;
    while (done < length) {
      int wanted = (int) Math.min(buffer.length, length - done);
      long start = System.nanoTime();
      int got = in.readNBytes(buffer, 0, wanted);
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
      throw new IOException("WRONG BYTE at " + (offset + wrong) + " of " + request.file());
    }
  }
}
