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
package org.hdfsppr.client.files.text;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.client.text.Quantities;
import org.hdfsppr.client.text.TextLines;
import org.hdfsppr.operate.Leftovers;
import org.hdfsppr.operate.Leftovers.Item;
import org.hdfsppr.operate.Leftovers.Kind;
import org.hdfsppr.operate.Leftovers.State;

/**
 * Writes as text for users which old versions and other files are left below /.hdfs-ppr. Stateless.
 */
@InterfaceAudience.Private
public final class LeftoverText {
  private LeftoverText() {
  }

  /**
   * @param left the files that are left
   * @param now the time
   * @return lines of at most 80 columns
   */
  public static String of(Leftovers left, Instant now) {
    TextLines lines = new TextLines();
    if (left.cleared > 0) {
      lines.paragraph(0, Quantities.count(left.cleared, "version") + " deleted.");
    }
    if (left.count() == 0 && left.unfinished.isEmpty()) {
      lines.paragraph(0, "Nothing is left below /.hdfs-ppr that hdfs-ppr needs.");
    }
    for (Kind kind : Kind.values()) {
      List<String> states = new ArrayList<>();
      for (State state : State.values()) {
        if (left.count(kind, state) > 0) {
          states.add(left.count(kind, state) + " " + words(state));
        }
      }
      if (!states.isEmpty()) {
        lines.fact(words(kind), String.join(", ", states));
      }
    }
    long named = 0;
    for (Item item : left.named) {
      lines.item(0, sentence(item, now));
      named++;
    }
    long versions = left.count() - left.count(Kind.CORE_PARITY, State.USED)
        - left.count(Kind.CORE_WORK, State.USED) - left.count(Kind.UPDATE_RECORD, State.USED);
    if (named >= Leftovers.NAMED_MAX && versions > named) {
      lines.item(0, "and more");
    }
    if (!left.unfinished.isEmpty()) {
      lines.paragraph(0, "Not all was looked at: " + left.unfinished + ".");
    }
    if (left.count() > 0) {
      lines.paragraph(0, "Delete nothing below /.hdfs-ppr by hand before you have read 'What may be"
          + " deleted by hand' in docs/command.md: NameNodes may not start any more.");
    }
    return lines.toString();
  }

  private static String sentence(Item item, Instant now) {
    StringBuilder text = new StringBuilder(item.path);
    if (!item.file.isEmpty()) {
      text.append(" of ").append(item.file);
    }
    text.append(": ").append(words(item.state));
    if (item.untilMs > 0) {
      text.append(", ends in ").append(
          Quantities.until(Instant.ofEpochMilli(item.untilMs).toString(), now));
    }
    if (!item.snapshots.isEmpty()) {
      text.append(" (").append(String.join(", ", item.snapshots)).append(")");
    }
    if (!item.why.isEmpty()) {
      text.append("; ").append(item.why);
    }
    return text.toString();
  }

  private static String words(Kind kind) {
    switch (kind) {
      case CONVERSION:
        return "Converted";
      case COMMIT:
        return "Committed";
      case CORE_PARITY:
        return "CORE";
      case CORE_WORK:
        return "CORE work";
      default:
        return "Updates";
    }
  }

  private static String words(State state) {
    switch (state) {
      case WORKING:
        return "in work";
      case FREE:
        return "may go now";
      case GRACE:
        return "in grace";
      case HELD:
        return "held by snapshots";
      case ASK:
        return "to be decided by an operator";
      default:
        return "in use";
    }
  }
}
