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
package org.hdfsppr.client.text;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.classification.InterfaceAudience;

/** Writes the documents of groups for people: those that wait, are repaired, or are doubted. */
@InterfaceAudience.Private
public final class GroupsText {
  /** Groups with these reasons are served in their turn, and need no explanation. */
  private static final Set<String> IN_TURN =
      Collections.unmodifiableSet(new HashSet<>(Arrays.asList("queued", "delay", "paused")));

  private GroupsText() {
  }

  /**
   * Returns whether a waiting group only waits for its turn.
   *
   * @param reason the reason code of a group in {@code /v1/groups}
   */
  public static boolean isInTurn(String reason) {
    return IN_TURN.contains(reason);
  }

  /**
   * Writes waiting groups.
   *
   * @param document the document {@code /v1/groups}; its list may have been shortened
   * @param now the present time
   * @return lines of at most 80 columns
   */
  public static String waiting(JsonNode document, Instant now) {
    TextLines lines = new TextLines();
    TextTable table = new TextTable("GROUP", ">SPARE", "LOST", "WAITS", "REASON", ">FAILED", "");
    for (JsonNode group : document.path("groups")) {
      table.row(PageFields.text(group, "group", Quantities.UNKNOWN),
          PageFields.text(group, "spare_units", "?"),
          String.join(",", PageFields.texts(group, "lost_units")),
          PageFields.text(group, "since").map(since -> Quantities.since(since, now)).orElse(""),
          PageFields.text(group, "reason", Quantities.UNKNOWN),
          PageFields.text(group, "failures", "0"),
          (group.path("prioritized").asBoolean() ? "!" : "")
              + (group.path("read_degraded").asBoolean() ? "r" : ""));
    }
    if (document.path("groups").size() == 0) {
      return lines.paragraph(0, "No such group waits.") + stocks(document);
    }
    lines.all(table.lines());
    explain(lines, document.path("groups"), now);
    return lines + end(document, "groups", "group") + stocks(document);
  }

  /** Says how many groups stock schedules itself. The NameNode does not list these groups. */
  private static String stocks(JsonNode document) {
    long groups = PageFields.whole(document, "with_stock");
    return groups == 0 ? "" : new TextLines().paragraph(0, "Stock has "
        + Quantities.count(groups, "group") + ", which it does not name.").toString();
  }

  /** Adds the reasons for which groups are not repaired in their turn, each reason once. */
  private static void explain(TextLines lines, JsonNode groups, Instant now) {
    Set<String> said = new HashSet<>();
    for (JsonNode group : groups) {
      String reason = PageFields.text(group, "reason", Quantities.UNKNOWN);
      Optional<String> text = PageFields.text(group, "text");
      if (!isInTurn(reason) && text.isPresent() && said.add(reason + text.get())) {
        if (said.size() == 1) {
          lines.gap();
        }
        String next = PageFields.text(group, "next_try")
            .map(time -> " Next try in " + Quantities.until(time, now) + ".").orElse("");
        lines.item(0, reason + ": " + text.get() + next);
      }
    }
  }

  /**
   * Writes repairs that run.
   *
   * @param document the document {@code /v1/repairs}; its list may have been shortened
   * @param now the present time
   * @return lines of at most 80 columns
   */
  public static String running(JsonNode document, Instant now) {
    TextLines lines = new TextLines();
    if (document.path("repairs").size() == 0) {
      return lines.paragraph(0, "No repair runs.").toString();
    }
    TextTable table = new TextTable("GROUP", "UNITS", ">DONE", "RUNS", "SHAPE", "WRITES");
    for (JsonNode repair : document.path("repairs")) {
      table.row(PageFields.text(repair, "group", Quantities.UNKNOWN),
          String.join(",", PageFields.texts(repair, "units")),
          PageFields.text(repair, "done_percent").map(done -> done + " %").orElse("?"),
          PageFields.text(repair, "started").map(time -> Quantities.since(time, now)).orElse(""),
          PageFields.text(repair, "topology", ""),
          PageFields.text(repair.path("destination"), "node", Quantities.UNKNOWN));
    }
    return lines.all(table.lines()) + end(document, "repairs", "repair");
  }

  /**
   * Writes doubts.
   *
   * @param document the document {@code /v1/doubts}
   * @param now the present time
   * @return lines of at most 80 columns
   */
  public static String doubts(JsonNode document, Instant now) {
    TextLines lines = new TextLines();
    for (JsonNode doubt : document.path("doubts")) {
      String group = PageFields.text(doubt, "group", Quantities.UNKNOWN);
      lines.paragraph(0, group + ": "
          + (doubt.path("certain").asBoolean() ? "its units contradict each other" : "suspected")
          + PageFields.text(doubt, "since").map(since -> ", since " + Quantities.since(since, now))
              .orElse(""));
      suspects(lines, doubt);
      String text = PageFields.text(doubt, "text", "");
      lines.paragraph(2, text);
      String fsck = "hdfs fsck -blockId " + group;
      if (!text.contains(fsck)) {
        lines.paragraph(2, "Its file: " + fsck);
      }
      if (doubt.path("certain").asBoolean()) {
        lines.paragraph(2, "Its wrong unit, if there is enough redundancy: hdfs ppr -verify FILE");
      }
    }
    if (document.path("doubts").size() == 0) {
      return lines.paragraph(0, "No group is doubted.").toString();
    }
    return lines + end(document, "doubts", "doubt");
  }

  /** Names the units that may be wrong, or their nodes if the NameNode does not say more. */
  private static void suspects(TextLines lines, JsonNode doubt) {
    List<String> places = new ArrayList<>();
    for (JsonNode place : doubt.path("suspected_units")) {
      places.add(PageFields.text(place, "unit", Quantities.UNKNOWN) + " ("
          + PageFields.text(place, "block", Quantities.UNKNOWN) + " on "
          + PageFields.text(place, "node", "a node that has left") + ")");
    }
    if (!places.isEmpty()) {
      lines.paragraph(2, (places.size() == 1 ? "Suspected unit: " : "Suspected units: ")
          + String.join(", ", places));
    } else if (doubt.path("suspects").size() > 0) {
      lines.paragraph(2, "Suspected nodes: " + String.join(", ",
          PageFields.texts(doubt, "suspects")));
    }
  }

  private static String end(JsonNode document, String list, String thing) {
    TextLines lines = new TextLines();
    long shown = document.path(list).size();
    long all = Math.max(shown, PageFields.whole(document, "total"));
    if (document.path("truncated").asBoolean() || all > shown) {
      lines.paragraph(0, "These are " + shown + " of "
          + (document.path("total").isMissingNode() ? "more" : Quantities.count(all, thing)) + ".");
    }
    return lines.toString();
  }
}
