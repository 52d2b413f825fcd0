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
package org.hdfsppr.namenode.schedule;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;
import org.hdfsppr.record.RecordedText;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Records which repairs begin in a day, when, where and from which nodes, for each scheduler. A
 * change of what schedulers know of loads that is meant to change no decision changes nothing
 * here. {@code -Dgolden.write=true} writes the files anew.
 */
class TestSimulatedDay {
  private static final long SEED = 20_261_130;
  /** The lines of the first hours that the file has in full; others have a digest an hour. */
  private static final int LINES = 200;

  @ParameterizedTest
  @CsvSource({"balanced,rgs", "balanced,row-first", "balanced,column-first", "mppr,rgs",
      "fifo,rgs", "star,rgs"})
  void decisionsAreAsRecorded(String scheduler, String strategy) throws Exception {
    List<List<String>> hours = new SimulatedDay(scheduler, strategy, SEED).run();
    List<String> lines = new ArrayList<>();
    lines.add("# What begins in each hour: how much, and the digest of its lines");
    int all = 0;
    for (int hour = 0; hour < hours.size(); hour++) {
      lines.add(String.format("hour %02d: %d lines, %s", hour, hours.get(hour).size(),
          digest(hours.get(hour))));
      all += hours.get(hour).size();
    }
    assertTrue(all > SimulatedDay.HOURS * 50, "little happens: " + all + " lines");
    lines.add("");
    lines.add("# The first lines");
    hours.stream().flatMap(List::stream).limit(LINES).forEach(lines::add);
    RecordedText.compare(Path.of("src", "test", "resources", "days",
        scheduler + "-" + strategy + ".txt"), String.join("\n", lines) + "\n",
        "the scheduler decides something else");
  }

  private static String digest(List<String> lines) throws Exception {
    byte[] sum = MessageDigest.getInstance("SHA-256")
        .digest(String.join("\n", lines).getBytes(StandardCharsets.UTF_8));
    StringBuilder digits = new StringBuilder();
    for (int i = 0; i < 8; i++) {
      digits.append(String.format("%02x", sum[i]));
    }
    return digits.toString();
  }
}
