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
import java.nio.file.Path;
import java.nio.file.Paths;

import org.apache.hadoop.classification.InterfaceAudience;

/** Processor time as /proc counts it, in seconds. */
@InterfaceAudience.Private
final class CpuTimes {

  /** USER_HZ, which is 100 in all that Linux shows under /proc. */
  private static final double TICKS_PER_SECOND = 100;

  /** Fields of /proc/PID/stat behind the command's closing bracket. */
  private static final int USER_FIELD = 11;
  private static final int SYSTEM_FIELD = 12;

  private CpuTimes() {
  }

  /** User and system time of a process that runs. */
  static double ofProcess(long pid) throws IOException {
    String line = Files.readString(Paths.get("/proc/" + pid + "/stat"));
    String[] fields = line.substring(line.lastIndexOf(')') + 2).split(" ");
    return (Long.parseLong(fields[USER_FIELD]) + Long.parseLong(fields[SYSTEM_FIELD]))
        / TICKS_PER_SECOND;
  }

  /**
   * User, nice and system time of all processes. Not interrupts: those belong to no process, and
   * on a cluster of links within one kernel they are the links' own.
   */
  static double ofMachine() throws IOException {
    String[] fields = Files.readAllLines(Path.of("/proc/stat")).get(0).split(" +");
    return (Long.parseLong(fields[1]) + Long.parseLong(fields[2]) + Long.parseLong(fields[3]))
        / TICKS_PER_SECOND;
  }
}
