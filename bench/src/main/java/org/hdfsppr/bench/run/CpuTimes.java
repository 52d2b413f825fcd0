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
package org.hdfsppr.bench.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;


/** Reads processor times from /proc and converts them to seconds. */
final class CpuTimes {

  /** The kernel's USER_HZ: /proc counts in hundredths of a second on every Linux. */
  private static final double TICKS_PER_SECOND = 100;

  /**
   * The positions of fields in /proc/PID/stat. Field 0 follows the bracket that closes the
   * command's name.
   */
  private static final int USER_FIELD = 11;
  private static final int SYSTEM_FIELD = 12;

  private CpuTimes() {
  }

  /** Returns the user time plus the system time of a running process, in seconds. */
  static double ofProcess(long pid) throws IOException {
    String line = Files.readString(Paths.get("/proc/" + pid + "/stat"));
    String[] fields = line.substring(line.lastIndexOf(')') + 2).split(" ");
    return (Long.parseLong(fields[USER_FIELD]) + Long.parseLong(fields[SYSTEM_FIELD]))
        / TICKS_PER_SECOND;
  }

  /**
   * Returns the sum of the user, nice and system times of all processes, in seconds. The time of
   * interrupts is left out, because it belongs to no process. In a simulated network, the kernel of
   * this machine moves the bytes of all links in interrupts.
   */
  static double ofMachine() throws IOException {
    String[] fields = Files.readAllLines(Path.of("/proc/stat")).get(0).split(" +");
    return (Long.parseLong(fields[1]) + Long.parseLong(fields[2]) + Long.parseLong(fields[3]))
        / TICKS_PER_SECOND;
  }

  /**
   * Returns the user and system times of all processes but niced ones, and the time of interrupts,
   * in seconds. Niced processes give way to the others.
   */
  static double ofMachineNotNiced() throws IOException {
    String[] fields = Files.readAllLines(Path.of("/proc/stat")).get(0).split(" +");
    return (Long.parseLong(fields[1]) + Long.parseLong(fields[3]) + Long.parseLong(fields[6])
        + Long.parseLong(fields[7])) / TICKS_PER_SECOND;
  }
}
