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
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import org.apache.hadoop.classification.InterfaceAudience;

/** Writes the document {@code /v1/status} for people. */
@InterfaceAudience.Private
public final class StatusText {
  private static final int BAR_WIDTH = 20;
  /** How many losses of nodes are printed at most; -json has the others. The latest come first. */
  private static final int LOSSES_MAX = 5;
  private static final double PERCENT = 100;

  private final JsonNode status;
  private final TextLines lines = new TextLines();

  private StatusText(JsonNode status) {
    this.status = status;
  }

  /**
   * Writes a status.
   *
   * @param status the document {@code /v1/status}
   * @return lines of at most 80 columns
   */
  public static String of(JsonNode status) {
    return new StatusText(status).write();
  }

  private String write() {
    String state = PageFields.text(status, "state", Quantities.UNKNOWN)
        .toUpperCase(Locale.ROOT).replace('_', ' ');
    lines.paragraph(0, PageFields.text(status, "headline").map(line -> state + ": " + line)
        .orElse(state));
    lines.gap();
    lines.fact("In charge", charge());
    lines.fact("Queue", queue());
    if (whole("at_risk") > 0) {
      lines.fact("At risk", Quantities.count(whole("at_risk"), "group")
          + " without a spare unit, waiting, in repair or with stock");
    }
    LossText.write(whole("recoverable_through_core"), whole("unrecoverable"), lines);
    lines.fact("Repairs", repairs());
    lines.fact("Left", left());
    lines.fact("Nodes", nodes());
    busiest();
    doubts();
    pause();
    leftToStock();
    reasons();
    losses();
    return lines.toString();
  }

  private long whole(String name) {
    return PageFields.whole(status, name);
  }

  private String charge() {
    if (!status.path("in_charge").asBoolean()) {
      return "no" + PageFields.text(status, "why").map(why -> ": " + why).orElse("");
    }
    return "yes, term " + whole("term") + ", scheduler "
        + PageFields.text(status, "scheduler", Quantities.UNKNOWN)
        + (status.path("listening").asBoolean() ? ", still listens to the DataNodes" : "");
  }

  private String queue() {
    List<String> parts = new ArrayList<>();
    for (JsonNode one : status.path("queue")) {
      long spare = PageFields.whole(one, "spare_units");
      parts.add(PageFields.whole(one, "groups") + (spare == 0 ? " without a spare unit"
          : " with " + spare + " to spare"));
    }
    long waiting = whole("groups_queued");
    String all = Quantities.count(waiting, "group") + (waiting == 1 ? " waits" : " wait")
        + (parts.isEmpty() ? "" : ": " + String.join(", ", parts));
    return all + more(whole("unrecoverable"), "lost too many units")
        + more(whole("read_degraded"), "read by clients")
        + more(whole("waiting_for_stock"), "left to stock")
        + more(whole("with_stock"), "with stock");
  }

  private static String more(long groups, String what) {
    return groups == 0 ? "" : "; " + groups + " " + what;
  }

  private String repairs() {
    return whole("repairs_in_flight") + " of at most " + whole("repairs_in_flight_max")
        + " run; " + whole("repairs_done") + " done, " + whole("repairs_failed") + " failed, "
        + PageFields.size(status, "bytes_rebuilt") + " rebuilt";
  }

  private String left() {
    OptionalDouble bytes = PageFields.number(status, "bytes_left");
    if (bytes.isPresent() && bytes.getAsDouble() == 0) {
      return "nothing";
    }
    OptionalDouble eta = PageFields.number(status, "eta_s");
    OptionalDouble bound = PageFields.number(status, "eta_bound_s");
    return PageFields.size(status, "bytes_left") + " at "
        + PageFields.rate(status, "bytes_per_s", "an unknown rate") + ": "
        + (eta.isPresent() ? "about " + Quantities.time(eta.getAsDouble()) : "time unknown")
        + (bound.isPresent() ? " (links need " + Quantities.time(bound.getAsDouble()) + ")" : "");
  }

  private String nodes() {
    long out = whole("quarantined");
    long silent = whole("data_nodes_silent");
    return whole("agents") + " of " + Quantities.count(whole("data_nodes"), "DataNode")
        + " take part" + (silent == 0 ? "" : ", " + silent + " silent")
        + (out == 0 ? "" : ", " + out + " quarantined: hdfs ppr -nodes");
  }

