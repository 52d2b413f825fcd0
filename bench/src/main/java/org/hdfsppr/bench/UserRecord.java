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
import java.util.OptionalLong;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.bench.run.Meters;

/** What users' reads of one length took in one run, beside the repairs and while they paused. */
@InterfaceAudience.Private
final class UserRecord {
  /**
   * What receivers of a repair's bytes send back for each byte: an acknowledgement of 66 bytes for
   * two frames with 1448 bytes each. It is the repair's own, and no user's.
   */
  private static final double ACKNOWLEDGEMENTS = 66.0 / (2 * 1448);

  private final NodeRecord run;
  private final int users;
  private final int readBytes;
  private final int length;
  private final Users.Phase idle;
  private final Users.Phase beside;
  private final Phase idleLinks;
  private final Phase besideLinks;
  private final double neededBytes;

  /** What all nodes' links and the processors did in a phase. */
  static final class Phase {
    private final double linkBytes;
    private final double cpuShare;

    /**
     * @param linkBytes what all nodes' links sent, with frames' headers, bytes; NaN if unknown
     * @param cpuShare the busy part of the machine's processors, from 0 to 1
     */
    Phase(double linkBytes, double cpuShare) {
      this.linkBytes = linkBytes;
      this.cpuShare = cpuShare;
    }

    /** Returns what happened between two readings. */
    static Phase between(Meters before, Meters after) {
      OptionalLong sent = after.sentSince(before);
      return new Phase(sent.isPresent() ? sent.getAsLong() : Double.NaN,
          after.cpuShareSince(before));
    }
  }

  /**
   * @param run the record of the run
   * @param users the number of users
   * @param readBytes the length of these reads, bytes
   * @param length the index of this length in the users' habits
   * @param idle the phase while repairs paused
   * @param beside the phase beside the repairs
   * @param idleLinks what links and processors did while repairs paused
   * @param besideLinks what they did beside the repairs
   * @param neededBytes the least bytes that nodes have to send for the repairs; NaN if unknown
   */
  UserRecord(NodeRecord run, int users, int readBytes, int length, Users.Phase idle,
      Users.Phase beside, Phase idleLinks, Phase besideLinks, double neededBytes) {
    this.idleLinks = idleLinks;
    this.besideLinks = besideLinks;
    this.neededBytes = neededBytes;
    this.run = run;
    this.users = users;
    this.readBytes = readBytes;
    this.length = length;
    this.idle = idle;
    this.beside = beside;
  }

  /**
   * Returns the seconds that the links' rest allows: the lower bound of the repair if users take
   * the same part of the nodes' links as in this run. NaN if links have no limit or count no bytes.
   */
  private double restBoundSeconds() {
    return restBoundSeconds(run.lowerBoundSeconds, besideLinks.linkBytes / beside.seconds,
        neededBytes / beside.seconds, run.linksBytesPerSecond());
  }

  /**
   * Returns the lower bound of a repair over the part of the links that users leave. What nodes'
   * links sent, without what the repair has to send at least, is users' part: their reads, what
   * reads of lost bytes cost in addition, checksums, headers, acknowledgements, and what was sent
   * twice.
   *
   * @param lowerBoundSeconds the lower bound without users
   * @param sentBytesPerSecond what nodes' links sent, with headers
   * @param neededBytesPerSecond what the repair has to send at least, without headers
   * @param linksBytesPerSecond what all links of the nodes carry, without headers
   * @return seconds; NaN if users alone fill the links, or if something is unknown
   */
  static double restBoundSeconds(double lowerBoundSeconds, double sentBytesPerSecond,
      double neededBytesPerSecond, double linksBytesPerSecond) {
    double repairs = neededBytesPerSecond * (1 / LowerBound.GOODPUT + ACKNOWLEDGEMENTS);
    double share = Math.max(0, sentBytesPerSecond - repairs) * LowerBound.GOODPUT
        / linksBytesPerSecond;
    return share < 1 ? lowerBoundSeconds / (1 - share) : Double.NaN;
  }

