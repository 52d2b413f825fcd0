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
package org.hdfsppr.namenode.manage.status;

import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.hadoop.classification.InterfaceAudience;

/** Describes the state of all repairs in one sentence. Stateless. */
@InterfaceAudience.Private
public final class Headline {
  private static final int SECONDS_PER_MINUTE = 60;
  private static final int SECONDS_PER_HOUR = 3_600;
  private static final int SECONDS_PER_DAY = 86_400;

  private Headline() {
  }

  /**
   * @param status the status to describe
   * @return one sentence for people, without a line break
   */
  public static String of(ManagerStatus status) {
    switch (status.state) {
      case STANDBY:
      case STARTING:
        return "No repairs are ordered here now: " + status.why + ".";
      case NOT_IN_CHARGE:
        return "Stock schedules all repairs: " + status.why + ".";
      case DATA_LOST:
        return groups(status.get(StatusNumber.UNRECOVERABLE)) + " lost more units than the code can"
            + " rebuild: bring DataNodes back. " + work(status);
      case STUCK:
        return "Nothing has advanced for a minute, and " + groups(toDo(status))
            + " lost units.";
      case PAUSED:
        return "An operator has paused all repairs" + status.pause.flatMap(RepairPause::until)
            .map(until -> " until " + until.truncatedTo(ChronoUnit.SECONDS)).orElse("") + ": "
            + groups(toDo(status)) + " lost units.";
      case AT_RISK:
        return groups(status.get(StatusNumber.AT_RISK)) + " no spare unit, so that one more loss"
            + " loses data. " + work(status);
      case REPAIRING:
        return work(status);
      default:
        return "All groups that are scheduled here are whole; " + status.get(StatusNumber.AGENTS)
            + " of " + status.get(StatusNumber.DATA_NODES) + " DataNodes take part.";
    }
  }

  private static int toDo(ManagerStatus status) {
    return status.get(StatusNumber.GROUPS_QUEUED) + status.get(StatusNumber.REPAIRS_IN_FLIGHT)
        + status.get(StatusNumber.WAITING_FOR_STOCK) + status.get(StatusNumber.WITH_STOCK);
  }

  private static String groups(int count) {
    return count == 1 ? "1 group has" : String.format(Locale.ROOT, "%,d groups have", count);
  }

  private static String work(ManagerStatus status) {
    List<String> parts = new ArrayList<>();
    int running = status.get(StatusNumber.REPAIRS_IN_FLIGHT);
    if (running > 0) {
      parts.add(number(running, "repair is under way", "repairs are under way"));
    }
    int waiting = status.get(StatusNumber.GROUPS_QUEUED);
    if (waiting > 0) {
      parts.add(number(waiting, "group waits", "groups wait"));
    }
    int stocks = status.get(StatusNumber.WAITING_FOR_STOCK) + status.get(StatusNumber.WITH_STOCK);
    if (stocks > 0) {
      parts.add(parts.isEmpty() ? "Stock repairs " + number(stocks, "group", "groups")
          : "stock has " + number(stocks, "", ""));
    }
    status.work.etaSeconds.ifPresent(eta -> parts.add("about " + time(eta) + " are left"));
    return parts.isEmpty() ? "No repair is under way." : String.join(", ", parts) + ".";
  }

  private static String number(int count, String one, String many) {
    return String.format(Locale.ROOT, "%,d %s", count, count == 1 ? one : many).trim();
  }

  /**
   * Writes a length of time as people say it.
   *
   * @param seconds the time, seconds; less than one counts as one
   * @return at most two units, such as {@code 12 s}, {@code 1 min 30 s} or {@code 2 h}
   */
  public static String time(double seconds) {
    long s = Math.max(1, Math.round(seconds));
    if (s < SECONDS_PER_MINUTE) {
      return s + " s";
    } else if (s < SECONDS_PER_HOUR) {
      return two(s / SECONDS_PER_MINUTE, "min", s % SECONDS_PER_MINUTE, "s");
    } else if (s < SECONDS_PER_DAY) {
      return two(s / SECONDS_PER_HOUR, "h", s % SECONDS_PER_HOUR / SECONDS_PER_MINUTE, "min");
    }
    return two(s / SECONDS_PER_DAY, "d", s % SECONDS_PER_DAY / SECONDS_PER_HOUR, "h");
  }

  private static String two(long first, String unit, long second, String smallerUnit) {
    return first + " " + unit + (second == 0 ? "" : " " + second + " " + smallerUnit);
  }
}