  private void busiest() {
    List<String> nodes = new ArrayList<>();
    for (JsonNode one : status.path("busiest")) {
      nodes.add(PageFields.text(one, "node", Quantities.UNKNOWN) + " "
          + Quantities.time(PageFields.number(one, "busy_s").orElse(0)));
    }
    if (!nodes.isEmpty()) {
      lines.fact("Busiest", String.join(", ", nodes));
    }
  }

  private void doubts() {
    if (whole("doubted") + whole("suspected") > 0) {
      lines.fact("Doubts", Quantities.count(whole("doubted"), "group") + " doubted, "
          + whole("suspected") + " suspected: hdfs ppr -doubts");
    }
  }

  private void pause() {
    JsonNode pause = status.path("pause");
    if (pause.isObject()) {
      Optional<String> until = PageFields.text(pause, "until");
      lines.fact("Paused", until.map(this::ends).orElse("without an end")
          + "; to go on: hdfs ppr -resume");
    }
  }

  private void leftToStock() {
    JsonNode time = status.path("left_to_stock");
    if (time.isObject()) {
      Optional<String> until = PageFields.text(time, "until");
      lines.fact("Left to stock", until.map(this::ends).orElse("without an end")
          + "; to go on: hdfs ppr -resume");
    }
  }

  private String ends(String until) {
    return made().map(now -> "for another " + Quantities.until(until, now))
        .orElse("until " + until);
  }

  /**
   * Returns when the NameNode made the document. This time counts as the present time, because the
   * clock of this host may differ from that of the NameNode.
   */
  private Optional<Instant> made() {
    try {
      return PageFields.text(status, "made").map(Instant::parse);
    } catch (DateTimeParseException e) {
      return Optional.empty();
    }
  }

  private void reasons() {
    String name = "Waiting";
    for (JsonNode one : status.path("reasons")) {
      lines.fact(name, PageFields.whole(one, "groups") + " "
          + PageFields.text(one, "code", Quantities.UNKNOWN)
          + PageFields.text(one, "text").map(text -> ": " + text).orElse(""));
      name = "";
    }
  }

  private void losses() {
    JsonNode losses = status.path("losses");
    if (losses.size() == 0) {
      return;
    }
    lines.gap();
    lines.paragraph(0, "Losses");
    for (int i = 0; i < Math.min(losses.size(), LOSSES_MAX); i++) {
      loss(losses.get(i));
    }
    if (losses.size() > LOSSES_MAX) {
      lines.paragraph(2, "and " + (losses.size() - LOSSES_MAX) + " before: -json has them");
    }
  }

  private void loss(JsonNode loss) {
    double all = PageFields.number(loss, "bytes").orElse(0);
    double left = PageFields.number(loss, "bytes_left").orElse(0);
    long groups = PageFields.whole(loss, "groups");
    long groupsLeft = PageFields.whole(loss, "groups_left");
    boolean isDone = groupsLeft == 0;
    // If the lost groups have no bytes, the progress is that of the number of groups.
    double done = isDone ? 1 : all > 0 ? 1 - left / all : 1 - (double) groupsLeft / groups;
    int nodes = loss.path("nodes").size();
    String ofNodes = nodes > 1 ? " of " + nodes + " nodes, " : ", ";
    lines.all(Collections.singletonList(String.format(Locale.ROOT, "  %s %3d %%  %s%s",
        Quantities.bar(done, BAR_WIDTH), (int) (done * PERCENT),
        PageFields.text(loss, "node", Quantities.UNKNOWN),
        since(loss).map(time -> ", lost " + time).orElse(""))));
    lines.paragraph(4, isDone
        ? Quantities.count(groups, "group") + ofNodes + Quantities.size(all) + ": all rebuilt"
            + took(loss)
        : groupsLeft + " of " + Quantities.count(groups, "group") + ofNodes + Quantities.size(left)
            + " of " + Quantities.size(all) + " left");
  }

  private Optional<String> since(JsonNode loss) {
    Optional<Instant> now = made();
    return PageFields.text(loss, "since").map(since ->
        now.map(moment -> Quantities.since(since, moment) + " ago").orElse("at " + since));
  }

  private static String took(JsonNode loss) {
    Optional<String> since = PageFields.text(loss, "since");
    try {
      Optional<Instant> ended = PageFields.text(loss, "ended").map(Instant::parse);
      return since.isPresent() && ended.isPresent()
          ? " in " + Quantities.since(since.get(), ended.get()) : "";
    } catch (DateTimeParseException e) {
      return "";
    }
  }
}
