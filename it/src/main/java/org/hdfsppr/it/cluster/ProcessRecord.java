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
package org.hdfsppr.it.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.StandardCopyOption;
import java.util.Optional;


/**
 * Identifies one process. The kernel reuses pids, so a record also holds the clock tick at which
 * the process started. No two processes have both values in common.
 */
final class ProcessRecord {

  /**
   * The positions of fields in /proc/PID/stat. Field 0 follows the bracket that closes the
   * command's name.
   */
  private static final int STATE_FIELD = 0;
  private static final int START_FIELD = 19;

  final long pid;
  private final long startTicks;

  private ProcessRecord(long pid, long startTicks) {
    this.pid = pid;
    this.startTicks = startTicks;
  }

  /** Returns the record of a running process; empty if the process has ended. */
  static Optional<ProcessRecord> of(long pid) throws IOException {
    return stat(pid).map(fields -> new ProcessRecord(pid, Long.parseLong(fields[START_FIELD])));
  }

  /** Reads a record that {@link #write} wrote. The result is empty if the file does not exist. */
  static Optional<ProcessRecord> read(Path file) throws IOException {
    try {
      String[] parts = Files.readString(file).strip().split(" ");
      return Optional.of(new ProcessRecord(Long.parseLong(parts[0]), Long.parseLong(parts[1])));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  void write(Path file) throws IOException {
    // The record is first written to another file, which is then renamed. So a crash leaves either
    // a whole record or none.
    Path whole = file.resolveSibling(file.getFileName() + ".new");
    Files.writeString(whole, pid + " " + startTicks + "\n");
    Files.move(whole, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  /** Returns whether the recorded process itself is running. A zombie counts as ended. */
  boolean isAlive() throws IOException {
    Optional<String[]> fields = stat(pid);
    return fields.isPresent() && Long.parseLong(fields.get()[START_FIELD]) == startTicks
        && !fields.get()[STATE_FIELD].equals("Z");
  }

  private static Optional<String[]> stat(long pid) throws IOException {
    try {
      String line = Files.readString(Paths.get("/proc/" + pid + "/stat"));
      // The command's name may contain spaces and brackets, so field 0 begins after the last
      // bracket.
      return Optional.of(line.substring(line.lastIndexOf(')') + 2).strip().split(" "));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (IOException e) {
      if (Files.exists(Paths.get("/proc/" + pid))) {
        throw e;
      }
      // The process ended between opening and reading the file.
      return Optional.empty();
    }
  }
}
