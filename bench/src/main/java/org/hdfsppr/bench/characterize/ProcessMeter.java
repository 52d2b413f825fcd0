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
package org.hdfsppr.bench.characterize;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;


/**
 * Reads the kernel's counters of one process. The kernel has context switches of threads only, and
 * forgets those of a thread with its end. So this class remembers what it has last seen of each
 * thread: what is lost are the switches of a thread between the last reading and its end. Used by
 * one thread at a time.
 */
final class ProcessMeter {
  /** The kernel's USER_HZ: /proc counts in hundredths of a second on every Linux. */
  private static final double TICKS_PER_SECOND = 100;
  /** Fields of /proc/PID/stat. Field 0 follows the bracket that closes the command's name. */
  private static final int USER_FIELD = 11;
  private static final int SYSTEM_FIELD = 12;
  private static final String WAITS = "voluntary_ctxt_switches:";
  private static final String PREEMPTIONS = "nonvoluntary_ctxt_switches:";
  private static final String READ = "read_bytes:";
  private static final String WRITTEN = "write_bytes:";

  private final Path process;
  private final Map<String, long[]> threads = new HashMap<>();
  private final long[] ofEndedThreads = new long[2];

  /**
   * @param process the folder of the process in /proc
   */
  ProcessMeter(Path process) {
    this.process = process;
  }

  static ProcessMeter of(long pid) {
    return new ProcessMeter(Path.of("/proc", Long.toString(pid)));
  }

  /**
   * {@return what the process has used so far}
   *
   * @throws IOException if the process has ended
   */
  ProcessUsage read() throws IOException {
    String stat = Files.readString(process.resolve("stat"));
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
    List<String> io = Files.readAllLines(process.resolve("io"));
    long[] switches = switches();
    return new ProcessUsage(Long.parseLong(fields[USER_FIELD]) / TICKS_PER_SECOND,
        Long.parseLong(fields[SYSTEM_FIELD]) / TICKS_PER_SECOND, switches[0], switches[1],
        number(io, READ), number(io, WRITTEN));
  }

  private long[] switches() throws IOException {
    Map<String, long[]> now = new HashMap<>();
    try (DirectoryStream<Path> tasks = Files.newDirectoryStream(process.resolve("task"))) {
      for (Path task : tasks) {
        try {
          List<String> status = Files.readAllLines(task.resolve("status"));
          now.put(task.getFileName().toString(),
              new long[] {number(status, WAITS), number(status, PREEMPTIONS)});
        } catch (NoSuchFileException e) {
          // The thread has ended since the folder was listed, and counts as ended below.
          continue;
        } catch (IOException e) {
          // A thread that ends while its file is open reads as "no such process".
          if (Files.exists(task)) {
            throw e;
          }
        }
      }
    }
    threads.forEach((thread, last) -> {
      long[] current = now.get(thread);
      // A count that went back belongs to a new thread with the number of one that has ended.
      if (current == null || current[0] < last[0] || current[1] < last[1]) {
        ofEndedThreads[0] += last[0];
        ofEndedThreads[1] += last[1];
      }
    });
    threads.clear();
    threads.putAll(now);
    long[] sum = ofEndedThreads.clone();
    now.values().forEach(each -> {
      sum[0] += each[0];
      sum[1] += each[1];
    });
    return sum;
  }

  private static long number(List<String> lines, String name) throws IOException {
    for (String line : lines) {
      if (line.startsWith(name)) {
        return Long.parseLong(line.substring(name.length()).strip());
      }
    }
    throw new IOException("There is no " + name + " in " + lines);
  }
}
