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
import java.util.Locale;
import java.util.Map;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.client.text.LossText;
import org.hdfsppr.client.text.Quantities;
import org.hdfsppr.client.text.TextLines;
import org.hdfsppr.operate.CoreDirectory;
import org.hdfsppr.operate.CoreDirectory.Number;
import org.hdfsppr.operate.CoreStatus;
import org.hdfsppr.operate.UnusedGroup;

/** Writes the state of directories that CORE groups protect as text for users. */
@InterfaceAudience.Private
public final class CoreText {
  private static final double MS_PER_SECOND = 1_000;
  private static final double PERCENT = 100;

  private CoreText() {
  }

  /**
   * Writes all that is known about protected directories.
   *
   * @param status the directories
   * @param now the time
   * @return lines of at most 80 columns
   */
  public static String of(CoreStatus status, Instant now) {
    TextLines lines = new TextLines();
    if (status.directories.isEmpty()) {
      lines.paragraph(0, "No directory is protected that you may list; 'hdfs ppr -core -protect"
          + " DIR' protects one.");
    }
    for (CoreDirectory directory : status.directories) {
      write(directory, now, lines);
      lines.gap();
    }
    if (!status.why.isEmpty()) {
      lines.fact("Waits", "no groups are formed now: " + status.why);
    }
    writeUnused(status, lines);
    if (status.keptParities > 0) {
      lines.fact("Kept", Quantities.count(status.keptParities, "parity file") + " of no group"
          + " that the NameNode cannot delete yet; its log says why, and 'hdfs ppr -clear' names"
          + " snapshots that have to go");
    }
    LossText.write(status.recoverable, status.unrecoverable, lines);
    lines.fact("In all", Quantities.count(status.formed, "group") + " formed since this NameNode"
        + " became active, " + status.failed + " tries failed");
    status.dissolved.forEach((reason, groups) ->
        lines.fact("", groups + " dissolved: " + words(reason)));
    return lines.toString();
  }

  private static void writeUnused(CoreStatus status, TextLines lines) {
    if (status.unusedGroups == 0) {
      return;
    }
    long others = status.unusedGroups - status.unused.size();
    lines.fact("Not used", Quantities.count(status.unusedGroups, "group")
        + (status.unusedGroups == 1 ? ", whose parity file is kept"
            : ", whose parity files are kept")
        + (status.unused.isEmpty() ? ". Superusers see the reasons" : ""));
    for (UnusedGroup group : status.unused) {
      lines.item(2, "CORE group " + group.groupId + ": " + group.why + ". Remedy: "
          + group.remedy);
    }
    if (others > 0 && !status.unused.isEmpty()) {
      lines.item(2, others + " more");
    }
  }

  private static void write(CoreDirectory directory, Instant now, TextLines lines) {
    lines.paragraph(0, directory.path + (directory.recursive ? " and all below it" : "")
        + ", protected by " + directory.user);
    lines.fact("Groups", directory.get(Number.GROUPS) + ", " + directory.get(Number.FORMING)
        + " being made, " + directory.get(Number.QUEUED) + " waiting");
    lines.fact("Members", Quantities.count(directory.get(Number.MEMBERS), "file") + ", "
        + Quantities.size(directory.get(Number.MEMBER_BYTES)) + " of data");
    lines.fact("Parity", Quantities.size(directory.get(Number.PARITY_SPACE_BYTES))
        + " on disks" + overhead(directory));
    if (directory.get(Number.STALE) > 0) {
      lines.fact("Stale", directory.get(Number.STALE) + " block groups of members are not the"
          + " recorded ones any more");
    }
    if (directory.get(Number.COLUMNS_TOGETHER) > 0) {
      lines.fact("Together", Quantities.count(directory.get(Number.COLUMNS_TOGETHER), "column")
          + " with two blocks on one DataNode, whose loss no column can make good");
    }
    for (Map.Entry<String, Long> one : directory.waiting.entrySet()) {
      lines.fact("No group", one.getValue() + (one.getValue() == 1 ? " file: " : " files: ")
          + words(one.getKey()));
    }
    if (!directory.failure.isEmpty()) {
      lines.fact("Failed", directory.failure);
    }
    lines.fact("Looked at", directory.walkedMs == CoreDirectory.NEVER ? "not yet"
        : Quantities.time(Math.max(0, (now.toEpochMilli() - directory.walkedMs)
            / MS_PER_SECOND)) + " ago");
  }

  private static String overhead(CoreDirectory directory) {
    long bytes = directory.get(Number.MEMBER_BYTES);
    return bytes == 0 ? "" : String.format(Locale.ROOT, ", %.0f %% of the members' data",
        PERCENT * directory.get(Number.PARITY_SPACE_BYTES) / bytes);
  }

  /**
   * Returns in words what a reason means. A reason that only a newer NameNode knows is returned as
   * it is.
   *
   * @param reason the reason
   * @return what it means, as a part of a sentence
   */
  public static String words(String reason) {
    switch (reason) {
      case "empty":
        return "it has no bytes";
      case "other_policy":
        return "neither Reed-Solomon nor a CORE policy, or a member got another policy";
      case "too_large":
        return "it has too many block groups";
      case "settling":
        return "it changed a short time ago";
      case "no_like_files":
        return "too few other files of its directory and of like size";
      case "next_plan":
        return "many groups are made before";
      case "open":
        return "it is being written";
      case "encrypted":
        return "it lies in an encryption zone";
      case "unreadable":
        return "superusers may not read it, but could read a parity file";
      case "member_unreadable":
        return "a member got security.hdfs.unreadable.by.superuser";
      case "units_lost":
        return "units of it are lost, and are repaired first";
      case "tried_before":
        return "a group with it could not be made, and is tried again later";
      case "unprotected":
        return "the directory is not protected any more";
      case "other_rules":
        return "groups have another number of files now";
      case "member_gone":
        return "a member was deleted, overwritten, converted or moved away";
      case "member_rewritten":
        return "a member has other bytes";
      case "member_grew":
        return "a member was appended to";
      case "parity_changed":
        return "the parity file is gone or was changed";
      case "bad_record":
        return "the record of the members was that of another parity file";
      case "taken_out":
        return "a member in the trash was taken out, and the group goes on without it";
      case "leaving":
        return "a block has moved, and its old replica is about to be deleted";
      case "in_repair":
        return "the files lack a unit, or are being repaired";
      case "no_node":
        return "no other DataNode may take a block: they have one of its column or its file, are"
            + " full or leave, or racks would get worse";
      case "replaced":
        return "a member is in a newer group";
      default:
        return reason;
    }
  }
}
