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
package org.hdfsppr.namenode.update;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.namenode.update.look.UpdatableFile;
import org.hdfsppr.namenode.update.look.UpdateNamespace;
import org.hdfsppr.namenode.update.look.UpdateTag;
import org.hdfsppr.operate.TicketRequest;
import org.hdfsppr.operate.UpdateRefusedException;

/**
 * Gives units terms and holders, and remembers them in the namespace. A term that was given is on
 * disk before a caller hears of it. All state is read from the namespace with each call and changed
 * only if it is still the same, so that two NameNodes that both take themselves for the active one
 * cannot give the same term twice. Used by one thread, because it asks DataNodes.
 */
@InterfaceAudience.Private
public final class TicketKeeper {
  private final UpdateNamespace namespace;
  private final UpdateFolder folder;
  private final Supplier<UUID> uuids;
  private final NoLogLeases leases;
  private final FileRecords records;
  private final TagClearing clearing;
  private final RecordJanitor janitor;
  private final TicketParts parts;

  /**
   * @param settings the settings
   * @param namespace reads and changes attributes
   * @param folder has the records
   * @param nodes the DataNodes that keep logs
   * @param questions asks them
   * @param uuids makes UUIDs of files
   * @param clockMs the time, monotonic, ms
   * @param wallClockMs the time of day, ms since 1970 (UTC)
   */
  public TicketKeeper(TicketSettings settings, UpdateNamespace namespace, UpdateFolder folder,
      LogNodes nodes, LogQuestions questions, Supplier<UUID> uuids, LongSupplier clockMs,
      LongSupplier wallClockMs) {
    this.namespace = namespace;
    this.folder = folder;
    this.uuids = uuids;
    this.leases = new NoLogLeases(clockMs);
    this.parts = new TicketParts(settings.replicas(), namespace, folder, nodes, questions,
        new TermRate(clockMs), leases);
    this.records = new FileRecords(namespace, folder);
    this.clearing = new TagClearing(parts, records, clockMs, wallClockMs);
    this.janitor = new RecordJanitor(parts, records, settings.checkMs(), clockMs, wallClockMs);
  }

  /**
   * Takes note whether this NameNode is active, and clears up; called several times in a second.
   *
   * @return whether the next call should come soon
   */
  public boolean step() {
    look();
    return janitor.step();
  }

  private void look() {
    leases.look(namespace.isActive());
  }

  boolean setUpdatable(long directory, boolean isUpdatable) throws IOException {
    return isUpdatable ? folder.setUpdatable(directory, true) : clearing.clear(directory);
  }

  /**
   * Returns what each data unit of a group gets that has bytes.
   *
   * @param mayChange false while the namespace takes no changes. Readers then get tickets of the
   *     terms that there are
   */
  List<Given> grant(UpdatableFile file, TicketRequest request, boolean mayChange)
      throws IOException {
    look();
    Optional<UUID> joined = janitor.joined(file.group().groupId());
    if (joined.isPresent()) {
      throw new UpdateRefusedException("Block group " + file.group() + " of " + file.path()
          + " belonged to a file with updates, which " + file.path() + " does not have: files were"
          + " joined (concat). Write these bytes again by a client without updates, and then give"
          + " the old ones up: hdfs dfs -setfattr -n trusted." + FileRecords.GONE_XATTR
          + " -v 0x0000000000000000 " + UpdateNamespace.ROOT + "/" + joined.get());
    }
    // A writer may have set the tag since the file was looked at, on this thread.
    byte[] tag = file.tag() != null ? file.tag()
        : namespace.attribute(file.inodeId(), UpdateTag.XATTR).orElse(null);
    if (tag == null && !request.isWrite()) {
      int validMs = leases.give(file.group());
      return ofAll(file, unit -> Given.noLog(unit, validMs));
    }
    if (tag == null && !leases.isFree(file.group())) {
      return ofAll(file, unit -> Given.later(unit, TicketRound.READERS));
    }
    return new TicketRound(parts, file, request, tag(file, tag), mayChange).run();
  }

  private static List<Given> ofAll(UpdatableFile file, IntFunction<Given> same) {
    List<Given> given = new ArrayList<>();
    for (int unit = 0; unit < file.policy().dataUnits(); unit++) {
      given.add(same.apply(unit));
    }
    return given;
  }

  private UpdateTag tag(UpdatableFile file, byte[] known) throws IOException {
    if (known == null) {
      UpdateTag tag = new UpdateTag(uuids.get(), file.inodeId(), 0);
      records.tag(tag);
      return tag;
    }
    UpdateTag tag = UpdateTag.parse(known, file.path());
    if (tag.inodeId() != file.inodeId()) {
      throw new UpdateRefusedException(file.path() + " has the attribute trusted."
          + UpdateTag.XATTR + " of another file, of which it may be a copy. If it is a copy, remove"
          + " the attribute: hdfs dfs -setfattr -x trusted." + UpdateTag.XATTR + " "
          + file.path());
    }
    return tag;
  }
}
