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
package org.hdfsppr.bench;

import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;

import org.apache.hadoop.classification.InterfaceAudience;

/** Prints how long the reads of each mode took, and the share of each phase. */
@InterfaceAudience.Private
final class PhasesTable {
  private final List<PhasesRecord> records;

  PhasesTable(List<PhasesRecord> records) {
    this.records = records;
  }

  void print(PrintWriter out) {
    out.printf("%-8s %5s %9s", "mode", "runs", "seconds");
    for (ReadPhase phase : ReadPhase.values()) {
      out.printf(" %13s", phase.label + " %");
    }
    out.printf(" %10s %12s %12s%n", "waiting s", "all disks s", "other CPU s");
    for (PhasesRecord record : records) {
      out.printf(Locale.ROOT, "%-8s %5d %9.3f", record.mode.label, record.runs(),
          record.seconds());
      for (ReadPhase phase : ReadPhase.values()) {
        out.printf(Locale.ROOT, " %13.2f", record.percent(phase));
      }
      out.printf(Locale.ROOT, " %10.3f %12.3f %12.2f%s%n", record.mean(PhaseTimes::waiting),
          record.mean(PhaseTimes::diskOfAll), record.otherCpuSeconds(),
          record.ok() ? "" : "   NOT OK");
    }
    out.println();
    out.println("disk: reads of files on the DataNode that read for longest; computation: the"
        + " client's, and that of the DataNode that computed for longest;");
    out.println("transfer: what is left of the client's waiting for bytes; rest: all but waiting"
        + " and the client's computation. Means of the runs.");
    out.flush();
  }
}