  private static double ms(Users.Phase phase, int length, double share) {
    return phase.result(length).percentileMs(share);
  }

  /** Returns the record as a flat JSON object. Values that were not measured are null. */
  ObjectNode toJson(ObjectMapper mapper) {
    ObjectNode json = mapper.createObjectNode()
        .put("bench", "node")
        .put("code", run.code.label())
        .put("scheduler", run.mode.label)
        .put("users", users)
        .put("read_bytes", readBytes);
    put(json, "read_p50_ms", ms(beside, length, 0.5));
    put(json, "read_p99_ms", ms(beside, length, 0.99));
    put(json, "read_mb_per_s", beside.megabytesPerSecond(length));
    put(json, "idle_p50_ms", ms(idle, length, 0.5));
    put(json, "idle_p99_ms", ms(idle, length, 0.99));
    put(json, "idle_mb_per_s", idle.megabytesPerSecond(length));
    json.put("seconds", run.seconds).put("ok", run.ok());
    put(json, "lower_bound_seconds", run.lowerBoundSeconds);
    put(json, "rest_bound_seconds", restBoundSeconds());
    put(json, "x_rest_bound", run.seconds / restBoundSeconds());
    put(json, "links_mb_per_s", besideLinks.linkBytes / beside.seconds / 1e6);
    put(json, "idle_links_mb_per_s", idleLinks.linkBytes / idle.seconds / 1e6);
    put(json, "cpu_share", besideLinks.cpuShare);
    put(json, "idle_cpu_share", idleLinks.cpuShare);
    json.put("reads", beside.result(length).calls())
        .put("idle_reads", idle.result(length).calls())
        .put("run", run.run)
        .put("settings", run.mode.describe());
    put(json, "other_cpu_share", run.otherCpuShare());
    return json.put("complaints", String.join("; ", run.complaints));
  }

  /** Puts a number, or null if it is unknown. */
  static void put(ObjectNode json, String field, double value) {
    json.put(field, Double.isFinite(value) ? (Double) value : null);
  }

  /** Prints a line for each record, and what the columns are. */
  static void print(PrintWriter out, List<UserRecord> records) {
    out.printf("%-15s %3s %8s %9s %9s %9s %9s %9s %9s %7s %6s %6s %8s %7s %5s %8s%n",
        "scheduler", "run", "read KiB", "p50 ms", "p99 ms", "MB/s", "idle p50", "idle p99",
        "idle MB/s", "x p99", "x MB/s", "reads", "seconds", "x rest", "cpu %", "idle cpu");
    for (UserRecord record : records) {
      double p99 = ms(record.beside, record.length, 0.99);
      double idleP99 = ms(record.idle, record.length, 0.99);
      double rate = record.beside.megabytesPerSecond(record.length);
      double idleRate = record.idle.megabytesPerSecond(record.length);
      out.printf(Locale.ROOT,
          "%-15s %3d %8d %9.1f %9.1f %9.2f %9.1f %9.1f %9.2f %7.2f %6.2f %6d %8.2f %7.2f %5.0f "
              + "%8.0f%s%n",
          record.run.mode.label, record.run.run, record.readBytes >> 10,
          ms(record.beside, record.length, 0.5), p99, rate,
          ms(record.idle, record.length, 0.5), idleP99, idleRate, p99 / idleP99, rate / idleRate,
          record.beside.result(record.length).calls(), record.run.seconds,
          record.run.seconds / record.restBoundSeconds(), record.besideLinks.cpuShare * 100,
          record.idleLinks.cpuShare * 100, record.run.ok() ? "" : "   NOT OK");
    }
    out.println("idle: the node dead, repairs paused; x: beside the repairs over idle; x rest: "
        + "seconds over the time that the links' rest allows; cpu: busy processors, without niced "
        + "processes");
    out.flush();
  }
}
